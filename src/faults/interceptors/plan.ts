import type { PlanAnswer } from '../../service/plans/model/planDetails.js'
import type { PlanAround } from '../../service/plans/pipeline.js'
import type { FaultSeams } from '../engine/seams.js'

/** The seams `plan` and, since plans are made from folios, `folio` around the making of a plan. */
export function planFaults(faults: FaultSeams): PlanAround['faults']['create'] {
  return ({ kind, account, intent }, make) => {
    if (!faults.hasRules) return make()
    const facts = { account_id: account.accountId, kind: kind.kind }
    return faults.intercept(
      'plan',
      { facts, account, kind, intent },
      () => faults.intercept('folio', { facts }, make) as Promise<PlanAnswer>,
    )
  }
}
