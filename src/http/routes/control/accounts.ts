import { z } from 'zod'
import { networks } from '../../../deployments/networks.js'
import type { RuleView } from '../../../faults/rules/faultRules.js'
import { rulesStopping } from '../../../faults/rules/stoppages.js'
import { ServiceError } from '../../../lib/errors.js'
import { count, unixMilliseconds, unixSecondsField } from '../../../lib/scalars.js'
import { usdText } from '../../../service/folio/numbers.js'
import { folioSchema } from '../../../service/folio/schema.js'
import type { ActivityItem } from '../../../service/plans/model/activityItem.js'
import {
  type AccountRecord,
  type ActivityRecord,
  activityType,
  type EventRecord,
} from '../../../service/store/store.js'
import { isoSeconds } from '../../../time/clock.js'
import { controlRoute, type Route } from '../../core/route.js'
import { activityStatus, integerParameter } from '../../openapi/fields.js'
import { accountSchema } from '../../openapi/schemas.js'
import { accountWire, partOf } from '../accounts.js'

const query = z.object({
  limit: integerParameter('Maximum number of sub-accounts.', { min: 1, max: 1_000 }).default(100),
  after: z
    .string({ error: 'must be the account_id of a sub-account, given once' })
    .meta({ description: 'Only sub-accounts after this account_id.' })
    .optional(),
  order: z
    .enum(['oldest', 'newest'], { error: 'must be oldest or newest, given once' })
    .meta({ description: 'Which sub-accounts come first.' })
    .default('oldest'),
  q: z
    .string({ error: 'must be a text, given once' })
    .meta({
      description:
        'Only sub-accounts with this text in an id or address (account, prime account, signer or wallet), in any casing.',
    })
    .optional(),
})

/** Adds the owner. */
const foundAccountSchema = accountSchema
  .extend({ prime_account_id: z.string().meta({ description: 'As in `GET /prime_account`.' }) })
  .meta({ id: 'AccountOfAny' })

export const allAccountsRoutes: readonly Route[] = [
  controlRoute({
    operationId: 'listAllAccounts',
    method: 'get',
    path: '/_sim/accounts',
    isUnjournaled: true,
    summary: 'Find sub-accounts',
    description:
      'Lists the sub-accounts of all prime accounts, oldest first by default. For the next page, pass the last `account_id` as `after`.',
    query,
    answer: {
      description: 'One page, and the total number found.',
      schema: z.strictObject({ accounts: z.array(foundAccountSchema), total: count }),
    },
    errors: [
      {
        code: 'invalid_params',
        when: '`limit` is out of bounds, `order` is unknown, or `after` is not the account_id of a match',
      },
    ],
    async handler({ deps, query: { q, order, ...part } }) {
      const all = (await deps.service.store.allAccounts()).filter((account) => has(account, q))
      const ordered = order === 'newest' ? all.toReversed() : all
      const accounts = partOf(ordered, part).map((account) => ({
        ...accountWire(account),
        prime_account_id: account.primeId,
      }))
      return { accounts, total: ordered.length }
    },
  }),
]

function has(
  { accountId, primeId, signerAddress, walletAddress }: AccountRecord,
  wanted = '',
): boolean {
  const sought = wanted.toLowerCase()
  return [accountId, primeId, signerAddress, walletAddress].some((text) =>
    text.toLowerCase().includes(sought),
  )
}

const typeField = z.enum(['svc_operation_executed', 'exogenous'])

const viewSchema = z
  .strictObject({
    account: foundAccountSchema,
    api_key: z.string().nullable().meta({
      description: 'A key that gives access to it; null when all are revoked.',
    }),
    folio: folioSchema.nullable().meta({
      description: 'From the networks that respond, regardless of faults; null when none does.',
    }),
    missing: z
      .array(z.strictObject({ network: z.string(), problem: z.string() }))
      .meta({ description: 'Networks that do not respond within 2 s; the folio omits them.' }),
    values: z
      .array(
        z.strictObject({
          unix_ms: unixMilliseconds,
          usd: z.string().meta({ description: 'Plain decimal with at most 8 places.' }),
        }),
      )
      .meta({
        description:
          'What the sub-account was worth over service time, oldest first: at each read of its whole folio and, while a dashboard is open or a trace is kept, after each of its events. At most 400 points.',
      }),
    activities: z
      .array(
        z.strictObject({
          activity_id: z.string(),
          plan_id: z.string().nullable(),
          activity_type: typeField,
          activity_status: activityStatus,
          occurred_at: z.string(),
          updated_at: z.string(),
          items: z.array(
            z.strictObject({
              action_type: z.string(),
              network: z.string(),
              action_context: z.record(z.string(), z.unknown()).meta({
                description:
                  'As in the activity; of what is done, with the amounts that really moved.',
              }),
              state: z.enum(['pending', 'done', 'arrived in part', 'failed', 'not run']),
            }),
          ),
        }),
      )
      .meta({ description: 'Newest first, abridged.' }),
    events: z
      .array(
        z.strictObject({
          cursor: count,
          activity_id: z.string(),
          activity_status: activityStatus,
          timestamp: unixSecondsField,
        }),
      )
      .meta({ description: 'Newest first.' }),
  })
  .meta({ id: 'AccountView' })

/** The most activities, and the most events, in a response. */
const shownEntries = 200

const activityOf = (activity: ActivityRecord) => ({
  activity_id: activity.activityId,
  plan_id: activity.planId,
  activity_type: activityType(activity),
  activity_status: activity.status,
  occurred_at: isoSeconds(activity.createdAtMs),
  updated_at: isoSeconds(activity.updatedAtMs),
  items: activity.metadata.map((item) => {
    const fill = item.action_type === 'BRIDGE_MINT' ? item : undefined
    const came = fill?.observed_context
    const isShort = came && came.output_amount !== fill?.action_context.output_amount
    const done = 'observed_context' in item && item.success ? item.observed_context : undefined
    return {
      action_type: item.action_type,
      action_context: { ...(done ?? item.action_context) },
      state: isShort ? ('arrived in part' as const) : stateOf(item),
      network:
        networks.find(({ chainId }) => chainId === item.chain_id)?.name ?? String(item.chain_id),
    }
  }),
})

function stateOf({ success, revert_reason }: Pick<ActivityItem, 'success' | 'revert_reason'>) {
  if (success !== false) return success ? ('done' as const) : ('pending' as const)
  const isNotRun = revert_reason?.startsWith('not run: ')
  return isNotRun ? ('not run' as const) : ('failed' as const)
}

/** The main fields of an event. */
export const eventOf = ({ cursor, data, timestamp }: Omit<EventRecord, 'accountId'>) => ({
  cursor,
  activity_id: data.activity_id,
  activity_status: data.activity_status,
  timestamp,
})

/** The problem of a network that fault rules have stopped. */
function stoppedBy(network: string, rules: readonly RuleView[]): { problem?: string } {
  const stopping = rulesStopping(rules, [network]).filter(({ effect }) => effect === 'chain.down')
  if (stopping.length === 0) return {}
  return { problem: `${stopping.map(({ name }) => name).join(' and ')} stopped its node` }
}

export const accountViewRoutes: readonly Route[] = [
  controlRoute({
    operationId: 'inspectAccount',
    method: 'get',
    path: '/_sim/accounts/:id',
    isUnjournaled: true,
    summary: 'Inspect a sub-account',
    description:
      'Returns the folio, activities and events of a sub-account of any prime account. Read-only: faults ignore it and the journal omits it.',
    answer: {
      description: `The sub-account, with its newest ${shownEntries} activities and events.`,
      schema: viewSchema,
    },
    errors: [
      {
        code: 'not_found',
        when: 'no prime account has such a sub-account',
      },
    ],
    async handler({ deps, req }) {
      const { store } = deps.service
      const id = String(req.params.id)
      const account = (await store.allAccounts()).find(({ accountId }) => accountId === id)
      if (!account) throw new ServiceError('not_found', `There is no account ${id.slice(0, 80)}`)
      const [read, activities, events] = await Promise.all([
        deps.control.folio.look(account),
        store.activities(id),
        store.events(id, 0),
      ])
      const key = deps.access.keys.find((each) => each.primeId === account.primeId && !each.revoked)
      const rules = deps.faults.list()
      return {
        account: { ...accountWire(account), prime_account_id: account.primeId },
        api_key: key?.key ?? null,
        ...read,
        missing: read.missing.map((each) => ({ ...each, ...stoppedBy(each.network, rules) })),
        values: deps.control.values
          .of(id)
          .map(({ ms, usd }) => ({ unix_ms: ms, usd: usdText(usd) })),
        activities: activities.slice(0, shownEntries).map(activityOf),
        events: events.slice(-shownEntries).reverse().map(eventOf),
      }
    },
  }),
]
