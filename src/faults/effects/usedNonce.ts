import type { Address, Hex } from 'viem'
import { encodeAbiParameters, keccak256 } from 'viem/utils'
import type { Node } from '../../chain/rpc/node.js'
import { svcAddresses } from '../../generated/svc.js'

/** Writes what `cancel` of the nonce manager would: the wallet cannot call it without a signature of its own. */
export async function useUpNonce(node: Node, wallet: Address, nonce: Hex): Promise<void> {
  // tokens[wallet][nonce], the contract's first storage variable.
  const outer = keccak256(
    encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [wallet, 0n]),
  )
  const slot = keccak256(
    encodeAbiParameters([{ type: 'bytes32' }, { type: 'bytes32' }], [nonce, outer]),
  )
  const exhausted = `0x${'f'.repeat(64)}`
  await node.rpc.request('anvil_setStorageAt', [svcAddresses.nonceManager, slot, exhausted])
}
