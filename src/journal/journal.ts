import type { Note } from '../context.js'

/** A note with its place in the order of everything that was journaled, and the time of the one clock. */
export interface TimedNote {
  order: number
  /** Milliseconds since the Unix epoch. */
  ms: number
  note: Note
}

/** One request, what was answered, and what happened on its behalf, also after the answer. */
export interface Exchange {
  order: number
  ms: number
  requestId: string
  method: string
  /** With its query. */
  url: string
  headers: Record<string, string>
  /** As it was parsed; undefined when it was none or too large. */
  body?: unknown
  /** Bytes of the request's body and of the answer's, as far as they are kept. */
  weight: number
  notes: TimedNote[]
  /** Undefined while it is under way. */
  answer?: Answer
}

/** What came back. */
export interface Answer {
  order: number
  ms: number
  status: number
  headers: Record<string, string>
  /** The text of the body; undefined when it was none or too large. */
  text: string | undefined
  bytes: number
  /** The connection ended before all of it was out. */
  cut: boolean
}

/** An exchange that is being written down. */
export interface Recording {
  note(note: Note): void
  /** The request's body, as soon as it is known. */
  sent(body: unknown): void
  answered(answer: Omit<Answer, 'order' | 'ms'>): void
}

/** The last exchanges, bounded in number and in bytes: the oldest go first. */
export interface Journal {
  begin(request: Pick<Exchange, 'requestId' | 'method' | 'url' | 'headers'>): Recording
  /** Oldest first. */
  all(): readonly Exchange[]
  /** How many have been dropped so far. */
  readonly dropped: number
}

/** Bounds: exchanges, bytes of bodies together, bytes of one body, notes of one exchange. */
export const journalBounds = {
  exchanges: 2_000,
  bytes: 16 * 1024 * 1024,
  body: 64 * 1024,
  notes: 200,
} as const

/** Makes a journal on this clock. */
export function createJournal(
  clock: { now(): number },
  bounds: { [key in keyof typeof journalBounds]: number } = journalBounds,
): Journal {
  const ring: Exchange[] = []
  // From 1 on: cursor 0 is before everything.
  let order = 1
  let bytes = 0
  let dropped = 0
  const shrink = (): void => {
    while (ring.length > bounds.exchanges || (bytes > bounds.bytes && ring.length > 1)) {
      const oldest = ring.shift()!
      bytes -= oldest.weight
      dropped++
    }
  }
  const add = (exchange: Exchange, weight: number): void => {
    if (weight === 0 || !ring.includes(exchange)) return
    exchange.weight += weight
    bytes += weight
    shrink()
  }
  const stamp = () => ({ order: order++, ms: clock.now() })
  return {
    get dropped() {
      return dropped
    },
    all: () => ring,
    begin(request) {
      const exchange: Exchange = { ...stamp(), ...request, weight: 0, notes: [] }
      ring.push(exchange)
      shrink()
      return {
        note(note) {
          if (exchange.notes.length < bounds.notes) exchange.notes.push({ ...stamp(), note })
        },
        sent(body) {
          const size = sizeOf(body, exchange.headers)
          if (size > bounds.body) return
          exchange.body = body
          add(exchange, size)
        },
        answered({ text, ...answer }) {
          if (exchange.answer) return
          const kept = text !== undefined && text.length <= bounds.body ? text : undefined
          exchange.answer = { ...stamp(), ...answer, text: kept }
          add(exchange, kept?.length ?? 0)
        },
      }
    },
  }
}

/** A request that was sent in chunks does not say how long it is. */
function sizeOf(body: unknown, headers: Record<string, string>): number {
  if (body === undefined) return 0
  return Number(headers['content-length'] ?? JSON.stringify(body).length)
}

/** Text without secrets: what follows the public part of each becomes `***`. */
export function redact(text: string, secrets: readonly string[]): string {
  return secrets.reduce((clean, secret) => clean.replaceAll(secret, maskOf(secret)), text)
}

/** The same for a whole JSON value: its texts and the names of its fields, and nothing else. */
export function redactJson(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string') return redact(value, secrets)
  if (Array.isArray(value)) return value.map((item) => redactJson(item, secrets))
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value)
  return Object.fromEntries(
    fields.map(([name, item]) => [redact(name, secrets), redactJson(item, secrets)]),
  )
}

/** `qk_local0_***` of a key with a public part (service-facts 1), `***` of any other. */
function maskOf(secret: string): string {
  return /^qk_[^_]+_/.exec(secret)?.[0].concat('***') ?? '***'
}
