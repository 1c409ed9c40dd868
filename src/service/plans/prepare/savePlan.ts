import type { Ids } from '../../../lib/ids.js'
import { withTextAmounts } from '../../../lib/textAmounts.js'
import { isoSeconds } from '../../../time/clock.js'
import { balanceKey, type ChangeRecord } from '../../context/changes.js'
import { note } from '../../context/requestContext.js'
import type { PlanRecord, Store } from '../../store/store.js'
import type { PlanAnswer } from '../model/planDetails.js'
import type { Signing } from './approve.js'
import type { Assembled, PlanRequest, PlanSources } from './assemble.js'

/** A plan lives two minutes (interface.md, "Limits"). */
const planLifetimeMs = 120_000

/** What it takes to keep a plan. */
export interface SaveParts extends PlanSources {
  ids: Ids
  store: Store
  changes: ChangeRecord
}

/** What the steps before have found. */
export interface Approved {
  built: Assembled
  signing: Signing
  /** When the plan was begun: whole seconds, so that `expires_at` says the very instant. Milliseconds. */
  createdAtMs: number
  /** Where the record of changes stood before the chains were read. */
  from: ReturnType<ChangeRecord['position']>
}

/** Stores a plan and what it was made from; resolves to its answer. */
export async function savePlan(
  { ids, store, clock, changes }: SaveParts,
  { kind, intent, account }: PlanRequest,
  { built, signing, createdAtMs, from }: Approved,
): Promise<PlanAnswer> {
  const { planned, spends, quotes, rewards, states } = built
  const operations = planned.map((item) => item.operation)
  const { digest, details } = signing
  const plan: PlanRecord = {
    planId: ids.plan(),
    accountId: account.accountId,
    kind: kind.kind,
    intent: withTextAmounts(intent),
    quotes: withTextAmounts(quotes),
    rewards: withTextAmounts(rewards),
    details,
    operations,
    spends,
    digest: digest.digest,
    nonceCounts: Object.fromEntries(
      operations.map(({ network }) => [network, states.get(network)!.nonceCount]),
    ),
    createdAtMs,
    expiresAtMs: createdAtMs + planLifetimeMs,
  }
  await store.dropExpiredPlans(clock.now())
  await store.savePlan(plan)
  const seen = spends.flatMap(({ network, symbol }) => {
    const held = states.get(network)?.balances.get(symbol)
    return held === undefined ? [] : [[balanceKey(network, symbol), `${held}`] as const]
  })
  changes.planMade(plan.planId, { from, seen: Object.fromEntries(seen) })
  const { planId: plan_id, accountId: account_id } = plan
  note({ type: 'plan', plan_id, account_id, kind: kind.kind, digest: plan.digest, operations })
  return { plan_id, details, expires_at: isoSeconds(plan.expiresAtMs) }
}
