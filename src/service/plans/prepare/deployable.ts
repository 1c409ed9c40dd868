import type { Address, Hex } from 'viem'
import type { Node, Nodes } from '../../../chain/rpc/node.js'
import type { PlannedOperation } from '../assembly/planner.js'
import type { PlanInput } from '../model/kind.js'

/**
 * Why a wallet cannot be deployed where the plan needs it, or undefined. No contract can come to an address that has sent a transaction
 * (EIP-7610): of a wallet's that can be done by impersonating it over JSON-RPC, before its first plan there.
 */
export async function undeployable(
  { nodes }: { nodes: Nodes },
  wallet: Address,
  planned: readonly PlannedOperation[],
  states: PlanInput['states'],
): Promise<string | undefined> {
  const networks = [...new Set(planned.map(({ operation }) => operation.network))]
  const reasons = await Promise.all(
    networks
      .filter((network) => !states.get(network)?.isDeployed)
      .map((network) => reasonOn(nodes.get(network), wallet)),
  )
  return reasons.find((reason) => reason !== undefined)
}

async function reasonOn({ network, rpc }: Node, wallet: Address): Promise<string | undefined> {
  const nonce = Number(await rpc.request<Hex>('eth_getTransactionCount', [wallet, 'pending']))
  if (nonce === 0) return undefined
  return `the wallet cannot be deployed on ${network}: its address has sent ${nonce} transaction${nonce === 1 ? '' : 's'} there before it was`
}
