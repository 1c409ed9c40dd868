import type { NetworkName } from '../chain/networks.js'
import { networkOf } from '../chain/networks.js'
import { ServiceError } from '../errors.js'
import type { OperationRecord } from '../store/store.js'
import type { Action, ActionContext, Draft, PlanKind, PlanWorld, Spend } from './kind.js'
import { nonceSecret, operationNonce } from './nonce.js'
import { deliverable } from './resolve.js'

/** An operation with what it does. */
export interface PlannedOperation {
  operation: OperationRecord
  context: ActionContext
}

/** What fixes the nonces and the expiry of a plan's operations. */
export interface PlanStamp {
  nonceCounts: Record<NetworkName, number>
  /** Unix seconds at which the plan was created. */
  issuedAt: number
}

/** An operation can be executed on chain until this long after the plan was made (service-facts 9.6), in seconds. */
export const operationLifetime = 900

/** Builds the operations of a plan. Pure: the same intent, world and stamp give the same operations, which is how staleness is found. */
export function planOperations(
  kind: PlanKind,
  intent: unknown,
  world: PlanWorld,
  stamp: PlanStamp,
): PlannedOperation[] {
  const draft = kind.build(intent, world)
  return toOperations(source(draft, world), world, stamp)
}

/**
 * Provides for the draft's spending, and returns the actions in execution order. Today all funds must be on the draft's own
 * network; what a bridge brings joins here, as actions of other networks before the draft's own.
 */
function source(draft: Draft, world: PlanWorld): Action[] {
  for (const spend of merged(draft.spends)) {
    const available = deliverable(world, draft.network, spend.token)
    if (available < spend.amount)
      throw new ServiceError(
        'plan_failed',
        `insufficient resources of ${spend.token.symbol} on ${draft.network}: target ${spend.amount}, max ${available}`,
        {
          hint: `the wallet ${world.wallet} holds ${available} of ${spend.token.symbol} on ${draft.network}; fund it or ask for less`,
        },
      )
  }
  return draft.actions
}

function merged(spends: readonly Spend[]): Spend[] {
  const byToken = new Map<string, Spend>()
  for (const spend of spends) {
    const before = byToken.get(spend.token.address)?.amount ?? 0n
    byToken.set(spend.token.address, { token: spend.token, amount: before + spend.amount })
  }
  return [...byToken.values()]
}

function toOperations(
  actions: readonly Action[],
  world: PlanWorld,
  stamp: PlanStamp,
): PlannedOperation[] {
  const used = new Map<NetworkName, number>()
  return actions.map((action) => {
    const index = used.get(action.network) ?? 0
    used.set(action.network, index + 1)
    const secret = nonceSecret(
      networkOf(action.network).chainId,
      world.wallet,
      stamp.nonceCounts[action.network],
    )
    return {
      operation: {
        network: action.network,
        nonce: operationNonce(secret, index),
        isReplayable: false,
        scriptAddress: action.script,
        scriptSources: [],
        scriptCalldata: action.calldata,
        expiry: stamp.issuedAt + operationLifetime,
      },
      context: action.context,
    }
  })
}

/** Whether two builds of a plan would do the same on chain. Contexts may differ: they carry prices of the moment. */
export function sameOperations(
  a: readonly OperationRecord[],
  b: readonly OperationRecord[],
): boolean {
  return (
    a.length === b.length &&
    a.every((left, i) => {
      const right = b[i]!
      return (
        left.network === right.network &&
        left.nonce === right.nonce &&
        left.scriptAddress === right.scriptAddress &&
        left.scriptCalldata === right.scriptCalldata &&
        left.expiry === right.expiry
      )
    })
  )
}
