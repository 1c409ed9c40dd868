import type { Address, Hex } from 'viem'
import { concat, toHex } from 'viem/utils'
import { actors } from '../../deployments/actors.js'
import { taskQueues } from '../../time/backgroundTasks.js'
import type { Node, Receipt } from '../rpc/node.js'
import type { MinedTransaction } from './follow.js'
import { sendAs } from './send.js'

/** Serial, because two sends for one account would restore each other's balance and nonce. */
const inTurn = taskQueues<Node>()

/** Enough for the gas of one transaction, also on forks. Wei. */
const gasMoney = 10n ** 20n

/**
 * Sends a transaction for any account, even a contract. Afterwards, also after a failure, the account has its earlier balance and nonce (a
 * wallet with a nonce could not be deployed), and is not impersonated.
 *
 * @throws what `send` throws.
 */
export function sendFor(
  node: Node,
  account: Address,
  call: { to: Address; data: Hex },
  signal?: AbortSignal,
  send: typeof sendAs = sendAs,
): Promise<Receipt> {
  const { rpc } = node
  const data = concat([call.data, ownMark])
  // The simulator's own accounts may always send.
  const isActor = Object.values(actors).some((one) => one.toLowerCase() === account.toLowerCase())
  if (isActor) return send(node, { from: account, to: call.to, data }, signal)
  return inTurn(node, async () => {
    const [balance, nonce, block] = await Promise.all([
      rpc.request<Hex>('eth_getBalance', [account, 'latest']),
      rpc.request<Hex>('eth_getTransactionCount', [account, 'latest']),
      rpc.request<Hex>('eth_blockNumber'),
    ])
    // A fresh nonce: the same call with the same nonce would be the same transaction, and the node would return its old receipt.
    const unused = toHex(BigInt(nonce) + BigInt(block) + 1n)
    try {
      await Promise.all([
        actFor(node, account, BigInt(balance) + gasMoney),
        rpc.request('anvil_setNonce', [account, unused]),
      ])
      return await send(node, { from: account, to: call.to, data, alone: true }, signal)
    } finally {
      await Promise.all([
        rpc.request('anvil_setBalance', [account, balance]),
        rpc.request('anvil_setNonce', [account, nonce]),
        rpc.request('anvil_stopImpersonatingAccount', [account]),
      ])
    }
  })
}

/** Marks transactions sent for other accounts: appended to the calldata, where contracts ignore it. "svc-sim" in ASCII. */
const ownMark: Hex = '0x7376632d73696d'

const ownAccounts: readonly string[] = Object.values(actors)

/**
 * Whether the simulator sent this transaction to set up its world. Decided by the transaction alone, so it also works after a restart, and
 * before the sender has the receipt.
 */
export function isOwn({ from, input }: MinedTransaction): boolean {
  return ownAccounts.includes(from.toLowerCase()) || input?.endsWith(ownMark.slice(2)) === true
}

/** Wei: more than gas can ever cost here, far from any overflow. */
const actorBalance = 10n ** 27n

/** Gives the simulator's own accounts native tokens for gas, which they lack on a fork. */
export async function prepareActors({ rpc }: Pick<Node, 'rpc'>): Promise<void> {
  const balance = toHex(actorBalance)
  await Promise.all(
    Object.values(actors).map((each) => rpc.request('anvil_setBalance', [each, balance])),
  )
}

/** Ends impersonation of the simulator's own accounts, whose transactions would have no signature. A restored snapshot does not end it. */
export async function signForActors({ rpc }: Pick<Node, 'rpc'>): Promise<void> {
  await Promise.all(
    Object.values(actors).map((each) => rpc.request('anvil_stopImpersonatingAccount', [each])),
  )
}

/** Impersonates an account, and sets its balance of the native token. */
async function actFor(
  { rpc }: Pick<Node, 'rpc'>,
  account: Address,
  balance: bigint,
): Promise<void> {
  await Promise.all([
    rpc.request('anvil_impersonateAccount', [account]),
    rpc.request('anvil_setBalance', [account, toHex(balance)]),
  ])
}
