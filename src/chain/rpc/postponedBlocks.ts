import pTimeout from 'p-timeout'
import { AnswerTimeout } from './nodeSocket.js'
import {
  type ChainPipeline,
  type ChainStep,
  type NodeRequest,
  type PassOn,
  rpcOver,
} from './pipeline.js'
import type { Rpc } from './rpc.js'

/**
 * Empty blocks that a chain still has to mine, because the clock was moved and nobody has looked at the chain since. They are mined before
 * the next message, each with the time of its move, so that the chain always looks as if it had mined them at once.
 */
export interface PostponedBlocks {
  /** Their times, in order. Unix seconds. */
  readonly times: readonly number[]
  /** Whether a subscriber hears of each block, so that none may be postponed. */
  readonly isHeld: boolean
  /** Postpones one more block. */
  add(seconds: number): void
  /** Discards them, because the chain goes back to before them. Resolves when none is being mined any more. */
  drop(): Promise<void>
  /** Has every block mined at once, until the returned function is called. */
  hold(): () => void
  /** Mines them before any request reaches the node. */
  readonly step: ChainStep
}

/** @param mine Mines one block with this time, or with that of the latest block if that is later. */
export function createPostponedBlocks(
  mine: (rpc: Rpc, seconds: number) => Promise<void>,
): PostponedBlocks {
  let times: readonly number[] = []
  const holders = new Set<object>()
  let mining: Promise<void> | undefined
  const mineAll = async ({ network }: NodeRequest, next: PassOn): Promise<void> => {
    const rpc = rpcOver(network, next, () => {})
    for (let [first] = times; first !== undefined; [first] = times) {
      await mine(rpc, first)
      times = times.slice(1)
    }
  }
  return {
    get times() {
      return times
    },
    get isHeld() {
      return holders.size > 0
    },
    add(seconds) {
      times = [...times, seconds]
    },
    async drop() {
      times = []
      await mining?.catch(() => {})
    },
    hold() {
      const holder = {}
      holders.add(holder)
      return () => void holders.delete(holder)
    },
    async step(request, next) {
      if (times.length > 0 && !request.asItStands && !request.about.isTimeless) {
        mining ??= mineAll(request, next).finally(() => {
          mining = undefined
        })
        await inTime(mining, request.timeoutMs)
      }
      return next(request)
    },
  }
}

/** Limits the caller's wait. The mining goes on, since a block that is being mined cannot be cancelled. */
function inTime(mining: Promise<void>, timeoutMs: number | undefined): Promise<void> {
  if (timeoutMs === undefined) return mining
  const message = new AnswerTimeout(`it took longer than ${timeoutMs / 1000} s`)
  return pTimeout(mining, { milliseconds: timeoutMs, message })
}

/** Requests that leave postponed blocks postponed, for reads of what has happened on the chain. */
export function rpcAsItStands({ rpc, pipeline }: { rpc: Rpc; pipeline?: ChainPipeline }): Rpc {
  return pipeline?.rpc({ asItStands: true }) ?? rpc
}
