import type { NetworkName } from '../../deployments/networks.js'
import { nextNumbers } from './numbers.js'
import type { RecordStep, StoreState } from './state.js'
import {
  type ActivityRecord,
  activityType,
  type ConsumeResult,
  type EventRecord,
  type NewActivity,
  type PlanRecord,
} from './store.js'

/** Pure: what may follow from a state, and what it looks like. */

/** Who wants to consume a plan, and what for. */
export interface Consumer {
  planId: string
  /** In lower case. */
  wallet: string
  activity: NewActivity
}

/** The plan, or why it cannot be consumed. */
export function consumable(
  { nonceCounts, plans }: StoreState,
  { planId, wallet, activity }: Consumer,
): PlanRecord | Exclude<ConsumeResult, 'consumed'> {
  const plan = plans.get(planId)
  if (plan?.accountId !== activity.accountId) return 'not_found'
  if (plan.expiresAtMs <= activity.createdAtMs) return 'expired'
  const counts = nonceCounts.get(wallet) ?? {}
  const isUsed = planned(plan).some(([network, count]) => (counts[network] ?? 0) > count)
  return isUsed ? 'stale' : plan
}

/** The nonce counts of a wallet when this plan has been consumed: just beyond the plan's on each of its networks. */
export function countsAfter(
  before: PlanRecord['nonceCounts'] | undefined,
  plan: PlanRecord,
): PlanRecord['nonceCounts'] {
  const advanced = planned(plan).map(([network, count]) => [network, count + 1])
  return { ...before, ...Object.fromEntries(advanced) }
}

function planned({ nonceCounts }: PlanRecord): [NetworkName, number][] {
  return Object.entries(nonceCounts) as [NetworkName, number][]
}

/** The activity as the next one, and the steps that give it its numbers. */
export function numbered(
  { numbers }: StoreState,
  activity: NewActivity,
  walletAddress: string,
): { activity: ActivityRecord; steps: RecordStep[] } {
  const { own, last } = nextNumbers(numbers, activity, walletAddress)
  const wallet = walletAddress.toLowerCase()
  const steps: RecordStep[] = [['numbers', last]]
  if (!numbers.wallets.has(wallet)) steps.push(['wallet number', wallet, own.wallet])
  return { activity: { ...activity, numbers: own }, steps }
}

/** The event of this activity. The cursor is the second, as at the service, pushed on where two events would share it. */
export function nextEvent({ events }: StoreState, activity: ActivityRecord): EventRecord {
  const before = events.get(activity.accountId)?.at(-1)
  const timestamp = Math.floor(activity.updatedAtMs / 1000)
  return {
    cursor: Math.max(timestamp, (before?.cursor ?? 0) + 1),
    accountId: activity.accountId,
    eventType: 'activity_updated',
    data: {
      activity_id: activity.activityId,
      activity_type: activityType(activity),
      activity_status: activity.status,
    },
    timestamp,
  }
}
