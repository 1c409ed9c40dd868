import type { Address } from 'viem'
import { toHex } from 'viem/utils'
import { actors } from '../../deployments/actors.js'
import type { Node } from '../rpc/node.js'

/** 10^27 wei, a thousand million ether: more than gas can ever cost here, far from any overflow. */
const actorBalance = 10n ** 27n

/**
 * Lets the node act for the simulator's own accounts (`actors.ts`) and gives them gas money. Needed after every start,
 * because a saved state remembers balances but not for whom the node may act. All requests run in parallel.
 */
export async function prepareActors(node: Pick<Node, 'rpc'>): Promise<void> {
  await Promise.all(Object.values(actors).map((address) => actFor(node, address, actorBalance)))
}

/** Lets the node act for the simulator's own accounts, should it have been told not to: no snapshot of a chain brings that back. */
export async function actForActors({ rpc }: Pick<Node, 'rpc'>): Promise<void> {
  const known = await rpc.request<Address[]>('eth_accounts')
  const isKnown = new Set(known.map((each) => each.toLowerCase()))
  const missing = Object.values(actors).filter((each) => !isKnown.has(each))
  await Promise.all(missing.map((each) => rpc.request('anvil_impersonateAccount', [each])))
}

/** Lets the node act for an account and gives it this balance of the native token, for gas. */
export async function actFor(
  { rpc }: Pick<Node, 'rpc'>,
  account: Address,
  balance: bigint,
): Promise<void> {
  await Promise.all([
    rpc.request('anvil_impersonateAccount', [account]),
    rpc.request('anvil_setBalance', [account, toHex(balance)]),
  ])
}
