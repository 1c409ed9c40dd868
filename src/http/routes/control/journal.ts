import { z } from 'zod'
import type { Note } from '../../../context.js'
import { ServiceError } from '../../../errors.js'
import type { Exchange } from '../../../journal/journal.js'
import { redactJson } from '../../../journal/redact.js'
import { explain, jsonOrText } from '../../../journal/why.js'
import { example } from '../../examples.js'
import { integerParameter } from '../../query.js'
import { defineRoute, type Route } from '../../route.js'
import { count, httpStatus } from '../../scalars.js'
import type { AppDeps } from '../../types.js'

const json = z.unknown()
const limitError = 'must be a whole number from 1 to 1000'

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

const momentSchema = z
  .strictObject({
    at: z.string(),
    request_id: z.string(),
    type: z.string(),
    title: z.string(),
    details: z.record(z.string(), json),
  })
  .meta({ id: 'Moment' })

const nullableId = z.string().nullable()
const whySchema = z
  .strictObject({
    id: z.string(),
    related: z.strictObject({
      account_id: nullableId,
      plan_id: nullableId,
      activity_id: nullableId,
      svc_intent_id: nullableId,
    }),
    timeline: z.array(momentSchema),
    activity: z.strictObject({ status: z.string(), reasons: z.array(z.string()) }).nullable(),
    is_complete: z.boolean().meta({
      description: 'False when exchanges that may belong to it have left the journal.',
    }),
  })
  .meta({ id: 'Why' })

const cellSchema = z
  .strictObject({
    endpoint: z.string(),
    method: z.string(),
    path: z.string(),
    status: httpStatus,
    code: z.string().nullable(),
    source: z.enum(['interface', 'extension']),
    hits: count,
  })
  .meta({ id: 'Cell' })

const common = { tag: 'Control', access: 'control', source: 'extension' } as const

export const journalRoutes: readonly Route[] = [
  defineRoute({
    ...common,
    method: 'get',
    path: '/_sim/journal',
    summary: 'What was asked and answered',
    description:
      'The last exchanges of the service and the control API, oldest first, each with what happened on its behalf, also after the answer. Bounded in number and bytes; secrets are masked.',
    query: z.object({
      since: integerParameter('Only exchanges after this cursor.').optional(),
      limit: z.coerce
        .number({ error: limitError })
        .int({ error: limitError })
        .min(1, { error: limitError })
        .max(1_000, { error: limitError })
        .default(100)
        .meta({
          description: 'At most so many: with `since` the oldest of them, else the newest.',
        }),
      account_id: z.string().optional().meta({ description: 'Only those of this account.' }),
    }),
    answers: [
      {
        status: 200,
        description: 'The exchanges, and the cursor of the last one.',
        schema: z
          .strictObject({
            exchanges: z.array(exchangeSchema),
            cursor: count,
            dropped: count.meta({ description: 'How many have been dropped so far.' }),
          })
          .meta({ id: 'Journal' }),
        example: { exchanges: [], cursor: 0, dropped: 0 },
      },
    ],
    errors: [{ code: 'invalid_params', when: 'since or limit is malformed' }],
    handler({ deps, query }) {
      const { since, limit, account_id } = query
      const after = deps.journal
        .all()
        .filter(
          (exchange) =>
            exchange.order > (since ?? 0) &&
            (account_id === undefined || belongsTo(exchange, account_id)),
        )
      // Who pages on from a cursor must miss nothing; who looks for the first time wants what is new.
      const exchanges = since === undefined ? after.slice(-limit) : after.slice(0, limit)
      return masked(deps, {
        exchanges: exchanges.map(exchangeWire),
        cursor: exchanges.at(-1)?.order ?? since ?? 0,
        dropped: deps.journal.dropped,
      })
    },
  }),
  defineRoute({
    ...common,
    method: 'get',
    path: '/_sim/why/:id',
    summary: 'Why something is as it is',
    description:
      'One timeline for an account, plan, activity (by its `act_` id or its number), intent or request: what was asked and answered, the plan’s decoded operations, signatures, transactions with decoded logs and reasons of reverts, bridge fills, events, and the faults that fired.',
    answers: [
      {
        status: 200,
        description: 'The timeline.',
        schema: whySchema,
        example: {
          id: example.planId,
          related: {
            account_id: example.accountId,
            plan_id: example.planId,
            activity_id: null,
            svc_intent_id: null,
          },
          timeline: [],
          activity: null,
          is_complete: true,
        },
      },
    ],
    errors: [{ code: 'not_found', when: 'neither the journal nor the store knows the id' }],
    async handler({ deps, req }) {
      const id = String(req.params.id)
      const { journal, store, book, keys } = deps
      const primeIds = keys.map((key) => key.primeId)
      const why = await explain(id, { journal, store, book, primeIds })
      if (why) return masked(deps, why)
      throw new ServiceError('not_found', `Nothing is known of ${id.slice(0, 80)}`, {
        hint: 'Ids look like acc_, pln_, act_, qi_ or req_ and twelve characters, or are the number of an activity; requests carry theirs in x-svc-sim-request-id.',
      })
    },
  }),
  defineRoute({
    ...common,
    method: 'get',
    path: '/_sim/coverage',
    summary: 'Which documented answers were met',
    description:
      'Every documented (endpoint, status, code) of the service, and how often it was answered since the start. A reset does not clear it.',
    answers: [
      {
        status: 200,
        description: 'The cells.',
        schema: z
          .strictObject({ met: count, documented: count, cells: z.array(cellSchema) })
          .meta({ id: 'Coverage' }),
        example: { met: 0, documented: 0, cells: [] },
      },
    ],
    errors: [],
    async handler({ deps }) {
      const { cellsOf } = await import('../../coverage.js')
      const cells = cellsOf(deps.coverage, deps.planKinds)
      const met = cells.filter(({ hits }) => hits > 0).length
      return { met, documented: cells.length, cells }
    },
  }),
]

function belongsTo({ url, notes, answer, body }: Exchange, accountId: string): boolean {
  return (
    url.includes(accountId) ||
    (answer?.text?.includes(accountId) ?? false) ||
    (body?.includes(accountId) ?? false) ||
    notes.some(({ text }) => text.includes(`"account_id":"${accountId}"`))
  )
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
}: Exchange) {
  const at = (time: number): string => new Date(time).toISOString()
  return {
    cursor: order,
    at: at(ms),
    request_id: requestId,
    method,
    url,
    headers,
    ...(body === undefined ? {} : { body: jsonOrText(body) }),
    notes: notes.map((each) => ({ at: at(each.ms), ...(JSON.parse(each.text) as Note) })),
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

/** The same without keys and tokens, wherever they stand. */
function masked<T>({ keys, bind }: AppDeps, value: T): T {
  const secrets = [...keys.map(({ key }) => key), bind.controlToken ?? []].flat()
  return redactJson(value, secrets) as T
}
