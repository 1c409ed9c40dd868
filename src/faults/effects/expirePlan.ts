import type { FaultActor } from '../../service/context/changes.js'
import { isoSeconds } from '../../time/clock.js'
import type { FaultTools, RuleHandle } from '../rules/effect.js'

/** The rule as the ledger names it. */
export function culprit({ id, isCarried }: RuleHandle, effect: string): FaultActor {
  return { by: 'fault', rule: id, effect, ...(isCarried && { carried: true as const }) }
}

/** Makes a plan expire now, and records that it was this rule. Does nothing if there is no such plan, or it has already expired. */
export async function expirePlan(
  { store, clock, ledger, rule }: FaultTools & { rule: RuleHandle },
  { accountId, planId, effect }: { accountId: string; planId: string; effect: string },
): Promise<void> {
  const plan = await store.plan(accountId, planId)
  const now = clock.now()
  if (!plan || plan.expiresAtMs <= now) return
  await store.savePlan({ ...plan, expiresAtMs: now })
  const [before, after] = [isoSeconds(plan.expiresAtMs), isoSeconds(now)]
  ledger.add({ ...culprit(rule, effect), plan_id: planId }, [{ of: 'expiry', before, after }])
}
