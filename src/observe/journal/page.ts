import { z } from 'zod'
import { jsonOrText } from '../../lib/json.js'
import { count, duration, httpStatus, unixMilliseconds } from '../../lib/scalars.js'
import { type Journal, type Mark, noteOf, type RecordedRequest } from './journal.js'
import { isUndoable, livesOf } from './lives.js'

export const markSchema = z
  .strictObject({
    cursor: count,
    at: z.string().meta({ description: 'The service time that it went to.' }),
    type: z.enum(['restore', 'reset']),
    snapshot: z
      .strictObject({ id: z.string(), name: z.string().nullable() })
      .nullable()
      .meta({ description: 'Null for a reset.' }),
    request_id: z.string().nullable(),
  })
  .meta({ id: 'Mark' })

const requestSchema = z
  .strictObject({
    cursor: count,
    at: z.string(),
    received_ms: unixMilliseconds.optional().meta({
      description:
        'Arrival time by the machine’s clock, even when the service clock is frozen. Only with `durations=true`.',
    }),
    request_id: z.string(),
    method: z.string(),
    url: z.string(),
    headers: z.record(z.string(), z.string()),
    body: z.unknown().optional(),
    notes: z.array(z.looseObject({ at: z.string(), type: z.string() })),
    answer: z
      .strictObject({
        at: z.string(),
        status: httpStatus,
        headers: z.record(z.string(), z.string()),
        body: z.unknown().optional(),
        bytes: count,
        cut: z.boolean(),
        took_ms: duration.optional().meta({
          description:
            'Duration by the machine’s clock, even when the service clock is frozen. Only with `durations=true`, because it differs on every run.',
        }),
      })
      .nullable(),
    undone: markSchema.optional(),
  })
  .meta({ id: 'Exchange' })

export const journalPageSchema = z
  .strictObject({
    exchanges: z.array(requestSchema),
    marks: z.array(markSchema).meta({
      description: 'Restores and resets among these exchanges, by their cursors.',
    }),
    cursor: count.meta({
      description: 'Cursor of the last exchange or mark; pass it as the next `since`.',
    }),
    dropped: count.meta({ description: 'Number of exchanges dropped so far.' }),
  })
  .meta({ id: 'Journal' })

export type JournalPage = z.infer<typeof journalPageSchema>

interface JournalQuery {
  since?: number | undefined
  limit: number
  account_id?: string | undefined
  /** Includes how long each took. */
  durations?: boolean
}

/** A page: from a cursor on, nothing is left out; without one it begins with the newest. */
export function pageOf(journal: Journal, query: JournalQuery): JournalPage {
  const { exchanges, marks } = foundIn(journal, query)
  const { undoneBy } = livesOf(journal.marks())
  const last = Math.max(exchanges.at(-1)?.order ?? 0, marks.at(-1)?.order ?? 0)
  return {
    exchanges: exchanges.map((exchange) => {
      const undone = isUndoable(exchange) ? undoneBy(exchange.order) : undefined
      const shown = { ...requestWire(exchange), ...(undone && { undone: markWire(undone) }) }
      if (query.durations) return { ...shown, received_ms: exchange.receivedMs }
      delete shown.answer?.took_ms
      return shown
    }),
    marks: marks.map(markWire),
    cursor: last === 0 ? (query.since ?? 0) : last,
    dropped: journal.dropped,
  }
}

/** Marks are listed where they happened among the requests, and after the last one. */
function foundIn(
  journal: Journal,
  { since, limit, account_id }: JournalQuery,
): { exchanges: RecordedRequest[]; marks: Mark[] } {
  const all = journal.all()
  const known = all.findLastIndex(({ order }) => order <= (since ?? 0)) + 1
  const matching = all
    .slice(known)
    .filter((recorded) => account_id === undefined || belongsTo(recorded, account_id))
  const exchanges = since === undefined ? matching.slice(-limit) : matching.slice(0, limit)
  const isCut = exchanges.length < matching.length
  const from = since ?? (isCut ? exchanges[0]!.order : 0)
  const to = since !== undefined && isCut ? exchanges.at(-1)!.order : Number.POSITIVE_INFINITY
  return { exchanges, marks: journal.marks().filter(({ order }) => order > from && order < to) }
}

function belongsTo({ url, notes, answer, body }: RecordedRequest, accountId: string): boolean {
  return (
    url.includes(accountId) ||
    (answer?.text?.includes(accountId) ?? false) ||
    (body?.includes(accountId) ?? false) ||
    notes.some(({ text }) => text.includes(`"account_id":"${accountId}"`))
  )
}

export function markWire({ order, ms, snapshot, requestId }: Mark): z.infer<typeof markSchema> {
  return {
    cursor: order,
    at: new Date(ms).toISOString(),
    type: snapshot ? 'restore' : 'reset',
    snapshot: snapshot ? { id: snapshot.id, name: snapshot.name ?? null } : null,
    request_id: requestId ?? null,
  }
}

export function requestWire({
  order,
  ms,
  requestId,
  method,
  url,
  headers,
  body,
  notes,
  answer,
}: RecordedRequest): z.infer<typeof requestSchema> {
  const at = (time: number): string => new Date(time).toISOString()
  return {
    cursor: order,
    at: at(ms),
    request_id: requestId,
    method,
    url,
    headers,
    ...(body === undefined ? {} : { body: jsonOrText(body) }),
    notes: notes.map((each) => ({ at: at(each.ms), ...noteOf(each) })),
    answer: answer
      ? {
          at: at(answer.ms),
          status: answer.status,
          headers: answer.headers,
          ...(answer.text === undefined ? {} : { body: jsonOrText(answer.text) }),
          bytes: answer.bytes,
          cut: answer.cut,
          ...(answer.tookMs === undefined ? {} : { took_ms: answer.tookMs }),
        }
      : null,
  }
}
