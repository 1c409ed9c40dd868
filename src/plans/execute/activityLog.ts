import type { Hex } from 'viem'
import { networks } from '../../chain/deployments/networks.js'
import type { AccountRecord, ActivityRecord, PlanRecord, Store } from '../../store/store.js'
import type { Clock } from '../../time/clock.js'
import { whenWritable } from '../../time/whenWritable.js'
import { contextsOf } from '../build/details.js'
import type { ActivityItem, BridgedItem, OperationItem } from '../model/activityItem.js'
import { notRunItem } from './activityItems.js'

/** What is noted of an execution while it is carried out. */
export type ActivityLog = ReturnType<typeof createActivityLog>

/** The activity's metadata as it grows: its operations in order, and what bridges bring before what waits for it. */
export function createActivityLog(
  { clock, store }: { clock: Clock; store: Store },
  {
    account,
    plan,
    pending,
    signal,
  }: { account: AccountRecord; plan: PlanRecord; pending: ActivityRecord; signal: AbortSignal },
) {
  const items = new Map<Hex, OperationItem>()
  const externals = new Map<string, BridgedItem>()
  for (const item of pending.metadata) {
    if ('relay_hash' in item) externals.set(externalKey(item), item)
    else if (item.svc_operation_nonce !== null) items.set(item.svc_operation_nonce, item)
  }
  let written = JSON.stringify(pending.metadata)
  const metadata = (): ActivityItem[] => {
    const of = (contingent: boolean) =>
      plan.operations
        .filter((op) => (op.contingent ?? false) === contingent)
        .map((op) => items.get(op.nonce)!)
    return [
      ...of(false),
      ...[...externals.values()].toSorted((a, b) => originOf(a) - originOf(b)),
      ...of(true),
    ]
  }
  const write = (status: ActivityRecord['status']): Promise<void> => {
    const now = metadata()
    written = JSON.stringify(now)
    const update = () =>
      store.updateActivity({ ...pending, status, metadata: now, updatedAtMs: clock.now() })
    return whenWritable(update, signal)
  }
  const contexts = contextsOf(plan)
  return {
    /** Whether the operation had failed before an interruption. */
    hasFailed: (nonce: Hex): boolean => items.get(nonce)?.success === false,
    /** What was noted before an interruption stays as it was. */
    set(nonce: Hex, item: OperationItem) {
      if (items.get(nonce)?.success !== true) items.set(nonce, item)
    },
    /** What happens from outside; what was noted before an interruption stays as it was. */
    external(item: BridgedItem) {
      const key = externalKey(item)
      const known = externals.get(key)
      const isNew =
        !known ||
        (item.success !== null &&
          (item.success !== known.success || item.transaction_hash !== known.transaction_hash))
      if (isNew) externals.set(key, item)
    },
    /** Nothing is written, and no event sent, when all of it was known before. */
    async update() {
      if (JSON.stringify(metadata()) !== written) await write('pending')
    },
    confirm: () => write('confirmed'),
    /** Ends the activity; what has not been sent by now is not going to be, and says why. */
    fail() {
      const cause = metadata().find((item) => item.success === false)
      const where = networks.find(({ chainId }) => chainId === cause?.chain_id)?.name
      const reason = `not run: ${cause?.action_type} on ${where} failed: ${cause?.revert_reason}`
      plan.operations.forEach((operation, i) => {
        if (items.get(operation.nonce)?.success !== null) return
        const [context, wallet, nowMs] = [contexts[i]!, account.walletAddress, clock.now()]
        items.set(operation.nonce, notRunItem({ operation, context, wallet, nowMs }, reason))
      })
      return write('failed')
    },
  }
}

/** What a bridge brings or returns, once per deposit. */
function externalKey({ action_type, relay_hash }: BridgedItem): string {
  return `${action_type}/${relay_hash}`
}

/** The chain that the deposit of an external item was made on. */
function originOf({ action_context: context, chain_id }: BridgedItem): number {
  return context.action_type === 'BRIDGE_MINT' ? Number(context.source_chain_id) : chain_id
}
