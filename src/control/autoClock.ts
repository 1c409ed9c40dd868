import type { Nodes } from '../chain/rpc/node.js'
import { createListeners } from '../lib/listeners.js'
import {
  type BackgroundTasks,
  createBackgroundTasks,
  currentTask,
  type Task,
  yieldFor,
} from '../time/backgroundTasks.js'
import { realWait, type SettableClock } from '../time/clock.js'
import type { SystemLock } from './systemLock.js'
import type { OwnTimekeeper } from './timekeeper.js'

/**
 * How a request waits for the simulator to be at rest. `briefly`: for a limited time. `asClient`: an `auto` clock skips nothing before a
 * client has first read an execution. `wholly`: no limit holds an `auto` clock, not even a plan that would expire.
 */
export type Settling = 'briefly' | 'asClient' | 'wholly'

export interface AutoClockParts {
  clock: SettableClock
  nodes: Nodes
  tasks: BackgroundTasks
  lock: Pick<SystemLock, 'shared'>
  skip: OwnTimekeeper['skip']
  isOpenPlan(planId: string): boolean
  onError(message: string, cause: unknown): void
}

/** Long polls end after this time if nothing else is awaited. Milliseconds of the machine. */
const emptyPollMs = 250

const never = new AbortController().signal

/** Moves the clock while its mode is `auto`. */
export function createAutoClock(parts: AutoClockParts) {
  const { clock, nodes, tasks, lock } = parts
  const stands = nodes.all().map(({ lifecycle }) => lifecycle.stand)
  const { requests, counted, whileResting, begun, isWaitedForSince } = createRequestCount()
  const { isOpenPlan } = parts
  const limits = createSkipLimits({ clock, isOpenPlan, requestsBegun: begun, isWaitedForSince })
  let [isMoving, isStopped, hasFailed] = [false, false, false]
  const polls = createPollEnd(() => move())
  const waiting: (() => void)[] = []

  const canMove = (): boolean =>
    clock.mode === 'auto' && !isStopped && !hasFailed && !stands.some(({ isStill }) => isStill)
  const isDue = (): boolean => clock.nextDue(Number.POSITIVE_INFINITY) !== undefined
  /** The moment to jump to; undefined while work is under way, or when no task waits for a moment. */
  const wanted = (): number | undefined => {
    const isQuiet = requests.counts().busy === 0 && tasks.counts().busy === 0
    const next =
      canMove() && isQuiet && (polls.mayEnd() || isDue()) ? clock.nextWaited() : undefined
    return next === undefined || limits.keepFrom(next) ? undefined : next
  }
  const endPollsLater = (): void => {
    if (canMove() && !isDue() && clock.nextWaited() !== undefined) polls.endLater()
  }
  const moveOn = async (): Promise<void> => {
    try {
      for (;;) {
        const hanging = await tasks.settled()
        if (hanging.length > 0 || wanted() === undefined) return
        // A restore may have come first, so `wanted` is evaluated again inside the lock.
        if (!(await lock.shared('the clock', () => parts.skip(wanted)))) return
        polls.moved()
      }
    } catch (cause) {
      hasFailed = true
      if (!isStopped) parts.onError('the clock could not continue', cause)
    }
  }
  const move = (): void => {
    if (isMoving || clock.mode !== 'auto') return
    if (requests.counts().busy > 0) {
      polls.stay()
      return
    }
    isMoving = true
    void moveOn().finally(() => {
      isMoving = false
      if (requests.counts().busy === 0) endPollsLater()
      else polls.stay()
      for (const go of waiting.splice(0)) go()
    })
  }
  for (const source of [clock, tasks, requests, limits, ...stands]) source.onChange(move)

  const isKept = (): boolean => limits.keepFrom(clock.nextDue(Number.POSITIVE_INFINITY)!)
  const rest = async (atMostMs?: number, lift?: () => void): Promise<void> => {
    const until = atMostMs === undefined ? undefined : performance.now() + atMostMs
    for (;;) {
      const hanging = await tasks.settled(undefined, atMostMs)
      // Background work of earlier requests may have set a limit since.
      lift?.()
      if (hanging.length > 0 || !canMove() || !isDue() || isKept()) return
      const left = until === undefined ? undefined : until - performance.now()
      if (left !== undefined && left <= 0) return
      const round = new Promise<void>((resolve) => waiting.push(resolve))
      move()
      await (left === undefined ? round : Promise.race([round, realWait(left, never)]))
    }
  }
  return {
    limits,
    /** Holds the clock while the request works; a request that waits for the clock must `yieldFor` it. */
    counted<T>(work: () => Promise<T>): Promise<T> {
      hasFailed = false
      return counted(work)
    },
    /**
     * Resolves when nothing is busy and nothing is due, so that the next request finds the same state in every run. Also resolves when the
     * clock cannot move (work hangs, a node does not answer, a limit holds it), and after `atMostMs` of the machine's time. Calls `lift`
     * whenever nothing is busy, for callers that lift limits.
     */
    rest: (atMostMs?: number, lift?: () => void): Promise<void> =>
      whileResting(() => yieldFor(rest(atMostMs, lift))),
    stop(): void {
      isStopped = true
      polls.stay()
      for (const go of waiting.splice(0)) go()
    },
  }
}

function createPollEnd(onEnd: () => void) {
  let timer: NodeJS.Timeout | undefined
  let mayEnd = false
  return {
    mayEnd: () => mayEnd,
    endLater(): void {
      timer ??= setTimeout(() => {
        timer = undefined
        mayEnd = true
        onEnd()
      }, emptyPollMs).unref()
    },
    moved(): void {
      mayEnd = false
    },
    stay(): void {
      clearTimeout(timer)
      timer = undefined
      mayEnd = false
    },
  }
}

function createRequestCount() {
  const requests = createBackgroundTasks()
  const [inFlight, resting] = [new Map<Task, number>(), new Set<Task>()]
  let begun = 0
  return {
    requests,
    begun: () => begun,
    isWaitedForSince: (number: number): boolean =>
      [...inFlight].some(([job, own]) => own > number && job.yielding > 0 && !resting.has(job)),
    counted: <T>(work: () => Promise<T>): Promise<T> =>
      requests.run(async () => {
        const job = currentTask()!
        inFlight.set(job, ++begun)
        try {
          return await work()
        } finally {
          inFlight.delete(job)
        }
      }, 'a request'),
    async whileResting(work: () => Promise<void>): Promise<void> {
      const job = currentTask()
      if (job) resting.add(job)
      try {
        await work()
      } finally {
        if (job) resting.delete(job)
      }
    },
  }
}

interface SkipLimitParts {
  clock: { now(): number }
  isOpenPlan(planId: string): boolean
  requestsBegun(): number
  /** Whether a request that began after that number of requests is waiting. */
  isWaitedForSince(begun: number): boolean
}

/** How long an open plan holds the clock. Milliseconds of the machine. */
const planStretchMs = 10_000

/** How long an unread execution holds the clock; then its client seems to wait. Milliseconds of the machine. */
const unseenStretchMs = 2_000

/** Limits of an `auto` clock: it does not jump past the expiry of open plans, nor past executions that no client has read. */
export function createSkipLimits(parts: SkipLimitParts) {
  const plans = new Map<string, { expiresAtMs: number; untilMs: number }>()
  const unseen = new Map<string, { accountId: string; begun: number; untilMs: number }>()
  const changes = createListeners<void>()
  let timer: NodeJS.Timeout | undefined

  /** Checks again when a limit has ended by real time. */
  const recheckAt = (untilMs: number): void => {
    clearTimeout(timer)
    timer = setTimeout(() => changes.publish(), Math.max(1, untilMs - performance.now())).unref()
  }
  const awaited = (): number | undefined => {
    for (const [id, { begun, untilMs }] of unseen) {
      if (untilMs > performance.now() && !parts.isWaitedForSince(begun)) return untilMs
      unseen.delete(id)
    }
    return undefined
  }
  const openPast = (dueMs: number): number | undefined => {
    for (const [id, { expiresAtMs, untilMs }] of plans) {
      if (untilMs <= performance.now() || !parts.isOpenPlan(id)) plans.delete(id)
      else if (dueMs >= expiresAtMs) return untilMs
    }
    return undefined
  }
  return {
    /** A plan was created or changed. */
    planned({ planId, expiresAtMs }: { planId: string; expiresAtMs: number }): void {
      plans.delete(planId)
      if (expiresAtMs <= parts.clock.now()) return
      plans.set(planId, { expiresAtMs, untilMs: performance.now() + planStretchMs })
    },
    /** An execution is pending, and no client has read it yet. */
    began({ activityId, accountId }: { activityId: string; accountId: string }): void {
      const untilMs = performance.now() + unseenStretchMs
      unseen.set(activityId, { accountId, begun: parts.requestsBegun(), untilMs })
    },
    ended: (activityId: string) => void unseen.delete(activityId),
    /** A client has read an activity, all of an account, or everything. */
    clientRead({
      activityId,
      accountId,
    }: {
      activityId?: string | undefined
      accountId?: string | undefined
    } = {}): void {
      const before = unseen.size
      for (const [id, execution] of unseen)
        if ((activityId ?? id) === id && (accountId ?? execution.accountId) === execution.accountId)
          unseen.delete(id)
      if (unseen.size < before) changes.publish()
    },
    lift(): void {
      plans.clear()
      unseen.clear()
      changes.publish()
    },
    /** Whether a limit holds the clock before this moment. */
    keepFrom(dueMs: number): boolean {
      const untilMs = awaited() ?? openPast(dueMs)
      if (untilMs !== undefined) recheckAt(untilMs)
      return untilMs !== undefined
    },
    /** Calls back when a limit has been lifted. Returns the unsubscribe function. */
    onChange: changes.add,
  }
}
