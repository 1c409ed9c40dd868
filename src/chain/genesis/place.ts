import type { Address, Hex } from 'viem'
import { encodeDeployData } from 'viem/utils'
import { actors } from '../../deployments/actors.js'
import type { Node } from '../rpc/node.js'
import { sendAs } from '../transactions/send.js'
import type { Artifact } from './artifacts.js'

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
  const call = { from: actors.admin, to: address }
  await node.rpc.request('anvil_setCode', [address, creation])
  const runtime = await node.rpc.request<Hex>('eth_call', [call, 'latest'])
  if (runtime === '0x')
    throw new Error(`${artifact.name} at ${address}: its constructor ran to nothing`)
  await sendAs(node, call)
  await node.rpc.request('anvil_setCode', [address, runtime])
  await node.rpc.request('anvil_setNonce', [address, '0x1'])
}
