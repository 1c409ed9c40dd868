import type { Address, Hex } from 'viem'
import { encodeFunctionData, parseAbi, toHex } from 'viem/utils'
import type { Node } from '../../chain/rpc/node.js'
import { RpcError } from '../../chain/rpc/rpc.js'
import { sendAs } from '../../chain/transactions/send.js'
import { sendFor } from '../../chain/transactions/sendFor.js'
import { actors } from '../../deployments/actors.js'
import { ServiceError } from '../../lib/errors.js'

const abi = parseAbi([
  'function owner() view returns (address)',
  'function root() view returns (bytes32)',
  'function setRoot(bytes32 newRoot, bytes32 newIpfsHash)',
])

const noHash: Hex = `0x${'00'.repeat(32)}`

const postCall = (root: Hex): Hex =>
  encodeFunctionData({ abi, functionName: 'setRoot', args: [root, noHash] })

/** Makes a root the newest of the offline world's distributor, which belongs to the admin actor. */
export async function postOwnRoot(node: Node, distributor: Address, root: Hex): Promise<void> {
  await sendAs(node, { from: actors.admin, to: distributor, data: postCall(root) })
}

/**
 * Makes a root the newest of a fork's distributor: in its owner's name or, if it has no owner or the owner may not, by overwriting the root in
 * storage. Rejects with `invalid_params` when neither is possible.
 */
export async function postForkRoot(node: Node, distributor: Address, root: Hex): Promise<void> {
  const ask = async (functionName: 'owner' | 'root'): Promise<Hex> => {
    const call = { to: distributor, data: encodeFunctionData({ abi, functionName }) }
    return node.rpc.request<Hex>('eth_call', [call, 'latest']).catch(unlessRefused('0x'))
  }
  const owner = await ask('owner')
  if (owner.length === 66 && BigInt(owner) !== 0n) {
    const account: Address = `0x${owner.slice(-40)}`
    const call = { from: account, to: distributor, data: postCall(root) }
    const mayPost = await node.rpc
      .request<Hex | undefined>('eth_call', [call, 'latest'])
      .catch(unlessRefused(undefined))
    if (mayPost !== undefined) await sendFor(node, account, call)
  }
  const before = await ask('root')
  if (before === root) return
  const slot = await slotOfRoot(node, distributor, before)
  if (slot) await node.rpc.request('anvil_setStorageAt', [distributor, slot, root])
  if ((await ask('root')) !== root)
    throw new ServiceError(
      'invalid_params',
      `no root can be set in the rewards distributor ${distributor} of the forked ${node.network}: its owner may not, and its storage does not show where it keeps one`,
    )
}

/** A contract keeps a root of its own among its first variables. */
const searchedSlots = 16

/** The slot whose word decides what the distributor says its root is. */
async function slotOfRoot(
  { rpc }: Node,
  distributor: Address,
  root: Hex,
): Promise<Hex | undefined> {
  const marker = toHex(0x5caa_600d_600dn, { size: 32 })
  const call = { to: distributor, data: encodeFunctionData({ abi, functionName: 'root' }) }
  for (let i = 0; i < searchedSlots; i++) {
    const slot = toHex(i, { size: 32 })
    if ((await rpc.request<Hex>('eth_getStorageAt', [distributor, slot, 'latest'])) !== root)
      continue
    const overridden = { [distributor]: { stateDiff: { [slot]: marker } } }
    const answer = await rpc
      .request<Hex>('eth_call', [call, 'latest', overridden])
      .catch(unlessRefused('0x'))
    if (answer === marker) return slot
  }
  return undefined
}

function unlessRefused<T>(otherwise: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof RpcError) return otherwise
    throw error
  }
}
