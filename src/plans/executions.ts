import type { Worker } from '../stateful.js'
import type { ExecutionRecord } from '../store/store.js'
import type { PlanKind } from './kind.js'
import { type RelayParts, relay, type Submission, submissionsOf } from './relay.js'

/** What carrying out plans in the background takes. */
export interface ExecutionParts extends RelayParts {
  kinds: readonly PlanKind[]
  /** Told when following an execution failed for a reason that is not the chain's. */
  onError(message: string, cause: unknown): void
}

/** The executions under way. Paused, their activities stay pending; resumed, each goes on from where the chains say it stands. */
export interface Executions extends Worker {
  /** Begins with a plan that has just been consumed. */
  begin(execution: ExecutionRecord, submissions: readonly Submission[]): void
}

/** Keeps the executions of one process. */
export function createExecutions(parts: ExecutionParts): Executions {
  const underWay = new Map<string, Promise<void>>()
  let interrupt = new AbortController()

  /** Without submissions it was begun before: they are made again, and what landed is looked up. */
  const follow = (execution: ExecutionRecord, submissions?: readonly Submission[]): void => {
    const { account, plan, signature, activity } = execution
    const { activityId } = activity
    const { signal: stop } = interrupt
    const before = underWay.get(activityId)
    const following = (async () => {
      await before // A send that had not ended when it was to pause.
      const pending = before ? await parts.store.activity(account.accountId, activityId) : activity
      if (pending?.status !== 'pending') return
      await relay(parts, {
        account,
        plan,
        kind: kindOf(parts, plan.kind),
        submissions: submissions ?? submissionsOf(account, plan, signature),
        pending,
        resumed: submissions === undefined,
        stop,
      })
    })()
      .catch((cause) => parts.onError(`${activityId} could not be followed`, cause))
      .finally(() => underWay.get(activityId) === following && underWay.delete(activityId))
    underWay.set(activityId, following)
  }

  return {
    begin: follow,
    async resume() {
      interrupt = new AbortController()
      for (const execution of await parts.store.executions()) follow(execution)
    },
    async pause() {
      interrupt.abort()
      await Promise.all(underWay.values())
    },
  }
}

/** The plan kind of this name. */
export function kindOf({ kinds }: { kinds: readonly PlanKind[] }, name: string): PlanKind {
  const kind = kinds.find((candidate) => candidate.kind === name)
  if (!kind) throw new Error(`unknown plan kind ${name}`)
  return kind
}
