import pTimeout from 'p-timeout'
import type { Hex } from 'viem'
import { createStand } from '../../time/backgroundTasks.js'
import { ConnectionLost } from './nodeSocket.js'

/** Whether a node runs. Stays the same object across restarts of the node. */
export interface NodeLifecycle {
  /** Of its current process. */
  readonly pid: number
  /** Whether its process has ended and is being restarted. */
  readonly isDown: boolean
  /** Whether a fault has stopped its process; set by that fault. */
  readonly stand: ReturnType<typeof createStand>
  /** While something keeps it from mining for a moment; resolves at the end of that. Set by `inMoment`. */
  moment?: Promise<unknown> | undefined
  /** The latest block when its state was last written to without a transaction. Set by `notifyStep`. */
  lastWrite?: { number: Hex; hash: Hex }
  /** How many of its processes have ended. Snapshots and filters end with their process. */
  readonly ends: number
  /** How often it has died and been brought back. */
  readonly revivals: number
  /** Resolves when it runs. Rejects with `NodeOverError` when it never will again. */
  up(): Promise<void>
  /**
   * Runs `work`, which must be repeatable, when the node runs, and again when the node dies meanwhile and comes back. Rejects when it
   * does not come back.
   */
  whileUp<T>(work: () => Promise<T>): Promise<T>
  /** Whether an error was caused by the end of the process, given `ends` from before. */
  hasEnded(endsBefore: number, error: unknown): Promise<boolean>
  /** Calls back whenever the node has come back. Returns the unsubscribe function. */
  onBack(listener: () => void): () => void
}

/** A node will not run again, and the simulator ends. The message says which node, and why. */
export class NodeOverError extends Error {
  override name = 'NodeOverError'
}

/** The lifecycle with what only the owner of the node may call. */
export interface OwnLifecycle extends NodeLifecycle {
  pid: number
  /** The process has ended; callers of `up` wait from now on. */
  ended(): void
  /** It runs again, in its latest state (`revived`) or in that of the start. */
  back(how: 'revived' | 'started over'): void
  /** It will not run again, for this reason; waiting callers are rejected. */
  over(why: string): void
}

/** How long after a broken connection the exit of its process may be reported, even on a busy machine. Milliseconds. */
export const heardWithinMs = 2_000

/** The lifecycle of a node with a running process. */
export function createLifecycle(pid: number): OwnLifecycle {
  let state: 'runs' | 'down' | Error = 'runs'
  let [ends, revivals] = [0, 0]
  const waiting: (() => void)[] = []
  const changed = () => new Promise<void>((resolve) => waiting.push(resolve))
  const listeners = new Set<() => void>()
  const become = (next: typeof state): void => {
    if (!(state instanceof Error)) state = next
    for (const wake of waiting.splice(0)) wake()
  }
  const up = async (): Promise<void> => {
    while (state === 'down') await changed()
    if (state instanceof Error) throw state
  }
  const hasEnded = async (endsBefore: number, error: unknown): Promise<boolean> => {
    if (!(error instanceof ConnectionLost)) return false
    if (state === 'runs' && ends === endsBefore)
      await pTimeout(changed(), { milliseconds: heardWithinMs, fallback: () => {} })
    return state === 'down' || ends !== endsBefore
  }
  return {
    pid,
    stand: createStand(),
    get isDown() {
      return state === 'down'
    },
    get ends() {
      return ends
    },
    get revivals() {
      return revivals
    },
    up,
    async whileUp(work) {
      for (;;) {
        await up()
        const before = ends
        try {
          return await work()
        } catch (error) {
          if (!(await hasEnded(before, error))) throw error
        }
      }
    },
    hasEnded,
    onBack(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    ended() {
      ends++
      become('down')
    },
    back(how) {
      become('runs')
      if (state !== 'runs') return // it was over meanwhile
      if (how === 'started over') return
      revivals++
      for (const listener of [...listeners]) listener()
    },
    over(why) {
      become(new NodeOverError(why))
    },
  }
}
