import type { Nodes } from '../chain/rpc/node.js'
import { type BackgroundTasks, createBackgroundTasks, yieldFor } from '../time/backgroundTasks.js'
import { realWait, type SettableClock } from '../time/clock.js'
import type { SystemLock } from './systemLock.js'
import type { OwnTimekeeper } from './timekeeper.js'

/** Moves an `auto` clock: to the next moment that somebody waits for, as soon as everybody waits. */
export interface AutoClock {
  /** Counts a request while it works; where it waits for the clock it yields (`yieldFor`). */
  counted<T>(work: () => Promise<T>): Promise<T>
  /**
   * Resolves when nothing is busy and nothing is due any more, so that what comes now finds the same state in every run; also when the
   * clock cannot go on, since work hangs or a node does not answer, and after `atMostMs` of the machine's time.
   */
  rest(atMostMs?: number): Promise<void>
  /** Jumps no more. */
  stop(): void
}

/** What moving takes. */
export interface AutoClockParts {
  clock: SettableClock
  nodes: Nodes
  tasks: BackgroundTasks
  lock: Pick<SystemLock, 'shared'>
  skip: OwnTimekeeper['skip']
  onError(message: string, cause: unknown): void
}

/**
 * When there is nothing to wait for but the end of long polls, they end after so long. A client that keeps one open while it thinks for a
 * second moves the clock by a hundred seconds at most, and a plan lives 120. Milliseconds of the machine.
 */
const emptyPollMs = 250

const never = new AbortController().signal

/** Begins to move the clock whenever its mode is `auto`. */
export function createAutoClock(parts: AutoClockParts): AutoClock {
  const { clock, nodes, tasks, lock } = parts
  const stands = nodes.all().map(({ lifecycle }) => lifecycle.stand)
  const requests = createBackgroundTasks()
  let [isMoving, isStopped, hasFailed, mayEndPolls] = [false, false, false, false]
  let pollTimer: NodeJS.Timeout | undefined
  const waiting: (() => void)[] = []

  const canMove = (): boolean =>
    clock.mode === 'auto' && !isStopped && !hasFailed && !stands.some(({ isStill }) => isStill)
  const isDue = (): boolean => clock.nextDue(Number.POSITIVE_INFINITY) !== undefined
  /** The moment to jump to; undefined while something is computed, or when nobody waits for one. */
  const wanted = (): number | undefined => {
    const isQuiet = requests.counts().busy === 0 && tasks.counts().busy === 0
    return canMove() && isQuiet && (mayEndPolls || isDue()) ? clock.nextWaited() : undefined
  }
  const endPollsLater = (): void => {
    if (pollTimer || !canMove() || isDue() || clock.nextWaited() === undefined) return
    pollTimer = setTimeout(() => {
      pollTimer = undefined
      mayEndPolls = true
      move()
    }, emptyPollMs).unref()
  }
  const stayWithPolls = (): void => {
    clearTimeout(pollTimer)
    pollTimer = undefined
    mayEndPolls = false
  }
  const moveOn = async (): Promise<void> => {
    try {
      for (;;) {
        const hanging = await tasks.settled()
        if (hanging.length > 0 || wanted() === undefined) return
        // A restore comes in between, or goes first: then it is looked at again what is wanted.
        if (!(await lock.shared('the clock', () => parts.skip(wanted)))) return
        mayEndPolls = false
      }
    } catch (cause) {
      hasFailed = true
      if (!isStopped) parts.onError('the clock could not continue', cause)
    }
  }
  const move = (): void => {
    if (isMoving || clock.mode !== 'auto') return
    if (requests.counts().busy > 0) {
      stayWithPolls()
      return
    }
    isMoving = true
    void moveOn().finally(() => {
      isMoving = false
      if (requests.counts().busy === 0) endPollsLater()
      else stayWithPolls()
      for (const go of waiting.splice(0)) go()
    })
  }
  for (const source of [clock, tasks, requests, ...stands]) source.onChange(move)

  const rest = async (atMostMs?: number): Promise<void> => {
    const until = atMostMs === undefined ? undefined : performance.now() + atMostMs
    for (;;) {
      const hanging = await tasks.settled(undefined, atMostMs)
      if (hanging.length > 0 || !canMove() || !isDue()) return
      const left = until === undefined ? undefined : until - performance.now()
      if (left !== undefined && left <= 0) return
      const round = new Promise<void>((resolve) => waiting.push(resolve))
      move()
      await (left === undefined ? round : Promise.race([round, realWait(left, never)]))
    }
  }
  return {
    counted(work) {
      hasFailed = false
      return requests.run(work, 'a request')
    },
    rest: (atMostMs) => yieldFor(rest(atMostMs)),
    stop() {
      isStopped = true
      stayWithPolls()
      for (const go of waiting.splice(0)) go()
    },
  }
}
