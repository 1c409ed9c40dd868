import type { Hex } from 'viem'
import { realWait } from '../../time/clock.js'
import type { Node, Receipt, SendRequest } from '../rpc/node.js'
import { minesAtOnce } from './mining.js'
import { pooledHash, StoppedError } from './pool.js'
import { dropPooled, NothingSent, sendForReceipt, unlessReverted } from './send.js'

/**
 * Like `sendAs`, for callers that need a definite outcome. An abort removes the transaction from the pool; it rejects with `StoppedError`
 * only when the transaction is not mined and never will be. So it waits until the node answers.
 *
 * @param onSent Called just before the node gets the transaction.
 */
export async function sendOrTakeBack(
  node: Node,
  request: SendRequest,
  signal: AbortSignal | undefined,
  onSent: () => void,
): Promise<Receipt> {
  let outcome: Promise<Receipt> | undefined
  const sent = (promise: Promise<Receipt>): void => {
    outcome = promise
    onSent()
  }
  const receipt = await sendForReceipt(node, request, signal, { sent }).catch((error) => {
    if (error instanceof StoppedError && outcome) return takeBack(node, request, outcome)
    throw error
  })
  return unlessReverted(node, receipt)
}

/** How often to look for the transaction in the pool. Milliseconds of the machine. */
const askEveryMs = 25

/** The receipt of a sent transaction. Rejects with `StoppedError` when it was removed from the pool. */
async function takeBack(
  node: Node,
  request: SendRequest,
  outcome: Promise<Receipt>,
): Promise<Receipt> {
  const ended = outcome.then(
    () => true,
    () => true,
  )
  for (;;) {
    const pausing = new AbortController()
    const pause = realWait(askEveryMs, pausing.signal).then(() => false)
    const hasEnded = await Promise.race([ended, pause])
    pausing.abort()
    if (hasEnded) return outcome.catch(stillWaiting(node, request))
    if (await minesAtOnce(node)) continue
    const hash = await pooledHash(node, request)
    if (hash) return dropped(node, request, hash)
  }
}

async function dropped(node: Node, request: SendRequest, hash: Hex): Promise<Receipt> {
  await dropPooled(node, request, hash)
  // It may have been mined at the last moment.
  const receipt = await node.rpc.request<Receipt | null>('eth_getTransactionReceipt', [hash])
  if (!receipt) throw new StoppedError()
  return receipt
}

/** When the node stops waiting for the receipt, the transaction is still in its pool. */
function stillWaiting(node: Node, request: SendRequest) {
  return async (error: Error): Promise<Receipt> => {
    const hash = await pooledHash(node, request)
    if (hash) return dropped(node, request, hash)
    throw error instanceof NothingSent ? new StoppedError() : error
  }
}
