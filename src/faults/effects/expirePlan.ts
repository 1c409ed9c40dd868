import { isoSeconds } from '../../time/clock.js'
import type { FaultTools, RuleHandle } from '../rules/effect.js'

/** The rule as the record of changes names it. */
export function culprit({ id, isCarried }: RuleHandle, effect: string) {
  return { rule: id, effect, ...(isCarried && { carried: true as const }) }
}

/** Makes a plan expire now, and records that it was this rule. Does nothing if there is no such plan, or it has already expired. */
export async function expirePlan(
  { store, clock, changes, rule }: FaultTools & { rule: RuleHandle },
  { accountId, planId, effect }: { accountId: string; planId: string; effect: string },
): Promise<void> {
  const plan = await store.plan(accountId, planId)
  const now = clock.now()
  if (!plan || plan.expiresAtMs <= now) return
  await store.savePlan({ ...plan, expiresAtMs: now })
  changes.add({
    cause: 'fault',
    ...culprit(rule, effect),
    plan_id: planId,
    changed: 'expiry',
    before: isoSeconds(plan.expiresAtMs),
    after: isoSeconds(now),
    hashes: [],
  })
}
