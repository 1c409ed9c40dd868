import type { Hex } from 'viem'
import type { NodeAnswer } from './nodeSocket.js'

/** The outcome of one transaction of a shared block: refused, mined, or still in the pool (`receipt` is null). */
export type SharedOutcome<Receipt = unknown> =
  | { error: { code?: number; message: string; data?: unknown } }
  | { hash: Hex; receipt: Receipt | null }

/** Sends a request to the node; resolves to its answer, even if that is an error. */
type SendToNode = (method: string, params: unknown[]) => Promise<NodeAnswer>

/** The answer when mining is off and nothing was sent. */
export const notMiningAnswer = {
  error: { code: -32000, message: 'the node mines no blocks by itself; nothing was sent' },
}

/**
 * Sends transactions and has them mined in one block, in this order. A transaction that the node refuses, or that reverts, does not affect
 * the others. Mining is switched off meanwhile; if it is off already, nothing is sent.
 */
export async function sendInOneBlock(
  send: SendToNode,
  transactions: readonly object[],
): Promise<{ result: SharedOutcome[] } | typeof notMiningAnswer> {
  const ask = async (method: string, ...params: unknown[]): Promise<unknown> => {
    const { result, error } = await send(method, params)
    if (error) throw new Error(`the node refused ${method}: ${error.message}`)
    return result
  }
  if ((await ask('anvil_getAutomine')) !== true) return notMiningAnswer
  const sent: SharedOutcome[] = []
  await ask('evm_setAutomine', false)
  try {
    // One after the other: the node would give parallel transactions of one account the same nonce.
    for (const transaction of transactions) {
      const { result, error } = await send('eth_sendTransaction', [transaction])
      sent.push(error ? { error } : { hash: result as Hex, receipt: null })
    }
    if (sent.some((each) => 'hash' in each)) await ask('evm_mine')
  } finally {
    await ask('evm_setAutomine', true)
  }
  const withReceipt = async (outcome: SharedOutcome): Promise<SharedOutcome> => {
    if ('error' in outcome) return outcome
    const receipt = await ask('eth_getTransactionReceipt', outcome.hash)
    return { ...outcome, receipt }
  }
  return { result: await Promise.all(sent.map(withReceipt)) }
}
