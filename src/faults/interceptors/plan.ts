import { kindOf } from '../../service/plans/execute/executions.js'
import type { PlanKind } from '../../service/plans/model/kind.js'
import type { PlanAnswer, PlanService } from '../../service/plans/service.js'
import type { FaultSeams } from '../engine/seams.js'
import type { PlanCall } from '../rules/effect.js'

/** The plan service with the seams `plan` and, since plans are made from folios, `folio` around planning. */
export function withPlanFaults<P extends PlanService>(
  plans: P,
  faults: FaultSeams,
  kinds: readonly PlanKind[],
): P {
  const create: PlanService['create'] = (name, account, intent) => {
    if (!faults.hasRules) return plans.create(name, account, intent)
    const facts = { account_id: account.accountId, kind: name }
    const call: PlanCall = { facts, account, kind: kindOf({ kinds }, name), intent }
    const plan = () => plans.create(name, account, intent)
    return faults.intercept(
      'plan',
      call,
      () => faults.intercept('folio', { facts }, plan) as Promise<PlanAnswer>,
    )
  }
  return { ...plans, create }
}
