import type { Address, Hex } from 'viem'
import { keccak256, toHex } from 'viem/utils'
import { noncesPerSecret } from '../../../chain/state/networkState.js'
import { type NetworkName, networkOf } from '../../../deployments/networks.js'
import { ServiceError } from '../../../lib/errors.js'
import type { OperationRecord } from '../../store/store.js'
import type { PlannedContext } from '../model/contexts.js'
import type { Action, PlanInput, PlanKind, PlanSpend } from '../model/kind.js'
import { sourceFunds } from './funding.js'
import { networkStateOf } from './resolve.js'

export interface PlannedOperation {
  operation: OperationRecord
  context: PlannedContext
}

/** A plan's operations in execution order, and what they spend. */
export interface Planned {
  planned: PlannedOperation[]
  spends: PlanSpend[]
}

/** An operation can be executed on chain until this long after the plan was made (service-facts 9.6), in seconds. */
export const operationLifetime = 900

/**
 * In execution order: immediate operations by chain id, then those that wait for a bridge (service-facts 9.6). Pure: equal intent and input
 * give equal operations, which is how staleness is found. `issuedAt` is when a plan that is built again was made, in Unix seconds of its
 * chain. Throws `MissingNetworkState` when other networks must be read.
 */
export function planOperations(
  kind: PlanKind,
  intent: unknown,
  input: PlanInput,
  issuedAt?: number,
): Planned {
  const draft = kind.build(intent, input)
  // Block time: operations must not have expired on a chain whose time was moved ahead of the clock.
  const made = issuedAt ?? Number(networkStateOf(input, draft.network).timestamp)
  const { immediate, contingent, spends } = sourceFunds(draft, input, made)
  const ordered = immediate.toSorted((a, b) => chainIdOf(a) - chainIdOf(b))
  const planned = toOperations([...ordered, ...contingent], ordered.length, input, made)
  return { planned, spends }
}

function chainIdOf({ network }: Action): number {
  return networkOf(network).chainId
}

/** The first `immediate` actions can run at once; the others wait for a bridge. */
function toOperations(
  actions: readonly Action[],
  immediate: number,
  input: PlanInput,
  issuedAt: number,
): PlannedOperation[] {
  const used = new Map<NetworkName, number>()
  return actions.map((action, position) => {
    const index = used.get(action.network) ?? 0
    used.set(action.network, index + 1)
    if (index === noncesPerSecret)
      throw new ServiceError(
        'plan_failed',
        `the plan takes more than ${noncesPerSecret} operations on ${action.network}; ask for less at once`,
      )
    const { nonceCount } = networkStateOf(input, action.network)
    const secret = nonceSecret(chainIdOf(action), input.wallet, nonceCount)
    return {
      operation: {
        network: action.network,
        nonce: operationNonce(secret, index),
        isReplayable: false,
        scriptAddress: action.script,
        scriptSources: [],
        scriptCalldata: action.calldata,
        expiry: issuedAt + operationLifetime,
        ...(position < immediate ? {} : { contingent: true }),
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
        left.expiry === right.expiry &&
        left.contingent === right.contingent
      )
    })
  )
}

/** How many secrets in a row differ in their last byte alone: the nonce manager keeps what became of them in one slot. */
const groupSize = 256

/**
 * A nonce of a wallet on a network ("nonce secret" of the folio): unordered 32 bytes that follow from how many the wallet has used there, by
 * plans or on chain. Two plans from one state carry the same nonce, so only one of them can run (service-facts 10.5).
 * `contracts/lens/NonceLens.sol` computes the same.
 */
export function nonceSecret(chainId: number, wallet: Address, count: number): Hex {
  const group = Math.floor(count / groupSize)
  const hash = keccak256(toHex(`svc-sim/nonce/${chainId}/${wallet.toLowerCase()}/${group}`))
  return endingIn(hash, (count % groupSize).toString(16).padStart(2, '0'))
}

/** The nonce of the i-th operation of a plan on one network: the secret itself, then the hash of each, with the secret's last byte. */
export function operationNonce(secret: Hex, index: number): Hex {
  let nonce = secret
  for (let i = 0; i < index; i++)
    nonce = endingIn(keccak256(endingIn(nonce, '00')), secret.slice(-2))
  return nonce
}

const endingIn = (nonce: Hex, lastByte: string): Hex => `0x${nonce.slice(2, 64)}${lastByte}`
