import { z } from 'zod'
import { ServiceError } from '../../../lib/errors.js'
import { explain, knowsRule } from '../../../observe/journal/why.js'
import { type Why, type WhySources, whySchema } from '../../../observe/journal/whySchema.js'
import { redacted } from '../../core/apiKeys.js'
import { controlRoute, type Route } from '../../core/route.js'
import { integerParameter } from '../../openapi/fields.js'

export const whyRoutes: readonly Route[] = [
  controlRoute({
    operationId: 'explain',
    method: 'get',
    settles: 'briefly',
    path: '/_sim/why/:id',
    isUnjournaled: true,
    summary: 'Explain what happened',
    description:
      'Returns one timeline for an account, plan, activity (`act_` id or number), intent, request, transaction hash or fault rule, and in `now` what became of it. The timeline has the requests and responses, the plan’s decoded operations, signatures, transactions with decoded logs and revert reasons, bridge fills, events, and the faults that fired.',
    query: z.object({
      cursor: integerParameter(
        'With a seed and a frozen clock, an id comes again after a reset or restore: this selects the life of this cursor of the journal. Without it, the present life is shown, or else the newest.',
      ).optional(),
    }),
    answer: {
      description: 'The timeline.',
      schema: whySchema,
    },
    errors: [
      {
        code: 'not_found',
        when: 'neither the journal nor the store knows the id',
      },
      { code: 'invalid_params', when: 'cursor is malformed' },
    ],
    async handler({ deps, req, query }) {
      const id = String(req.params.id)
      refuseLong(id)
      const { store, book } = deps.service
      const { journal } = deps.records
      const primeIds = deps.access.keys.map((key) => key.primeId)
      const [rules, nowMs] = [deps.faults.list(), deps.timing.clock.now()]
      const { inspect } = deps.chains
      const switches = deps.chains.switches()
      const { staleNow, shortNow, expectedFill } = deps.control
      const unread = await store.unread()
      const known = { journal, store, book, primeIds, rules, unread, switches, nowMs, inspect }
      const sources = { ...known, staleNow, shortNow, expectedFill }
      const why = await whyOf(id, sources, query.cursor)
      if (why) return redacted(deps, why)
      throw new ServiceError('not_found', `Nothing is known of ${id.slice(0, 80)}`, {
        hint: 'Requests, and plans that expired without having been executed, are known from the journal alone: it begins at each start, also with a data folder, and drops its oldest requests. Ids are acc_, pln_, act_, qi_ or req_ and twelve or more characters, the number of an activity, a transaction hash, or the id of a fault rule. The id of a request is in its header x-svc-sim-request-id.',
      })
    },
  }),
]

/** Longer than any id by far. */
const maxIdLength = 66

function refuseLong(id: string): void {
  if (id.length <= maxIdLength) return
  throw new ServiceError(
    'invalid_params',
    `An id has at most ${maxIdLength} characters, but this one has ${id.length}`,
  )
}

/** A text that occurs elsewhere for other reasons is searched only as the id of a fault rule. */
async function whyOf(id: string, sources: WhySources, near?: number): Promise<Why | undefined> {
  if (/^0x[0-9a-fA-F]{64}$/.test(id)) {
    const { explainTransaction } = await import('../../../observe/journal/whyTransaction.js')
    return explainTransaction(id, sources)
  }
  const isId = /^(acc|pln|act|qi|req)_[0-9A-Za-z]{12,32}$/.test(id) || /^[1-9][0-9]*$/.test(id)
  return isId || knowsRule(id, sources) ? explain(id, sources, near) : undefined
}
