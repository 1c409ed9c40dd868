import pTimeout from 'p-timeout'
import { createStand } from '../../time/backgroundTasks.js'
import { ConnectionLost } from './nodeSocket.js'

/** Whether a node runs. It stays the same object when the node is started again. */
export interface NodeLifecycle {
  /** Of its process now. */
  readonly pid: number
  /** Its process has ended, and it is being started again. */
  readonly isDown: boolean
  /** Whether a fault keeps its process from running; set by that fault. */
  readonly stand: ReturnType<typeof createStand>
  /** Counts the processes that have ended. What a node keeps beside its chain (a snapshot's number, a filter) ends with its process. */
  readonly ends: number
  /** How often it has died and come back. */
  readonly revivals: number
  /** Resolves when it runs. Rejects with `NodeOverError` when it never will. */
  up(): Promise<void>
  /**
   * Does something that may be done twice, when the node runs; once more when it dies meanwhile and comes back. Rejects when it
   * never does.
   */
  whileUp<T>(work: () => Promise<T>): Promise<T>
  /** Whether an error comes from the end of the process, where `ends` was this before. */
  hasEnded(endsBefore: number, error: unknown): Promise<boolean>
  /** Calls back whenever it has come back. Returns the unsubscribe function. */
  onBack(listener: () => void): () => void
}

/** A node will not run any more, and the simulator ends. The message says which node, and why. */
export class NodeOverError extends Error {
  override name = 'NodeOverError'
}

/** The life of a node as its owner holds it. */
export interface OwnLifecycle extends NodeLifecycle {
  pid: number
  /** The process has ended; everybody waits from now on. */
  ended(): void
  /** It runs again, as it was (`revived`) or as it was at the start. */
  back(how: 'revived' | 'started over'): void
  /** It will not run any more, for this reason. Nobody waits any longer. */
  over(why: string): void
}

/** A connection breaks before the end of its process is heard of; by then it has been, on a busy machine too. Milliseconds. */
export const heardWithinMs = 2_000

/** The life of a node whose process runs. */
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
