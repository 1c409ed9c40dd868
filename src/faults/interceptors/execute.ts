import { networks } from '../../deployments/networks.js'
import { currentScope, type RequestScope } from '../../service/context/requestContext.js'
import { sendPlan } from '../../service/plans/execute/execution.js'
import { kindOf } from '../../service/plans/execute/executions.js'
import type { PlanLifecycle } from '../../service/plans/lifecycle.js'
import { namesIn } from '../../service/plans/model/fields.js'
import type { PlanKind } from '../../service/plans/model/kind.js'
import type { PlanRecord, Store } from '../../service/store/store.js'
import type { FaultSeams } from '../engine/seams.js'
import type { ExecuteCall, FaultFacts } from '../rules/effect.js'

/**
 * On whose behalf accounts execute, by account id. A deposit is mostly noticed by its log, which belongs to no request; so the
 * rule in a request's header finds the bridges of its plan.
 */
export type ExecutingAccounts = Map<string, RequestScope>

/** The plan service with the seam `execute` around it, and `chain.confirmed` at the end of each execution. */
export function withExecuteFaults(
  plans: PlanLifecycle,
  faults: FaultSeams,
  parts: { store: Store; callers: ExecutingAccounts; kinds: readonly PlanKind[] },
): PlanLifecycle {
  const { store, callers, kinds } = parts
  return {
    ...plans,
    async execute(account, request) {
      if (!faults.hasRules) return plans.execute(account, request)
      const plan = await store.plan(account.accountId, request.planId)
      // Nothing is executed, so nothing can go wrong with it: a rule does not count that.
      if (!plan) return plans.execute(account, request)
      const scope = currentScope()
      if (scope) callers.set(account.accountId, scope)
      const facts = factsOf(plan, kinds)
      const { signature } = request
      const call: ExecuteCall = {
        facts,
        account,
        request: { ...request },
        signature,
        interceptSend: [],
      }
      return faults.intercept('execute', call, () =>
        plans.execute(account, call.request, {
          send: call.interceptSend.reduceRight((send, intercept) => intercept(send), sendPlan),
          ended: async (activityId) => {
            if (callers.get(account.accountId) === scope) callers.delete(account.accountId)
            const activity = await store.activity(account.accountId, activityId)
            if (activity?.status !== 'confirmed') return
            const mined = new Map(
              activity.metadata.flatMap(({ svc_operation_nonce, chain_id, transaction_hash }) =>
                svc_operation_nonce && transaction_hash ? [[chain_id, transaction_hash]] : [],
              ),
            )
            for (const [chainId, hash] of mined) {
              const network = networks.find((each) => each.chainId === chainId)!.name
              const confirmed = { facts: { ...facts, network }, network, hash }
              await faults.intercept('chain.confirmed', confirmed, async () => undefined)
            }
          },
        }),
      )
    },
  }
}

function factsOf(
  { accountId, kind, operations, intent }: PlanRecord,
  kinds: readonly PlanKind[],
): FaultFacts {
  return {
    account_id: accountId,
    kind,
    network: [...new Set(operations.map((operation) => operation.network))],
    asset: namesIn('asset', kindOf({ kinds }, kind).schema, intent),
  }
}
