import type { Hex } from 'viem'
import { encodeAbiParameters, keccak256 } from 'viem/utils'
import { z } from 'zod'
import type { Node } from '../../chain/node.js'
import { sendForReceipt } from '../../chain/send.js'
import { svcAddresses } from '../../generated/svc.js'
import type { Submission } from '../../plans/relay.js'
import { concerns, defineEffect } from '../effect.js'

/** Floor of a transaction's gas: 21,000 and at most 40 per byte of calldata. */
const floorGas = (data: Hex): bigint => 21_000n + 40n * BigInt((data.length - 2) / 2)

/**
 * What was checked a moment ago does not hold any more when the transaction is mined: its nonce is used up, as by another
 * transaction that went first, or its gas does not suffice. The contracts revert it; nothing moves but the relayer's gas.
 */
export const revert = defineEffect({
  on: 'execute',
  name: 'revert',
  summary:
    'The transaction is sent and reverts on chain: `by: nonce` (default), its nonce was used up a moment before; `by: gas`, it runs out of gas. The activity fails with the decoded reason; nothing has moved.',
  settings: z.strictObject({ by: z.enum(['nonce', 'gas']).default('nonce') }),
  apply({ by }, call, proceed, { rule }) {
    const { send } = call
    call.send = async (node, submission, sending) => {
      if (!concerns(rule, submission.network)) return send(node, submission, sending)
      if (by === 'gas') return sendWithHalfItsGas(node, submission, sending.stop)
      await useUpNonce(node, submission, call.account.walletAddress)
      return send(node, submission, sending)
    }
    return proceed()
  },
})

async function sendWithHalfItsGas(node: Node, { call }: Submission, stop: AbortSignal) {
  const needed = BigInt(await node.rpc.request<Hex>('eth_estimateGas', [call]))
  const floor = floorGas(call.data)
  const gas = needed / 2n > floor ? needed / 2n : floor
  return sendForReceipt(node, { ...call, gas }, stop)
}

/** Writes what `cancel` of the nonce manager would: the wallet cannot call it without a signature of its own. */
async function useUpNonce(node: Node, { operations }: Submission, wallet: Hex): Promise<void> {
  const nonce = operations[0]!.nonce
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
