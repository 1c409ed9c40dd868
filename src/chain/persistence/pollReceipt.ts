import { setTimeout as sleep } from 'node:timers/promises'
import type { NodeAnswer } from '../rpc/nodeSocket.js'

/** How often and for how long to ask for a receipt; a node itself waits as long. Milliseconds of the machine. */
const [askEveryMs, giveUpAfterMs] = [25, 30_000]

/**
 * The answer to a send that waits for its block, when that may take long: the receipt or, as from a node, an error that it did not come in
 * time.
 */
export async function pollReceipt(
  ask: (method: string, params: unknown[]) => Promise<NodeAnswer>,
  hash: unknown,
): Promise<NodeAnswer> {
  const begun = performance.now()
  do {
    const answer = await ask('eth_getTransactionReceipt', [hash])
    if (answer.result != null) return answer
    await sleep(askEveryMs, undefined, { ref: false })
  } while (performance.now() - begun < giveUpAfterMs)
  return { error: { message: 'Transaction confirmation timeout' } }
}
