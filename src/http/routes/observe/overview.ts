import pTimeout from 'p-timeout'
import { z } from 'zod'
import type { PriceBoard } from '../../../control/priceBoard.js'
import { type NetworkName, networkNames } from '../../../deployments/networks.js'
import { ruleViewSchema } from '../../../faults/rules/view.js'
import { chainId, count, unixMilliseconds, unixSecondsField } from '../../../lib/scalars.js'
import { lostBefore } from '../../../observe/journal/executedBefore.js'
import { lastReset, refusedIn } from '../../../observe/journal/journal.js'
import { livesOf } from '../../../observe/journal/lives.js'
import { markSchema, markWire } from '../../../observe/journal/page.js'
import { planEnds } from '../../../observe/journal/planEnds.js'
import { bridgedFundsOf } from '../../../service/activities/bridged.js'
import { usdText } from '../../../service/folio/numbers.js'
import type { ActivityRecord, PlanRecord, Store } from '../../../service/store/store.js'
import { isoSeconds } from '../../../time/clock.js'
import { controlRoute, type Route } from '../../core/route.js'
import type { AppDeps } from '../../core/types.js'
import { activityStatus } from '../../openapi/fields.js'
import { eventOf } from '../control/accounts.js'
import { clockSchema, clockWire } from '../control/clock.js'
import { pricesWire } from '../control/prices.js'
import { snapshotSchema, snapshotWire } from '../control/snapshots.js'

/** A node that has not answered by then leaves its part of the answer empty. Milliseconds. */
const answerWithinMs = 2_000

/** The newest open plans, which are checked as their execution would be. */
const plansChecked = 20

/** The newest plans, which are searched for those that ended. */
const endedSearched = 500

/** The most activities that are searched for bridges. */
const activitiesLookedAt = 200
const accountsShown = 8
const eventsShown = 14

const overviewSchema = z
  .strictObject({
    clock: clockSchema,
    faults: z.array(ruleViewSchema),
    snapshots: z.array(snapshotSchema),
    prices: z
      .record(z.string(), z.string())
      .nullable()
      .meta({ description: 'As in `GET /_sim/prices`; null when no node can report them.' }),
    api_keys: z
      .array(z.string())
      .meta({ description: 'The accepted keys, each of a separate prime account.' }),
    networks: z.array(
      z.strictObject({
        network: z.enum(networkNames),
        chain_id: chainId,
        ready: z.boolean(),
        error: z.string().nullable().meta({ description: 'Why it is not ready.' }),
        mining: z.string().nullable().meta({
          description:
            'As in `GET /health/ready`; null while it mines each transaction at once, or a fault halts it.',
        }),
        forked_from: z
          .string()
          .nullable()
          .meta({ description: 'The host of the endpoint; null when it is offline.' }),
        height: count.nullable().meta({ description: 'Null when the node does not answer.' }),
        time: z.string().nullable().meta({ description: 'Time of the latest block.' }),
      }),
    ),
    plans: z
      .array(
        z.strictObject({
          plan_id: z.string(),
          account_id: z.string(),
          kind: z.string(),
          created_at: z.string(),
          expires_at: z.string(),
          is_stale: z.boolean().meta({
            description: `Its execution would be refused as stale now. All reasons are checked for the newest ${plansChecked}; for older ones, only whether another plan of the wallet has taken the nonce.`,
          }),
        }),
      )
      .meta({ description: 'Plans that are neither executed nor expired, oldest first.' }),
    ended_plans: z
      .array(z.strictObject({ plan_id: z.string(), outcome: z.enum(['expired', 'stale', 'gone']) }))
      .meta({
        description: `Of the newest ${endedSearched} plans of the journal, those that ended without having been executed: their time is over, their execution was refused as stale, or a reset or restore took them. The same word as in \`GET /_sim/why/{id}\`.`,
      }),
    present: z.array(z.strictObject({ after: count, until: count.nullable() })).meta({
      description:
        'The stretches of the journal that led to the present state, by cursors, the newest first: each after `after`, and up to `until` (null: all that follows). A restore or reset has undone everything else.',
    }),
    last_reset: markSchema.nullable().meta({
      description:
        'Requests up to it can be neither saved as a test nor forked. Null when nothing was reset.',
    }),
    bridges: z
      .array(
        z.strictObject({
          activity_id: z.string(),
          account_id: z.string(),
          from: z.enum(networkNames),
          to: z.enum(networkNames),
          asset: z.string(),
          sent: z.string().meta({
            description: 'What was deposited and is refunded without a fill, in the smallest unit.',
          }),
          amount: z.string().meta({ description: 'What is to arrive, in the smallest unit.' }),
          delivers: z.string().nullable().meta({
            description:
              'What its fill is going to pay, in the smallest unit: less than `amount` by a fault rule. Null once it has ended, and in a trace.',
          }),
          arrived: z.string().nullable().meta({
            description: 'What has arrived, in the smallest unit; null while it is in flight.',
          }),
          status: z.enum(['in flight', 'filled', 'filled in part', 'refunded']),
          since: z.string().meta({ description: 'Time of the deposit.' }),
          fills_at: z.string().nullable().meta({
            description:
              'When it is going to be filled; null while that is open, once it has ended, and in a trace.',
          }),
          waits_for: z.string().nullable().meta({
            description:
              'What it waits for while the time of its fill is open: fault rules, or a transaction.',
          }),
          deadline: z.string().nullable().meta({
            description: 'The last second in which it can be filled.',
          }),
          until: z.string().nullable().meta({
            description:
              'When the deposit is back unless it is filled: the second after its deadline, or the end of a longer delay by a fault rule. Null while that is open, as when its fill waits to be mined, once it has ended, and in a trace.',
          }),
        }),
      )
      .meta({
        description: `Bridges of the newest ${activitiesLookedAt} activities, newest first.`,
      }),
    failed: z
      .array(
        z.strictObject({
          activity_id: z.string(),
          account_id: z.string(),
          at: z.string(),
          reasons: z.array(z.string()).meta({ description: 'As in `GET /_sim/why/{id}`.' }),
        }),
      )
      .meta({ description: 'Failed activities among these, newest first.' }),
    repeated: z
      .array(z.strictObject({ activity_id: z.string(), account_id: z.string(), at: z.string() }))
      .meta({
        description:
          'Confirmed activities among these that did again what an earlier one had done whose response was lost, newest first.',
      }),
    failures: count.meta({
      description:
        'How many activities failed or did again what another had done, and how many requests to the service were refused or cut, without those that a restore or reset has undone.',
    }),
    events: z
      .array(
        z.strictObject({
          account_id: z.string(),
          cursor: count,
          activity_id: z.string(),
          activity_status: activityStatus,
          timestamp: unixSecondsField,
        }),
      )
      .meta({
        description: `The newest ${eventsShown} events of the accounts of these activities, newest first.`,
      }),
    accounts: z
      .array(
        z.strictObject({
          account_id: z.string(),
          usd: z.string().meta({ description: 'As in `values` of `GET /_sim/accounts/{id}`.' }),
          unix_ms: unixMilliseconds,
        }),
      )
      .meta({
        description: `The ${accountsShown} sub-accounts that were worth most when last recorded.`,
      }),
  })
  .meta({ id: 'Overview' })

export const overviewRoutes: readonly Route[] = [
  controlRoute({
    operationId: 'getOverview',
    method: 'get',
    path: '/_sim/overview',
    isUnjournaled: true,
    summary: 'Read the overview',
    description:
      'Returns the clock, networks, open plans, bridges, accounts by value, faults, snapshots, prices and API keys in one response, even when nodes are down. The dashboard loads it first, then follows `GET /_sim/stream`. For a leased world, use `/_sim/worlds/ID/overview`.',
    locks: 'none',
    answer: {
      description: 'The overview.',
      schema: overviewSchema,
    },
    async handler({ deps }) {
      const { access, chains, control, service, timing } = deps
      const reset = lastReset(deps.records.journal.marks())
      const [readiness, heads, prices, plans, all] = await Promise.all([
        chains.readiness(),
        chains.heads(),
        pricesWithin(control.prices),
        service.store.openPlans(timing.clock.now()),
        service.store.newestActivities(Number.POSITIVE_INFINITY),
        pTimeout(control.values.settled(), { milliseconds: answerWithinMs, fallback() {} }),
      ])
      const { journal } = deps.records
      const activities = all.slice(0, activitiesLookedAt)
      const ends = planEnds(journal, timing.clock.now(), { most: endedSearched })
      const stale = await stalePlansOf(deps, plans)
      const isStale = (planId: string) => stale.get(planId) ?? ends.get(planId)?.outcome === 'stale'
      const open = new Set(plans.map(({ planId }) => planId))
      return {
        clock: clockWire(control.timekeeper.time()),
        faults: deps.faults.list(),
        snapshots: control.snapshots.list().map(snapshotWire),
        prices,
        api_keys: access.keys.filter(({ revoked }) => !revoked).map(({ key }) => key),
        networks: networkNames.map((network) => {
          const { chain_id, ready, error = null, mining = null, fork } = readiness.networks[network]
          const block = heads.find((head) => head.network === network)?.block
          return {
            network,
            chain_id,
            ready,
            error,
            mining,
            forked_from: fork?.host ?? null,
            height: block?.number ?? null,
            time: block ? isoSeconds(block.unixSeconds * 1000) : null,
          }
        }),
        plans: plans.map(({ planId, accountId, kind, createdAtMs, expiresAtMs }) => ({
          plan_id: planId,
          account_id: accountId,
          kind,
          created_at: isoSeconds(createdAtMs),
          expires_at: isoSeconds(expiresAtMs),
          is_stale: isStale(planId),
        })),
        // A plan that was refused as stale may be executable again.
        ended_plans: [...ends]
          .filter(([planId]) => !open.has(planId) || isStale(planId))
          .map(([plan_id, { outcome }]) => ({ plan_id, outcome })),
        present: livesOf(journal.marks())
          .lineTo(Number.POSITIVE_INFINITY)
          .spans.map(({ from, to }) => ({
            after: from,
            until: Number.isFinite(to) ? to : null,
          })),
        last_reset: reset ? markWire(reset) : null,
        bridges: bridgedFundsOf(activities, control.expectedFill),
        ...(await failuresOf(deps, all)),
        events: await newestEvents(service.store, activities),
        accounts: [...control.values.latest()]
          .sort(([, one], [, other]) => (one.usd < other.usd ? 1 : -1))
          .slice(0, accountsShown)
          .map(([account_id, { ms, usd }]) => ({ account_id, usd: usdText(usd), unix_ms: ms })),
      }
    },
  }),
]

/** What the dashboard lists as failed, from all activities, newest first. */
async function failuresOf({ service, records }: AppDeps, all: readonly ActivityRecord[]) {
  const unread = await service.store.unread()
  const statuses = new Map(all.map(({ activityId, status }) => [activityId, status]))
  const hasFailed = ({ status }: ActivityRecord): boolean => status === 'failed'
  const isRepeated = (each: ActivityRecord): boolean =>
    lostBefore(each, (id) => statuses.get(id), unread).length > 0
  const endOf = ({ activityId, accountId, updatedAtMs }: ActivityRecord) => ({
    activity_id: activityId,
    account_id: accountId,
    at: isoSeconds(updatedAtMs),
  })
  const newest = all.slice(0, activitiesLookedAt)
  const { journal } = records
  const refused = refusedIn({ exchanges: journal.all(), marks: journal.marks() })
  return {
    failed: newest.filter(hasFailed).map((each) => ({
      ...endOf(each),
      reasons: each.metadata.flatMap(({ revert_reason }) => revert_reason ?? []),
    })),
    repeated: newest.filter(isRepeated).map(endOf),
    failures: all.filter((each) => hasFailed(each) || isRepeated(each)).length + refused.length,
  }
}

/** Which plans would be refused as stale now; undefined where the nodes do not say so in time. */
async function stalePlansOf(
  { service: { store }, control }: AppDeps,
  plans: readonly PlanRecord[],
): Promise<ReadonlyMap<string, boolean | undefined>> {
  if (plans.length === 0) return new Map()
  const accounts = new Map((await store.allAccounts()).map((each) => [each.accountId, each]))
  const checked = new Set(plans.slice(-plansChecked))
  const isStale = async (plan: PlanRecord): Promise<boolean | undefined> => {
    const account = accounts.get(plan.accountId)
    if (!account) return undefined
    const counts = await store.nonceCounts(account.walletAddress)
    const isUsed = Object.entries(plan.nonceCounts).some(
      ([network, count]) => counts[network as NetworkName] > count,
    )
    if (isUsed) return true
    if (!checked.has(plan)) return undefined
    const asked = control.staleNow(account, plan)
    const now = await pTimeout(asked, { milliseconds: answerWithinMs, fallback: () => undefined })
    return now && now.cause !== undefined
  }
  const found = plans.map(async (plan) => [plan.planId, await isStale(plan)] as const)
  return new Map(await Promise.all(found))
}

/** Those that each of the accounts has; other accounts have had none for long. */
async function newestEvents(store: Store, activities: readonly ActivityRecord[]) {
  const ids = [...new Set(activities.map(({ accountId }) => accountId))]
  const events = await Promise.all(ids.map((id) => store.events(id, 0)))
  return events
    .flatMap((all) => all.slice(-eventsShown))
    .sort(
      (one, other) =>
        other.timestamp - one.timestamp ||
        (other.order ?? 0) - (one.order ?? 0) ||
        other.cursor - one.cursor,
    )
    .slice(0, eventsShown)
    .map(({ accountId, ...event }) => ({ account_id: accountId, ...eventOf(event) }))
}

/** Null if the node fails or hangs. */
async function pricesWithin(board: PriceBoard): Promise<Record<string, string> | null> {
  const prices = board.all().then(pricesWire, () => null)
  return pTimeout(prices, { milliseconds: answerWithinMs, fallback: () => null })
}
