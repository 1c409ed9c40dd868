import { actors } from '../deployments/actors.js'
import type { Node } from './node.js'

/** 10^27 wei, a thousand million ether: more than gas can ever cost here, far from any overflow. */
const actorBalance = `0x${(10n ** 27n).toString(16)}`

/**
 * Lets the node act for the simulator's own accounts (`actors.ts`) and gives them gas money. Needed after every start,
 * because a saved state remembers balances but not for whom the node may act. All requests run in parallel.
 */
export async function prepareActors(node: Pick<Node, 'rpc'>): Promise<void> {
  await Promise.all(
    Object.values(actors).flatMap((address) => [
      node.rpc.request('anvil_impersonateAccount', [address]),
      node.rpc.request('anvil_setBalance', [address, actorBalance]),
    ]),
  )
}
