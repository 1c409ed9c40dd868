import type { Address, Hex } from 'viem'
import { encodeDeployData } from 'viem/utils'
import { actors } from '../actors.js'
import type { Node, Receipt } from '../node.js'
import type { Artifact } from './artifacts.js'

/** Gas limit of every transaction of the build: what one block of anvil holds. */
const buildGas = '0x1c9c380'

/**
 * Puts a contract at a chosen address and runs its constructor there, with the admin actor as sender: the creation code
 * stands at the address while a call to it runs the constructor in place. The call first yields the runtime code (with
 * immutables and `address(this)` right), then, as a transaction, writes the storage. The nonce ends at 1, as after a
 * real deployment. A constructor that asks whether its own address has code already gets another answer than usual.
 */
export async function place(
  node: Node,
  address: Address,
  artifact: Artifact,
  args: readonly unknown[] = [],
): Promise<void> {
  const creation = encodeDeployData({ abi: artifact.abi, bytecode: artifact.bytecode, args })
  const call = { from: actors.admin, to: address, gas: buildGas }
  await node.rpc.request('anvil_setCode', [address, creation])
  const runtime = await node.rpc.request<Hex>('eth_call', [call, 'latest'])
  if (runtime === '0x')
    throw new Error(`${artifact.name} at ${address}: its constructor ran to nothing`)
  await transact(node, { from: actors.admin, to: address })
  await node.rpc.request('anvil_setCode', [address, runtime])
  await node.rpc.request('anvil_setNonce', [address, '0x1'])
}

/** Sends a transaction of the build and returns its receipt; rejects when it reverts. `value` in wei. */
export async function transact(
  node: Node,
  request: { from: Address; to: Address; data?: Hex; value?: bigint },
): Promise<Receipt> {
  const value = `0x${(request.value ?? 0n).toString(16)}`
  const receipt = await node.rpc.request<Receipt>('eth_sendTransactionSync', [
    { ...request, value, gas: buildGas },
  ])
  if (receipt.status === '0x1') return receipt
  const call = { ...request, value, gas: buildGas }
  // The same call again, now for its reason: it rejects with the revert data.
  await node.rpc.request('eth_call', [call, 'latest'])
  throw new Error(`Transaction ${receipt.transactionHash} to ${request.to} reverted`)
}
