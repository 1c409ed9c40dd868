import type { NetworkName } from '../../../deployments/networks.js'
import { serialQueue } from '../../../lib/serialQueues.js'
import type { ExecutionRecord } from '../../store/store.js'
import type { RelayParts } from './execution.js'
import { fallenOut, inChainOrder } from './reorg.js'

/** Begins executions again that were over (`ended`) until blocks of a chain were replaced; `begin` is told of each. */
export function createReopener(
  parts: RelayParts,
  begin: (execution: ExecutionRecord) => Promise<void>,
  ended: () => readonly ExecutionRecord[],
) {
  // Of two at once both would find the same activity confirmed, and report it twice.
  const inTurn = serialQueue()
  /** Networks whose blocks were replaced while an execution was under way: what it had sent before may have fallen out. */
  const doubted = new Map<string, Set<NetworkName>>()

  /** True when something of it has fallen out on this network. */
  const reopen = (execution: ExecutionRecord, network: NetworkName, signal: AbortSignal) =>
    inTurn(async (): Promise<boolean> => {
      const again = await fallenOut(parts, execution, network)
      if (!again || signal.aborted) return false
      if (again.activity.status === 'failed') {
        await parts.store.updateActivity(again.activity)
        return false
      }
      await parts.store.reopenExecution(again)
      await begin(again)
      return true
    })
  const reopenAll = async (network: NetworkName, signal: AbortSignal): Promise<void> => {
    for (const execution of await inChainOrder(parts.store, ended(), network))
      await reopen(execution, network, signal)
  }
  return {
    /** Begins all those again of which something has fallen out on this network, in the order in which they were mined there. */
    reopenAll,
    /** Blocks of this network have been replaced while these activities are being followed. */
    doubt(activityIds: readonly string[], network: NetworkName): void {
      for (const id of activityIds) doubted.set(id, new Set(doubted.get(id)).add(network))
    },
    /** Looks once more at one that has just ended. True when it is not over after all, and was begun again. */
    async isUnsettled(execution: ExecutionRecord, signal: AbortSignal): Promise<boolean> {
      const { account, activity: known } = execution
      const networks = doubted.get(known.activityId) ?? []
      doubted.delete(known.activityId)
      const activity = await parts.store.activity(account.accountId, known.activityId)
      if (activity?.status === 'pending') {
        // A deposit of it has fallen out, so nobody is going to fill it. It may spend what others there had brought before.
        for (const { network } of execution.plan.operations) await reopenAll(network, signal)
        if (!signal.aborted) await begin({ ...execution, activity })
        return true
      }
      for (const network of networks) if (await reopen(execution, network, signal)) return true
      return false
    },
    /** Forgets all doubts: the state is taken back. */
    forget: (): void => doubted.clear(),
  }
}
