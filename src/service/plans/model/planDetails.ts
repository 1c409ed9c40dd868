import type { Address, Hex } from 'viem'
import type { ContextOf, PlannedContext } from './contexts.js'

/** The answer of every plan-creation endpoint (interface.md, "Plan"). `details` is wire JSON. */
export interface PlanAnswer {
  plan_id: string
  details: PlanDetails
  /** ISO 8601. */
  expires_at: string
}

/** `details` of a plan answer (interface.md "Plan", service-facts 9.3 and 9.4), verbatim wire JSON. */
export interface PlanDetails {
  version: string
  /** One per operation, in the order of execution. */
  svc_operation_actions: OperationAction[]
  steps: PlanStep[]
  /** The digest is what the signer signs. Some kinds show nothing else. */
  eip712_data: { digest: Hex; domain_separator?: Hex; hash_struct?: Hex }
}

export interface OperationAction {
  operation: {
    nonce: Hex
    is_replayable: boolean
    script_address: Address
    script_sources: Hex[]
    script_calldata: Hex
    expiry: string
  }
  action: {
    chain_id: string
    svc_account: Address
    action_type: PlannedContext['action_type']
    action_context: PlannedContext
    nonce_secret: Hex
    total_plays: string
    /** `CONTINGENT` runs after the bridges of the plan have delivered. */
    execution_type: 'IMMEDIATE' | 'CONTINGENT'
  }
}

/** A step of a plan: an operation, or the arrival of what a bridge brings. */
export type PlanStep = {
  chain_id: string
  expected_actions: ExpectedAction<PlannedContext | ContextOf<'BRIDGE_MINT'>>[]
  /** Positions in the list of the steps that must come first. */
  depends_on: number[]
} & (
  | { type: 'svc_operation'; operation_index: number }
  | { type: 'exogenous'; execution_type: 'bridge_receive' }
)

/** The context does not repeat its type. */
interface ExpectedAction<Context extends { action_type: string }> {
  action_type: Context['action_type']
  action_context: WithoutType<Context>
}

type WithoutType<Context> = Context extends object ? Omit<Context, 'action_type'> : never
