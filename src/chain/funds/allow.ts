import type { Address, Hex } from 'viem'
import { encodeFunctionData } from 'viem/utils'
import { tokenAbi } from '../../generated/abis.js'
import type { Node } from '../rpc/node.js'
import { sendAs } from '../transactions/send.js'

/** Who may take how much of which token of whom. */
export interface Allowance {
  token: Address
  owner: Address
  spender: Address
  /** The smallest allowance that suffices, in smallest units. */
  amount: bigint
  /** What is allowed where less than that is; the amount when absent. */
  grant?: bigint
  /** When aborted, nothing is allowed any more. */
  signal?: AbortSignal | undefined
}

/**
 * Lets `spender` take `amount` from one of the simulator's own accounts. An approval that is too small goes to zero first: some
 * tokens, USDT on mainnet among them, take none over another.
 *
 * @throws `StoppedError` when it was given up.
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
