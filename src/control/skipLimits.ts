import { createListeners } from '../lib/listeners.js'

/** Plans and executions for whose sake an `auto` clock does not jump yet. */
export interface SkipLimits {
  /** A plan was made, or changed. */
  planned(plan: LimitingPlan): void
  /** An execution is pending, and no client has seen that yet. */
  began(execution: { activityId: string; accountId: string }): void
  /** An activity has ended. */
  ended(activityId: string): void
  /** A client has seen an activity, all of an account, or everything. */
  seen(what?: { activityId?: string | undefined; accountId?: string | undefined }): void
  /** Lifts all limits. */
  lift(): void
  /** Whether the clock has to stay before this moment for now. */
  keepFrom(dueMs: number): boolean
  /** Calls back when a limit has been lifted. Returns the unsubscribe function. */
  onChange(listener: () => void): () => void
}

/** What matters of a plan. */
export interface LimitingPlan {
  planId: string
  expiresAtMs: number
}

/** What the limits are about. */
export interface SkipLimitParts {
  clock: { now(): number }
  isOpenPlan(planId: string): boolean
  /** How many requests have begun. */
  requestsBegun(): number
  /** Whether a request waits that began after so many others. */
  isWaitedForSince(begun: number): boolean
}

/** A plan can be executed for so long, whatever the clock skips. Milliseconds of the machine. */
const planStretchMs = 10_000

/** A client that has not looked at its execution after so long seems to wait. Milliseconds of the machine; a bridge takes as long on the clock. */
const unseenStretchMs = 2_000

/** Keeps the limits of one simulator. */
export function createSkipLimits(parts: SkipLimitParts): SkipLimits {
  const plans = new Map<string, { expiresAtMs: number; untilMs: number }>()
  const unseen = new Map<string, { accountId: string; begun: number; untilMs: number }>()
  const changes = createListeners<void>()
  let timer: NodeJS.Timeout | undefined

  /** Looks again when the machine's time lifts a limit. */
  const lookAgainAt = (untilMs: number): void => {
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
    planned({ planId, expiresAtMs }) {
      plans.delete(planId)
      if (expiresAtMs <= parts.clock.now()) return
      plans.set(planId, { expiresAtMs, untilMs: performance.now() + planStretchMs })
    },
    began({ activityId, accountId }) {
      const untilMs = performance.now() + unseenStretchMs
      unseen.set(activityId, { accountId, begun: parts.requestsBegun(), untilMs })
    },
    ended: (activityId) => void unseen.delete(activityId),
    seen({ activityId, accountId } = {}) {
      const before = unseen.size
      for (const [id, each] of unseen)
        if ((activityId ?? id) === id && (accountId ?? each.accountId) === each.accountId)
          unseen.delete(id)
      if (unseen.size < before) changes.publish()
    },
    lift() {
      plans.clear()
      unseen.clear()
      changes.publish()
    },
    keepFrom(dueMs) {
      const untilMs = awaited() ?? openPast(dueMs)
      if (untilMs !== undefined) lookAgainAt(untilMs)
      return untilMs !== undefined
    },
    onChange: changes.add,
  }
}
