import type { Address, Hex } from 'viem'
import { encodeFunctionData } from 'viem/utils'
import { tokenAbi } from '../../generated/abis.js'
import type { Node } from '../node/node.js'
import { sendAs } from '../node/send.js'

/** Who may take how much of which token of whom. */
export interface Allowance {
  token: Address
  owner: Address
  spender: Address
  /** What is needed at least, in smallest units. */
  amount: bigint
  /** What is allowed where less than that is; the amount when absent. */
  grant?: bigint
}

/**
 * Lets `spender` take `amount` from one of the simulator's own accounts. An approval that is too small goes to zero first: some
 * tokens, USDT on mainnet among them, take none over another.
 */
export async function allow(
  node: Node,
  { token, owner, spender, amount, grant = amount }: Allowance,
): Promise<void> {
  const args = [owner, spender] as const
  const data = encodeFunctionData({ abi: tokenAbi, functionName: 'allowance', args })
  const answer = await node.rpc.request<Hex>('eth_call', [{ to: token, data }, 'latest'])
  const allowed = BigInt(answer)
  if (allowed >= amount) return
  if (allowed > 0n) await approve(node, { token, owner, spender }, 0n)
  await approve(node, { token, owner, spender }, grant)
}

async function approve(
  node: Node,
  { token, owner, spender }: Pick<Allowance, 'token' | 'owner' | 'spender'>,
  amount: bigint,
): Promise<void> {
  const args = [spender, amount] as const
  const data = encodeFunctionData({ abi: tokenAbi, functionName: 'approve', args })
  await sendAs(node, { from: owner, to: token, data })
}
