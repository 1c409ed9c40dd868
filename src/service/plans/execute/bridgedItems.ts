import { type NetworkName, networkOf } from '../../../deployments/networks.js'
import type { ActivityItem, BridgedItem } from '../model/activityItem.js'

/** What bridges bring or give back of an execution, as its activity lists it; begins with what the activity has. */
export function bridgedItems(metadata: readonly ActivityItem[]) {
  const items = new Map<string, BridgedItem>()
  for (const item of metadata) if ('relay_hash' in item) items.set(keyOf(item), item)
  const from = (network: NetworkName): BridgedItem[] =>
    [...items.values()].filter((item) => originOf(item) === networkOf(network).chainId)
  return {
    /** In the order of the chains that their deposits were made on. */
    all: () => [...items.values()].toSorted((a, b) => originOf(a) - originOf(b)),
    /** Those of deposits on this network. */
    from,
    /** What was noted before an interruption stays as it was, unless it is somewhere else now. */
    note(item: BridgedItem): void {
      const known = items.get(keyOf(item))
      if (item.success === null ? !known : !isSameEnd(known, item)) items.set(keyOf(item), item)
    },
    /** What it brought is not on its chain any more: it is expected again. */
    lose(item: BridgedItem): void {
      if (items.get(keyOf(item))?.success) items.set(keyOf(item), item)
    },
    /** Of deposits on this network, forgets all but these. */
    keep(network: NetworkName, kept: readonly BridgedItem[]): void {
      for (const item of from(network)) if (!kept.includes(item)) items.delete(keyOf(item))
    },
  }
}

/** Whether both say that it ended in this way, in this transaction and block. */
export function isSameEnd(known: ActivityItem | undefined, item: ActivityItem): boolean {
  return (
    known?.success === item.success &&
    known.transaction_hash === item.transaction_hash &&
    known.executed_at_block_number === item.executed_at_block_number
  )
}

/** What a bridge brings or returns, once per deposit. */
function keyOf({ action_type, relay_hash }: BridgedItem): string {
  return `${action_type}/${relay_hash}`
}

/** The chain that the deposit of an external item was made on. */
function originOf({ action_context: context, chain_id }: BridgedItem): number {
  return context.action_type === 'BRIDGE_MINT' ? Number(context.source_chain_id) : chain_id
}
