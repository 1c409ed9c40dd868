import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Hex } from 'viem'
import type { NetworkName } from '../../deployments/networks.js'
import type { Channel } from '../rpc/nodeSocket.js'

/** A block, as far as commands look at it. */
interface BlockHead {
  hash: Hex
  parentHash: Hex
  timestamp: Hex
  baseFeePerGas: Hex
}

/** What a node answers. */
export interface RpcAnswer {
  result?: unknown
  error?: { code?: number; message: string }
}

/** A node as the log of its commands talks to it: past everybody else, and past the log. */
export type BareNode = ReturnType<typeof bareNode>

/** After so long something else than the block holds what waits. Milliseconds of the machine. */
const longestBlockMs = 2_000

/** @param channel A connection that nobody else uses. */
export function bareNode(network: NetworkName, channel: Channel) {
  const send = async (method: string, params: unknown = []): Promise<RpcAnswer> =>
    JSON.parse(await channel.request(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })))
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
    answer.catch(() => {}) // whoever waits for it hears of that
    const isTaken = async (): Promise<boolean> => {
      const { pending, queued } = await pooled()
      return pending !== before.pending || queued !== before.queued
    }
    // One that takes the place of another changes no count.
    const isLate = () => performance.now() - begun > longestBlockMs
    while (!isAnswered && !isLate() && !(await isTaken()));
    return { answer }
  }
  return {
    /** The answer, whatever it is. */
    send,
    /** The result. Rejects when the node answers an error. */
    ask,
    block: (which: 'latest' | 'pending') => ask<BlockHead>('eth_getBlockByNumber', [which, false]),
    /** How many transactions it holds. */
    pooled,
    /** Sends what nobody mines. Resolves when the node has it; its answer may come much later. */
    untilTaken,
    /**
     * Sends what others may have waited for, and mines all of them in one block. By itself the node would make a second, empty block now
     * and then, a moment later, and never the same way again. Resolves when there is the block, if there is to be one.
     */
    async inOneBlock<T>(send: () => Promise<T>): Promise<{ answer: Promise<T> }> {
      await ask('evm_setAutomine', [false])
      const taken = await untilTaken(send)
      if (Number((await pooled()).pending) > 0) await ask('evm_mine')
      await ask('evm_setAutomine', [true])
      return taken
    },
    /** Its state now. A node dumps gzipped JSON as hex, but starts only from plain JSON. */
    async dump(): Promise<{ unzipped(): Promise<Buffer> }> {
      const zipped = await ask<string>('anvil_dumpState')
      return { unzipped: () => promisify(gunzip)(Buffer.from(zipped.slice(2), 'hex')) }
    },
    /** What can be mined has been: a node answers before that. */
    async untilMined(): Promise<void> {
      const begun = performance.now()
      const isWaiting = async () => Number((await pooled()).pending) > 0
      while ((await isWaiting()) && performance.now() - begun < longestBlockMs);
    },
    /** The time of the next block, also when that lies before the node's own start. Unix seconds. */
    async setTime(seconds: number): Promise<void> {
      await ask('evm_setTime', [seconds])
    },
  }
}
