import type { Address, Hex } from 'viem'
import { encodeFunctionData } from 'viem/utils'
import { tokenAbi } from '../../generated/abis.js'
import type { Node } from '../rpc/node.js'
import { sendAs } from '../transactions/send.js'

export interface Allowance {
  token: Address
  owner: Address
  spender: Address
  /** The required allowance, in smallest units. */
  amount: bigint
  /** The allowance to set if the present one is too small; `amount` by default. */
  grant?: bigint
  signal?: AbortSignal | undefined
}

/**
 * Lets `spender` take `amount` from one of the simulator's own accounts. Resets a smaller approval to zero first, which some tokens require
 * (USDT on mainnet).
 *
 * @throws `StoppedError` when `signal` was aborted.
 */
export async function allow(
  node: Node,
  { token, owner, spender, amount, grant = amount, signal }: Allowance,
): Promise<void> {
  const args = [owner, spender] as const
  const data = encodeFunctionData({ abi: tokenAbi, functionName: 'allowance', args })
  const answer = await node.rpc.request<Hex>('eth_call', [{ to: token, data }, 'latest'])
  const allowed = BigInt(answer)
  if (allowed >= amount) return
  if (allowed > 0n) await approve(node, { token, owner, spender, signal }, 0n)
  await approve(node, { token, owner, spender, signal }, grant)
}

async function approve(
  node: Node,
  { token, owner, spender, signal }: Omit<Allowance, 'amount' | 'grant'>,
  amount: bigint,
): Promise<void> {
  const args = [spender, amount] as const
  const data = encodeFunctionData({ abi: tokenAbi, functionName: 'approve', args })
  await sendAs(node, { from: owner, to: token, data }, signal)
}
