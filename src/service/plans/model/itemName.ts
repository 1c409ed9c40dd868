import { networks } from '../../../deployments/networks.js'
import type { ActivityItem } from './activityItem.js'

/** What people call a part of an activity: `operation 2 of 3 (SUPPLY on base)`, `the bridge from arbitrum to base`. */
export function itemName(metadata: readonly ActivityItem[], item: ActivityItem): string {
  const { action_type, action_context: context, chain_id } = item
  const where = networkName(chain_id)
  if (context.action_type === 'BRIDGE_MINT')
    return `the bridge from ${networkName(Number(context.source_chain_id))} to ${where}`
  const what = `${action_type} on ${where}`
  const own: readonly ActivityItem[] = metadata.filter((each) => each.svc_operation_nonce !== null)
  const place = own.indexOf(item) + 1
  return place === 0 || own.length === 1 ? what : `operation ${place} of ${own.length} (${what})`
}

function networkName(id: number): string {
  return networks.find(({ chainId }) => chainId === id)?.name ?? `chain ${id}`
}
