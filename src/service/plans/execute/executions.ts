import type { NetworkName } from '../../../deployments/networks.js'
import { manyAborted } from '../../../lib/abort.js'
import { keepNewest } from '../../../lib/keepNewest.js'
import type { Stateful, Worker } from '../../../lib/lifecycle.js'
import { serialQueue } from '../../../lib/serialQueues.js'
import type { BackgroundTasks } from '../../../time/backgroundTasks.js'
import { currentScope, inScope, type RequestScope } from '../../context/requestContext.js'
import type { AccountRecord, ExecutionRecord, PlanRecord } from '../../store/store.js'
import { kindOf, type PlanKind } from '../model/kind.js'
import {
  createTurns,
  type Execution,
  type RelayParts,
  type SendPlan,
  type Submission,
  sendPlan,
  submissionsOf,
  type Turns,
} from './execution.js'
import { type ExecutionEnd, relay } from './relay.js'
import { fallenOut, hasBeenConfirmed, hasFallen, inChainOrder } from './reorg.js'

export interface ExecutionParts extends RelayParts {
  kinds: readonly PlanKind[]
  track: BackgroundTasks['run']
  /** Called when following an execution failed for a reason other than the chain. */
  onError(message: string, cause: unknown): void
  /** Called when following an execution has ended, with how and how long it took on the machine. */
  onEnd?(followed: { kind: string; end: ExecutionEnd; ms: number }): void
}

/** How to carry out an execution in an unusual way; applies after a pause, too, while the process lives. */
export interface ExecuteVia {
  send?: SendPlan
  /** Called when the activity has ended, or following it was interrupted. */
  ended?(activityId: string): Promise<void>
}

export interface PlanExecution {
  kind: PlanKind
  account: AccountRecord
  plan: PlanRecord
  signature: string
  /** What the client sent, where a fault rule may have changed it. */
  sent?: string
  via?: ExecuteVia
}

/** The executions under way. While paused, their activities stay pending; resumed, each continues from what is on the chains. */
export interface Executions extends Worker, Stateful<ReadonlyMap<string, ExecutionRecord>> {
  /** Begins with a plan that has just been consumed. */
  begin(execution: ExecutionRecord, submissions: readonly Submission[], via?: ExecuteVia): void
  /**
   * Checks whether a reorganisation has removed transactions of confirmed executions. Their activities become pending again, and the removed
   * transactions are sent again. Covers the latest `retainedExecutions`.
   */
  recheck(network: NetworkName): Promise<void>
}

/** How many ended executions are kept, to be resumed when a reorganisation removes their transactions. */
const retainedExecutions = 100

interface Following extends Pick<Execution, 'resumed'> {
  submissions(): readonly Submission[]
  run(carryOut: (turns?: Turns) => Promise<void>): Promise<void>
}

export function createExecutions(parts: ExecutionParts): Executions {
  const underWay = new Map<string, Promise<void>>()
  const restarts = createRestarts(parts)
  let ended = new Map<string, ExecutionRecord>()
  const unusual = new Map<string, ExecuteVia>()
  const allTurns = createTurns()
  let interrupt = manyAborted()

  const follow = (execution: ExecutionRecord, via: ExecuteVia, how: Following): void => {
    const { account, plan, activity } = execution
    const { activityId } = activity
    unusual.set(activityId, via)
    const [{ signal }, before] = [interrupt, underWay.get(activityId)]
    const carryOut = async (turns?: Turns): Promise<void> => {
      await before // a send that had not ended at the pause
      const pending = before ? await parts.store.activity(account.accountId, activityId) : activity
      if (pending?.status !== 'pending') return
      const begun = performance.now()
      const end = await relay(parts, {
        account,
        plan,
        kind: kindOf(parts, plan.kind),
        submissions: how.submissions(),
        pending,
        send: via.send ?? sendPlan,
        resumed: how.resumed,
        ...restarts.open(execution, signal),
        ...(turns && { turns }),
      }).finally(() => restarts.close(execution))
      parts.onEnd?.({ kind: plan.kind, end, ms: performance.now() - begun })
      ended.set(activityId, execution)
      keepNewest(ended, retainedExecutions)
      if (signal.aborted || (await reopener.isUnsettled(execution, signal))) return
      unusual.delete(activityId)
      await via.ended?.(activityId)
    }
    const following = parts
      .track(() => how.run(carryOut), `the execution of ${activityId}`)
      .catch((cause) => parts.onError(`${activityId} could not be followed`, cause))
      .finally(() => underWay.get(activityId) === following && underWay.delete(activityId))
    underWay.set(activityId, following)
  }

  const resume = async (execution: ExecutionRecord): Promise<void> => {
    const { account, plan, signature, activity } = execution
    const wasConfirmed = await hasBeenConfirmed(parts.store, execution)
    follow(execution, unusual.get(activity.activityId) ?? {}, {
      submissions: () => submissionsOf(account, plan, signature),
      resumed: true,
      run: (carryOut) => allTurns.during(plan, wasConfirmed, carryOut),
    })
  }
  const reopener = createReopener(parts, resume, () => [...ended.values()])

  return {
    begin(execution, submissions, via = {}) {
      reopener.begun(execution)
      const run: Following['run'] = (carryOut) => carryOut()
      follow(execution, via, { submissions: () => submissions, resumed: false, run })
    },
    async recheck(network) {
      reopener.doubt([...underWay.keys()], network)
      await restarts.recheck(network)
      await reopener.reopenAll(network, interrupt.signal)
    },
    async resume() {
      interrupt = manyAborted()
      for (const execution of await parts.store.executions()) await resume(execution)
    },
    async pause() {
      interrupt.abort()
      await Promise.all(underWay.values())
    },
    /** Executions under way are in the store; this saves the ended ones that a reorganisation may reopen. */
    save: () => new Map(ended),
    restore(saved) {
      reopener.forget()
      ended = new Map(saved)
    },
  }
}

/** Interrupts single executions, which then resume from what is on the chains. */
function createRestarts({ nodes, store }: Pick<ExecutionParts, 'nodes' | 'store'>) {
  const running = new Map<ExecutionRecord, AbortController>()
  return {
    open(execution: ExecutionRecord, signal: AbortSignal): Pick<Execution, 'signal' | 'restart'> {
      const own = new AbortController()
      running.set(execution, own)
      return { signal: AbortSignal.any([signal, own.signal]), restart: () => own.abort() }
    },
    close: (execution: ExecutionRecord): void => void running.delete(execution),
    /** Interrupts executions with a recorded transaction that is no longer on this network. */
    async recheck(network: NetworkName): Promise<void> {
      for (const [{ account, activity: known }, own] of [...running]) {
        const activity = await store.activity(account.accountId, known.activityId)
        if (activity && (await hasFallen(nodes.get(network), activity.metadata))) own.abort()
      }
    },
  }
}

/** Reopens ended executions when blocks of a chain were replaced, and resumes each with `begin`. */
function createReopener(
  parts: RelayParts,
  begin: (execution: ExecutionRecord) => Promise<void>,
  ended: () => readonly ExecutionRecord[],
) {
  // Two at once would both find the activity confirmed, and report its change twice.
  const inTurn = serialQueue()
  /** The request that executed, by activity id. A reopened execution adds its notes to that request; another part may have noticed the reorganisation. */
  const callers = new Map<string, RequestScope>()
  /** Networks whose blocks were replaced while an execution was under way, which may have removed its earlier transactions. */
  const doubted = new Map<string, Set<NetworkName>>()

  /** Resolves to whether a transaction of it was removed from this network. */
  const reopen = (execution: ExecutionRecord, network: NetworkName, signal: AbortSignal) =>
    inTurn(async (): Promise<boolean> => {
      const reopened = await fallenOut(parts, execution, network)
      if (!reopened || signal.aborted) return false
      const caller = callers.get(execution.activity.activityId)
      return caller ? inScope(caller, () => resume(reopened)) : resume(reopened)
    })
  const resume = async (reopened: ExecutionRecord): Promise<boolean> => {
    if (reopened.activity.status === 'failed') {
      await parts.store.updateActivity(reopened.activity)
      return false
    }
    await parts.store.reopenExecution(reopened)
    await begin(reopened)
    return true
  }
  const reopenAll = async (network: NetworkName, signal: AbortSignal): Promise<void> => {
    for (const execution of await inChainOrder(parts.store, ended(), network))
      await reopen(execution, network, signal)
  }
  return {
    begun({ activity }: ExecutionRecord): void {
      const caller = currentScope()
      if (caller) callers.set(activity.activityId, caller)
      keepNewest(callers, retainedExecutions)
    },
    /** Reopens all executions with removed transactions on this network, in the order in which those were mined. */
    reopenAll,
    /** Blocks of this network were replaced while these activities are being followed. */
    doubt(activityIds: readonly string[], network: NetworkName): void {
      for (const id of activityIds) doubted.set(id, new Set(doubted.get(id)).add(network))
    },
    /** Checks an execution that has just ended. True when it is not over after all, and was resumed. */
    async isUnsettled(execution: ExecutionRecord, signal: AbortSignal): Promise<boolean> {
      const { account, activity: known } = execution
      const networks = doubted.get(known.activityId) ?? []
      doubted.delete(known.activityId)
      const activity = await parts.store.activity(account.accountId, known.activityId)
      if (activity?.status === 'pending') {
        // A deposit was removed, so it will not be filled. The deposit may need funds from earlier executions, which are reopened first.
        for (const { network } of execution.plan.operations) await reopenAll(network, signal)
        if (!signal.aborted) await begin({ ...execution, activity })
        return true
      }
      for (const network of networks) if (await reopen(execution, network, signal)) return true
      return false
    },
    /** Forgets all doubts, because an earlier state is restored. */
    forget: (): void => doubted.clear(),
  }
}
