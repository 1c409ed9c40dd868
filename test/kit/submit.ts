import type { Address, Hex } from 'viem'
import { sign } from 'viem/accounts'
import {
  encodeExecution,
  operationDigest,
  type SignedOperation,
} from '../../src/chain/wallet/wallet.js'
import { actors } from '../../src/deployments/actors.js'
import { networks } from '../../src/deployments/networks.js'
import type { SimulatorHandle } from '../../src/index.js'
import { readsOf } from './chainReads.js'
import type { openUser, PlanBody } from './user.js'

/**
 * Submits signed operations of a plan as a third party may, without the service: whoever has the operation and the signature.
 * `which` picks operations of one network by their index in the plan; all when absent.
 */
export async function submitBehindItsBack(
  sim: SimulatorHandle,
  user: Awaited<ReturnType<typeof openUser>>,
  plan: PlanBody,
  which?: readonly number[],
): Promise<void> {
  const all = plan.details.svc_operation_actions.map(({ operation, action }) => ({
    chainId: Number(action.action_context.chain_id),
    operation: signedOperation(operation),
  }))
  const digests = all.map(
    ({ chainId, operation }) => operationDigest(operation, chainId, user.wallet).digest,
  )
  const chosen = which?.map((index) => all[index]!) ?? all
  const { name } = networks.find(({ chainId }) => chainId === chosen[0]!.chainId)!
  const hash = plan.details.eip712_data.digest
  const call = encodeExecution({
    signer: user.signer.toLowerCase() as Address,
    operations: chosen.map(({ operation }) => operation),
    opDigests: all.length > 1 ? digests : undefined,
    signature: await sign({ hash, privateKey: user.key, to: 'hex' }),
  })
  await readsOf(sim).sendAs(name, actors.admin, call)
}

function signedOperation(wire: Record<string, unknown>): SignedOperation {
  return {
    nonce: wire.nonce as Hex,
    isReplayable: wire.is_replayable as boolean,
    scriptAddress: wire.script_address as Address,
    scriptSources: wire.script_sources as Hex[],
    scriptCalldata: wire.script_calldata as Hex,
    expiry: Number(wire.expiry),
  }
}
