import { z } from 'zod'
import { type Journal, type Mark, noteOf, type RecordedRequest } from '../../../journal/journal.js'
import { jsonOrText } from '../../../journal/why.js'
import { count, httpStatus } from '../../../lib/scalars.js'
import { masked } from '../../masked.js'
import { integerParameter } from '../../query.js'
import { defineRoute, type Route } from '../../route.js'

const json = z.unknown()
const accountError = 'must be the id of a sub-account, given once'

const exchangeSchema = z
  .strictObject({
    cursor: count,
    at: z.string(),
    request_id: z.string(),
    method: z.string(),
    url: z.string(),
    headers: z.record(z.string(), z.string()),
    body: json.optional(),
    notes: z.array(z.looseObject({ at: z.string(), type: z.string() })),
    answer: z
      .strictObject({
        at: z.string(),
        status: httpStatus,
        headers: z.record(z.string(), z.string()),
        body: json.optional(),
        bytes: count,
        cut: z.boolean(),
      })
      .nullable(),
  })
  .meta({ id: 'Exchange' })

const markSchema = z
  .strictObject({
    cursor: count,
    at: z.string().meta({ description: 'The service time to which it went.' }),
    type: z.enum(['restore', 'reset']),
    snapshot: z
      .strictObject({ id: z.string(), name: z.string().nullable() })
      .nullable()
      .meta({ description: 'Null for a reset.' }),
    request_id: z.string().nullable(),
  })
  .meta({ id: 'Mark' })

const common = { tag: 'Control', access: 'control', source: 'extension' } as const

export const journalRoutes: readonly Route[] = [
  defineRoute({
    ...common,
    method: 'get',
    path: '/_sim/journal',
    summary: 'What was asked and answered',
    description:
      'The last exchanges of the service and the control API, oldest first, each with what happened on its behalf, also after the answer. `marks` tells where everything was taken back in between: what stands before a mark was done in another life. Bounded in number and bytes; secrets are masked.',
    query: z.object({
      since: integerParameter('Only exchanges after this cursor.').optional(),
      limit: integerParameter(
        'At most so many: with `since` the oldest of them, else the newest.',
        {
          min: 1,
          max: 1_000,
        },
      ).default(100),
      account_id: z
        .string({ error: accountError })
        .regex(/^acc_[0-9a-z]{12}$/, { error: accountError })
        .optional()
        .meta({ description: 'Only those of this account.' }),
    }),
    answers: [
      {
        status: 200,
        description: 'The exchanges, and where to go on.',
        schema: z
          .strictObject({
            exchanges: z.array(exchangeSchema),
            marks: z.array(markSchema).meta({
              description: 'Restores and resets among these exchanges, by their cursors.',
            }),
            cursor: count.meta({ description: 'Of the last exchange or mark; the next `since`.' }),
            dropped: count.meta({ description: 'How many have been dropped so far.' }),
          })
          .meta({ id: 'Journal' }),
        example: { exchanges: [], marks: [], cursor: 0, dropped: 0 },
      },
    ],
    errors: [
      {
        code: 'invalid_params',
        when: 'since, limit or account_id is malformed',
        message: 'limit must be an integer from 1 to 1000, given once, received "0"',
      },
    ],
    handler({ deps, query }) {
      const { since, limit, account_id } = query
      const { exchanges, marks } = pageOf(deps.records.journal, { since, limit, account_id })
      const last = Math.max(exchanges.at(-1)?.order ?? 0, marks.at(-1)?.order ?? 0)
      return masked(deps, {
        exchanges: exchanges.map(exchangeWire),
        marks: marks.map(markWire),
        cursor: last === 0 ? (since ?? 0) : last,
        dropped: deps.records.journal.dropped,
      })
    },
  }),
]

/**
 * Who pages on from a cursor must miss nothing; who looks for the first time wants what is new. Marks stand where they
 * happened among the exchanges, and behind the last one there is.
 */
function pageOf(
  journal: Journal,
  {
    since,
    limit,
    account_id,
  }: { since?: number | undefined; limit: number; account_id?: string | undefined },
): { exchanges: RecordedRequest[]; marks: Mark[] } {
  const found = journal
    .all()
    .filter(
      (exchange) =>
        exchange.order > (since ?? 0) &&
        (account_id === undefined || belongsTo(exchange, account_id)),
    )
  const exchanges = since === undefined ? found.slice(-limit) : found.slice(0, limit)
  const isCut = exchanges.length < found.length
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

function markWire({ order, ms, snapshot, requestId }: Mark): z.infer<typeof markSchema> {
  return {
    cursor: order,
    at: new Date(ms).toISOString(),
    type: snapshot ? 'restore' : 'reset',
    snapshot: snapshot ? { id: snapshot.id, name: snapshot.name ?? null } : null,
    request_id: requestId ?? null,
  }
}

function exchangeWire({
  order,
  ms,
  requestId,
  method,
  url,
  headers,
  body,
  notes,
  answer,
}: RecordedRequest) {
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
        }
      : null,
  }
}
