import { keepNewest } from '../../lib/keepNewest.js'
import { currentScope, type Note, type RecordedNote } from '../../service/context/requestContext.js'
import type { ActivityRecord } from '../../service/store/store.js'
import type { WorldFailures } from '../../worlds/workers.js'
import { livesOf } from './lives.js'
import type { HeldBy } from './verdict.js'

/** A note with its place in the order of everything that was journaled, and the time of the one clock. */
export interface TimedNote {
  order: number
  /** Milliseconds since the Unix epoch. */
  ms: number
  /** The note as JSON. */
  text: string
}

/** One request, its response, and what happened on its behalf, also afterwards. */
export interface RecordedRequest {
  order: number
  ms: number
  /** When it came by the machine's clock, in milliseconds since the Unix epoch. */
  receivedMs: number
  requestId: string
  method: string
  /** With its query. */
  url: string
  headers: Record<string, string>
  /** The text of the body as it was sent, unpacked; undefined when none was read or it was too large. */
  body?: string
  notes: TimedNote[]
  /** Undefined until it is answered. */
  answer?: RecordedAnswer
}

export interface RecordedAnswer {
  order: number
  ms: number
  status: number
  headers: Record<string, string>
  /** The text of the body; undefined when it was none or too large. */
  text: string | undefined
  bytes: number
  /** The connection ended before the whole response was sent. */
  cut: boolean
  /** How long it took by the machine's clock, in milliseconds; undefined where it was not measured. */
  tookMs?: number
}

/** The border of two lives: everything was restored to a snapshot, or reset. */
export interface Mark {
  order: number
  /** The service time that was restored, in milliseconds. */
  ms: number
  /** Undefined for a reset. */
  snapshot: { id: string; name: string | undefined } | undefined
  /** The order of the last thing before the snapshot was taken; absent for a reset. */
  taken?: number
  /** The request that asked for it; undefined if the program did. */
  requestId: string | undefined
  /** What held the activities that were pending then, by their ids; those that nothing held are absent. */
  held?: Readonly<Record<string, HeldBy>>
}

/** The last reset. Nothing from before it can be repeated. */
export const lastReset = (marks: readonly Mark[]): Mark | undefined =>
  marks.findLast(({ snapshot }) => snapshot === undefined)

/** Records an exchange as it happens. */
export interface Recording {
  note(note: Note): void
  /** The text of the request's body, as soon as it is known. */
  sent(body: string | undefined): void
  answered(answer: Omit<RecordedAnswer, 'order' | 'ms' | 'tookMs'>): void
}

/**
 * The latest requests with their responses, bounded in number and in bytes. Successful reads have a bound of their own, so that polling
 * displaces no write and no refusal. Of each kind the oldest go first.
 */
export interface Journal {
  begin(request: Pick<RecordedRequest, 'requestId' | 'method' | 'url' | 'headers'>): Recording
  /** Oldest first. */
  all(): readonly RecordedRequest[]
  /** Records that a snapshot was taken. */
  taken(snapshotId: string): void
  /** Records a restore or reset. */
  mark(snapshot: Mark['snapshot'], held?: Mark['held']): void
  /** Oldest first; as many as exchanges at most. */
  marks(): readonly Mark[]
  /** How many exchanges have been dropped so far. */
  readonly dropped: number
  /** The bytes of all recorded texts. */
  readonly bytes: number
}

/**
 * For writes, refusals and everything that led to something: how many, and how many bytes of text together; the same for plain reads; bytes of
 * one body or note, notes of one request.
 */
export const journalBounds = {
  exchanges: 4_000,
  bytes: 16 * 1024 * 1024,
  reads: 1_000,
  readBytes: 4 * 1024 * 1024,
  body: 64 * 1024,
  notes: 200,
} as const

/**
 * Stores texts alone, so that their size is known and nothing changes them. When a request has its response, `onAnswered` gets a function that
 * reads it, as long as it is kept.
 */
export function createJournal(
  clock: { now(): number },
  bounds: { [key in keyof typeof journalBounds]: number } = journalBounds,
  onAnswered: (read: () => RecordedRequest | undefined) => void = () => {},
): Journal {
  /** Each exchange with its size in bytes, in order. */
  const kept = new Map<RecordedRequest, number>()
  const marks: Mark[] = []
  /** Orders by the ids of snapshots. */
  const taken = new Map<string, number>()
  // From 1 on: cursor 0 is before everything.
  let order = 1
  let dropped = 0
  /** Plain reads, and everything else; each in the order in which it became so. */
  const kinds = {
    reads: createKind(bounds.reads, bounds.readBytes),
    others: createKind(bounds.exchanges, bounds.bytes),
  }
  const add = (request: RecordedRequest, weight: number): void => {
    const before = kept.get(request)
    if (before === undefined) return
    kept.set(request, before + weight)
    const [own, other] = isPlainRead(request)
      ? [kinds.reads, kinds.others]
      : [kinds.others, kinds.reads]
    other.leave(request)
    own.set(request, before + weight)
    for (const oldest of own.tooMany()) {
      kept.delete(oldest)
      dropped++
    }
  }
  const isSmall = (text: string): boolean =>
    text.length <= bounds.body && weightOf(text) <= bounds.body
  const stamp = () => ({ order: order++, ms: clock.now() })
  return {
    get dropped() {
      return dropped
    },
    get bytes() {
      return kinds.reads.bytes + kinds.others.bytes
    },
    all: () => [...kept.keys()],
    taken(snapshotId) {
      taken.delete(snapshotId)
      taken.set(snapshotId, order - 1)
      keepNewest(taken, bounds.exchanges)
    },
    mark(snapshot, held) {
      const requestId = currentScope()?.requestId
      const from = snapshot && taken.get(snapshot.id)
      const to = snapshot && { ...snapshot }
      const mark = { ...stamp(), snapshot: to, requestId, ...(held && { held }) }
      marks.push(from === undefined ? mark : { ...mark, taken: from })
      if (marks.length > bounds.exchanges) marks.shift()
    },
    marks: () => marks,
    begin(request) {
      const begun = performance.now()
      const receivedMs = Math.round(performance.timeOrigin + begun)
      const recorded: RecordedRequest = { ...stamp(), receivedMs, ...request, notes: [] }
      kept.set(recorded, 0)
      add(recorded, weightOf(request.url) + weightOfAll(request.headers))
      return {
        note(note) {
          if (recorded.notes.length >= bounds.notes) return
          const whole = JSON.stringify(note)
          const text = isSmall(whole) ? whole : JSON.stringify(scalarsOf(note))
          recorded.notes.push({ ...stamp(), text })
          add(recorded, weightOf(text))
        },
        sent(body) {
          if (body === undefined || !isSmall(body)) return
          recorded.body = body
          add(recorded, weightOf(body))
        },
        answered({ text, ...answer }) {
          if (recorded.answer) return
          const small = text !== undefined && isSmall(text) ? text : undefined
          const tookMs = Math.round((performance.now() - begun) * 10) / 10
          recorded.answer = { ...stamp(), ...answer, tookMs, text: small }
          add(recorded, weightOf(small ?? '') + weightOfAll(answer.headers))
          onAnswered(() => (kept.has(recorded) ? recorded : undefined))
        },
      }
    },
  }
}

/** A read that was answered well and did nothing else. One that is not answered yet may become one. */
export function isPlainRead({ method, notes, answer }: RecordedRequest): boolean {
  const isRead = (method === 'GET' || method === 'HEAD') && notes.length === 0
  return isRead && (answer === undefined || (!answer.cut && answer.status < 400))
}

function createKind(most: number, mostBytes: number) {
  const all = new Map<RecordedRequest, number>()
  let bytes = 0
  const leave = (request: RecordedRequest): void => {
    bytes -= all.get(request) ?? 0
    all.delete(request)
  }
  return {
    get bytes() {
      return bytes
    },
    leave,
    set(request: RecordedRequest, weight: number): void {
      bytes += weight - (all.get(request) ?? 0)
      all.set(request, weight)
    },
    /** Drops the oldest until the rest fits. The newest always stays. */
    tooMany(): RecordedRequest[] {
      const dropped: RecordedRequest[] = []
      for (const [oldest] of all) {
        if (all.size <= most && (bytes <= mostBytes || all.size === 1)) break
        leave(oldest)
        dropped.push(oldest)
      }
      return dropped
    },
  }
}

/** Bytes that a text takes in memory: one per character, or two when one of them is beyond Latin-1. */
function weightOf(text: string): number {
  return /[\u0100-\uffff]/.test(text) ? text.length * 2 : text.length
}

function weightOfAll(texts: Readonly<Record<string, string>>): number {
  let sum = 0
  for (const name in texts) sum += weightOf(texts[name]!)
  return sum
}

/** `500 internal_error`. */
export function answerTitle({
  cut,
  status,
  text,
}: Pick<RecordedAnswer, 'cut' | 'status' | 'text'>) {
  if (cut) return 'the connection was cut'
  return status < 400 ? `${status}` : `${status} ${problemIn(text).error}`
}

/** The body of an error response. */
export function problemIn(text: string | undefined): { error?: string; message?: string } {
  try {
    return JSON.parse(text ?? '{}')
  } catch {
    return {}
  }
}

export function noteOf({ text }: Pick<TimedNote, 'text'>): RecordedNote {
  return JSON.parse(text)
}

/** A note that is too large, without its lists. */
function scalarsOf(note: Note): object {
  return Object.fromEntries(Object.entries(note).filter(([, fact]) => typeof fact !== 'object'))
}

interface JournalContent {
  exchanges: readonly RecordedRequest[]
  marks: readonly Mark[]
}

/** The requests to the service that were refused or cut, without those that a restore or reset has undone. */
export function refusedIn({ exchanges, marks }: JournalContent): RecordedRequest[] {
  const { undoneBy } = livesOf(marks)
  return exchanges.filter(
    ({ order, url, answer }) =>
      !url.startsWith('/_sim') &&
      answer !== undefined &&
      (answer.cut || answer.status >= 400) &&
      !undoneBy(order),
  )
}

const mostRefusals = 10

/** The failures in the journal and the store, without what a restore or reset has undone. */
export function failuresIn(
  { exchanges, marks }: JournalContent,
  activities: ReadonlyMap<string, Pick<ActivityRecord, 'status'>>,
): WorldFailures {
  const { undoneBy } = livesOf(marks)
  const refused = refusedIn({ exchanges, marks })
  const begunAt = (id: string): number =>
    exchanges
      .flatMap(({ notes }) => notes)
      .find(({ text, order }) => text.includes(id) && !undoneBy(order))?.order ?? 0
  return {
    failed: [...activities]
      .filter(([, { status }]) => status === 'failed')
      .map(([id]) => ({ id, order: begunAt(id) })),
    refused: refused.length,
    refusals: refused.slice(-mostRefusals).map(({ requestId: id, order }) => ({ id, order })),
    cut: refused.filter(({ answer }) => answer!.cut).length,
  }
}
