import type { Hex } from 'viem'
import { z } from 'zod'
import type { Node } from '../../../chain/rpc/node.js'
import { sendForReceipt } from '../../../chain/transactions/send.js'
import type { Submission } from '../../../service/plans/execute/execution.js'
import { concerns, defineEffect } from '../../rules/effect.js'
import { useUpNonce } from '../usedNonce.js'

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
    'The transaction is sent and reverts on chain. `by: nonce` (default): its nonce was used up a moment before. `by: gas`: it runs out of gas. The activity fails with the decoded reason, and no funds move.',
  settings: z.strictObject({ by: z.enum(['nonce', 'gas']).default('nonce') }),
  outcome: ({ by }) => ({
    text:
      by === 'nonce'
        ? 'used up the wallet’s nonce'
        : 'gave the transaction half the gas that it needs',
    ends: ['reverted'],
  }),
  apply({ by }, call, proceed, { rule }) {
    call.interceptSend.push((send) => async (node, submission, sending) => {
      if (!concerns(rule, submission.network)) return send(node, submission, sending)
      if (by === 'gas') return sendWithHalfItsGas(node, submission, sending.signal)
      await useUpNonce(node, call.account.walletAddress, submission.operations[0]!.nonce)
      const { call: own } = submission
      return send(node, { ...submission, call: { ...own, alone: true } }, sending)
    })
    return proceed()
  },
})

async function sendWithHalfItsGas(node: Node, { call }: Submission, signal: AbortSignal) {
  const needed = BigInt(await node.rpc.request<Hex>('eth_estimateGas', [call]))
  const floor = floorGas(call.data)
  const gas = needed / 2n > floor ? needed / 2n : floor
  return sendForReceipt(node, { ...call, gas, alone: true }, signal)
}
