import type { Address, Hex } from 'viem'
import { networks } from '../../../deployments/networks.js'
import type { ActionType, ContextOf, ObservedContext, PlannedContext } from './contexts.js'
import type { SemanticEvent } from './semanticEvents.js'

/** What every item of an activity's metadata has (service-facts 12.2), verbatim wire JSON. */
interface ItemFacts {
  /** Null while it is pending. */
  success: boolean | null
  chain_id: number
  transaction_hash: Hex | null
  svc_wallet_address: Address
  from: Address | null
  to: Address | null
  semantic_events: SemanticEvent[]
  payment_method: 'sponsored'
  /** Unix seconds. */
  expiry: number | null
  gas_used: string | null
  gas_price: string | null
  gas_overhead: string
  gas_estimate: string
  /** This and the other times: ISO 8601, whole seconds. */
  executed_at: string | null
  executed_at_block_number: number | null
  reverted_at: string | null
  revert_reason: string | null
  revert_signature: Hex | null
  revert_values: string[] | null
  updated_at: string
}

/** What every item has where it does not say otherwise. */
export const blankItem = {
  from: null,
  to: null,
  payment_method: 'sponsored',
  expiry: null,
  gas_used: null,
  gas_price: null,
  // As the published sample has them; the relayer pays, and nothing is estimated.
  gas_overhead: '0',
  gas_estimate: '',
  executed_at: null,
  executed_at_block_number: null,
  reverted_at: null,
  revert_reason: null,
  revert_signature: null,
  revert_values: null,
} as const satisfies Partial<ItemFacts>

export interface OperationItem extends ItemFacts {
  /** `unexecuted`: signed and not mined. */
  activity_record_type: 'unexecuted' | 'executed'
  svc_operation_nonce: Hex
  action_type: PlannedContext['action_type']
  action_context: PlannedContext
  /** Not answered as it is: what the newer form of the activity says was observed comes from it. */
  observed_context?: ObservedContext
  /** Of a deposit: until when it can be filled, in Unix seconds. Not answered. */
  fill_deadline?: number
  /** Of one that ran out of time: the fault rules that kept it from being mined until then. Not answered. */
  stopped_by?: readonly { rule: string; effect: string }[]
}

interface Exogenous<Type extends ActionType> extends ItemFacts {
  activity_record_type: 'exogenous'
  svc_operation_nonce: null
  action_type: Type
  action_context: ContextOf<Type>
}

/** What a bridge brings, or returns. */
interface Bridged<Type extends 'BRIDGE_MINT' | 'BRIDGE_REFUND'> extends Exogenous<Type> {
  relay_hash: Hex
}

export interface FillItem extends Bridged<'BRIDGE_MINT'> {
  /** As that of an operation: once it has come, in the form in which it came. */
  observed_context?: ContextOf<'BRIDGE_MINT'>
  /** Of a failed one: the fault rules that kept the fill, or its deposit, from being mined until its deadline. Not answered. */
  stopped_by?: readonly { rule: string; effect: string; of?: 'deposit' }[]
}
/** What a bridge did, of an executed plan. */
export type BridgedItem = FillItem | Bridged<'BRIDGE_REFUND'>

/** An outside event of a wallet, without a plan. */
export type OutsideItem = Exogenous<'INBOUND_TRANSFER' | 'COMET_LIQUIDATION' | 'MORPHO_LIQUIDATION'>

/** An item of an activity's metadata. Those of operations have a nonce. */
export type ActivityItem = OperationItem | BridgedItem | OutsideItem

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

export function networkName(id: number): string {
  return networks.find(({ chainId }) => chainId === id)?.name ?? `chain ${id}`
}
