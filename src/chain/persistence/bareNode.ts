import { createGunzip } from 'node:zlib'
import type { Hex } from 'viem'
import type { NetworkName } from '../../deployments/networks.js'
import type { Channel, NodeAnswer } from '../rpc/nodeSocket.js'

/** The part of a block that commands need. */
interface BlockHead {
  hash: Hex
  parentHash: Hex
  timestamp: Hex
  baseFeePerGas: Hex
}

/** A node as its command log uses it: bypassing the log and all other steps. */
export type BareNode = ReturnType<typeof bareNode>

/** A transaction that takes longer is not waiting for its block. Milliseconds of the machine. */
const longestBlockMs = 2_000

/** @param channel A connection that is not shared. */
export function bareNode(network: NetworkName, channel: Channel) {
  const send = (method: string, params: unknown = []): Promise<NodeAnswer> =>
    channel.request(method, params)
  const ask = async <T>(method: string, params: unknown = []): Promise<T> => {
    const { result, error } = await send(method, params)
    if (error) throw new Error(`the ${network} node refused ${method}: ${error.message}`)
    return result as T
  }
  const pooled = () => ask<{ pending: Hex; queued: Hex }>('txpool_status')
  const untilTaken = async <T>(send: () => Promise<T>): Promise<{ answer: Promise<T> }> => {
    const [before, begun] = [await pooled(), performance.now()]
    let isAnswered = false
    const answer = send().finally(() => {
      isAnswered = true
    })
    answer.catch(() => {}) // its callers handle the rejection
    const isTaken = async (): Promise<boolean> => {
      const { pending, queued } = await pooled()
      return pending !== before.pending || queued !== before.queued
    }
    // A transaction that replaces another one does not change the count.
    const isLate = () => performance.now() - begun > longestBlockMs
    while (!isAnswered && !isLate() && !(await isTaken()));
    return { answer }
  }
  return {
    /** Resolves to the answer, even if that is an error. */
    send,
    /** Resolves to the result. Rejects when the node answers with an error. */
    ask,
    block: (which: 'latest' | 'pending') => ask<BlockHead>('eth_getBlockByNumber', [which, false]),
    /** The number of transactions in its pool. */
    pooled,
    /** Sends a transaction that is not mined now. Resolves when it is in the pool; the answer may come much later. */
    untilTaken,
    /**
     * Sends a transaction that others may have waited for, and mines all of them in one block. By itself the node would sometimes mine a
     * second, empty block a moment later, which a replay would not repeat. Resolves when the block exists, if there is to be one.
     */
    async inOneBlock<T>(send: () => Promise<T>): Promise<{ answer: Promise<T> }> {
      await ask('evm_setAutomine', [false])
      const taken = await untilTaken(send)
      if (Number((await pooled()).pending) > 0) await ask('evm_mine')
      await ask('evm_setAutomine', [true])
      return taken
    },
    /** Its present state. A node dumps gzipped JSON as hex, but starts only from plain JSON. */
    async dump(): Promise<{ unzipped(): AsyncIterable<Buffer> }> {
      const zipped = await ask<string>('anvil_dumpState')
      const unzipped = () => {
        const unzip = createGunzip({ chunkSize: 1 << 20 })
        unzip.end(Buffer.from(zipped.slice(2), 'hex'))
        return unzip
      }
      return { unzipped }
    },
    /** Resolves when everything that can be mined has been; a node answers before that. */
    async untilMined(): Promise<void> {
      const begun = performance.now()
      const isWaiting = async () => Number((await pooled()).pending) > 0
      while ((await isWaiting()) && performance.now() - begun < longestBlockMs);
    },
    /** Sets the time of the next block, even to before the start of the node. Unix seconds. */
    async setTime(seconds: number): Promise<void> {
      await ask('evm_setTime', [seconds])
    },
  }
}
