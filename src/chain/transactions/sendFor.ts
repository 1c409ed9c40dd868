import type { Address, Hex } from 'viem'
import { concat, toHex } from 'viem/utils'
import { actors } from '../../deployments/actors.js'
import { taskQueues } from '../../time/backgroundTasks.js'
import type { Node, Receipt } from '../rpc/node.js'
import type { MinedTransaction } from './follow.js'
import { sendAs } from './send.js'

/** Two at once for one account would each put back what the other has lent it. */
const inTurn = taskQueues<Node>()

/** Pays for the gas of one transaction, on forks too. Smallest unit. */
const gasMoney = 10n ** 20n

/**
 * Sends a transaction for any account of the chain, a wallet or another contract, and leaves no other trace of it: the account
 * keeps its balance of the native token and its nonce (a wallet that had sent something could not be deployed any more), and
 * nobody can act for it afterwards, also when the send fails.
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
    // A nonce that the account has not sent with: the same call under the same nonce would be the same transaction as the
    // last time, and the node would answer with the receipt of that one before this one is mined.
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

/** Stands behind the calldata of what is sent for somebody else; contracts do not look there. "svc-sim" in ASCII. */
const ownMark: Hex = '0x7376632d73696d'

const ownAccounts: readonly string[] = Object.values(actors)

/**
 * Whether the simulator has sent this transaction by itself, to set up its world. It tells by the transaction alone, so it is
 * true after a restart as well, and for what is mined before its sender has heard of it.
 */
export function isOwn({ from, input }: MinedTransaction): boolean {
  return ownAccounts.includes(from.toLowerCase()) || input?.endsWith(ownMark.slice(2)) === true
}

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
