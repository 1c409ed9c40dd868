import type { Hex } from 'viem'
import { realWait } from '../../time/clock.js'
import type { Node, Receipt, SendRequest } from '../rpc/node.js'
import { minesAtOnce } from './mining.js'
import { pooledHash, StoppedError } from './pool.js'
import { NothingSent, sendForReceipt, unlessReverted } from './send.js'

/**
 * Like `sendAs`, for callers who have to know what became of it. When `signal` is aborted, what the node already has is taken out of its
 * pool, or counts if it is mined: rejects with `StoppedError` only when it is not mined and never will be. So it waits for as long as
 * the node does not say.
 *
 * @param onSent Called when the node is about to get it.
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

/** How often a node is asked for a transaction that it may not have yet. Milliseconds of the machine. */
const askEveryMs = 25

/** The receipt of a transaction that was handed to the node. Rejects with `StoppedError` when it was taken out of the pool. */
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
    if (hash) return dropped(node, hash)
  }
}

async function dropped({ rpc }: Node, hash: Hex): Promise<Receipt> {
  await rpc.request('anvil_dropTransaction', [hash])
  // Mined at the last moment, it counts.
  const receipt = await rpc.request<Receipt | null>('eth_getTransactionReceipt', [hash])
  if (!receipt) throw new StoppedError()
  return receipt
}

/** A node that gives up waiting has the transaction in its pool still. */
function stillWaiting(node: Node, request: SendRequest) {
  return async (error: Error): Promise<Receipt> => {
    const hash = await pooledHash(node, request)
    if (hash) return dropped(node, hash)
    throw error instanceof NothingSent ? new StoppedError() : error
  }
}
