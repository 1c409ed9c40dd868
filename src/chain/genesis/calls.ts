import type { Abi, Address, Hex } from 'viem'
import { decodeFunctionResult, encodeFunctionData } from 'viem/utils'
import type { Node, Receipt } from '../rpc/node.js'
import { sendAs } from '../transactions/send.js'

/** A contract of the world as its builder talks to it. */
export interface CallTarget {
  address: Address
  abi: Abi
}

/** Sends a transaction to a contract; throws `ChainRevert` when it reverts. */
export function act(
  node: Node,
  from: Address,
  { address, abi }: CallTarget,
  functionName: string,
  args: readonly unknown[] = [],
): Promise<Receipt> {
  return sendAs(node, { from, to: address, data: encodeFunctionData({ abi, functionName, args }) })
}

/** What a view of a contract answers, as the ABI decodes it. */
export async function ask<T>(
  node: Node,
  { address, abi }: CallTarget,
  functionName: string,
  args: readonly unknown[] = [],
): Promise<T> {
  const data = encodeFunctionData({ abi, functionName, args })
  const result = await node.rpc.request<Hex>('eth_call', [{ to: address, data }, 'latest'])
  return decodeFunctionResult({ abi, functionName, args, data: result }) as T
}
