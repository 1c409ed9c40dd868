import type { Address } from 'viem'
import { toHex } from 'viem/utils'
import { actors } from '../../deployments/actors.js'
import type { Node } from '../rpc/node.js'

/** 10^27 wei, a thousand million ether: more than gas can ever cost here, far from any overflow. */
const actorBalance = 10n ** 27n

/**
 * Gives the simulator's own accounts gas money. Needed after every start, since a fork has none for them. All requests run in
 * parallel.
 */
export async function prepareActors({ rpc }: Pick<Node, 'rpc'>): Promise<void> {
  const balance = toHex(actorBalance)
  await Promise.all(
    Object.values(actors).map((each) => rpc.request('anvil_setBalance', [each, balance])),
  )
}

/**
 * Has the node sign for the simulator's own accounts, should it have been told to impersonate them, which leaves what they send
 * without a signature: no snapshot of a chain brings that back.
 */
export async function signForActors({ rpc }: Pick<Node, 'rpc'>): Promise<void> {
  await Promise.all(
    Object.values(actors).map((each) => rpc.request('anvil_stopImpersonatingAccount', [each])),
  )
}

/** Lets the node act for an account, without a signature, and gives it this balance of the native token, for gas. */
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
