import type { Address, Hex } from 'viem'
import { multiDigest, operationDigest, type TypedDigest } from '../../../chain/wallet/wallet.js'
import type { AddressBook } from '../../../deployments/addressBook.js'
import { networkOf, networks } from '../../../deployments/networks.js'
import type { OperationRecord, PlanRecord } from '../../store/store.js'
import type { ContextOf, PlannedContext } from '../model/contexts.js'
import type { OperationAction, PlanDetails, PlanStep } from '../model/planDetails.js'
import type { PlannedOperation } from './planner.js'

/** The version of the planner, that decides the shape of `details` (service-facts 9.3). */
export const detailsVersion = '1.6.0'

/** Each operation's own digest, in array order: what a multi-operation digest is made of. */
export function operationDigests(operations: readonly OperationRecord[], wallet: Address): Hex[] {
  return operations.map((op) => operationDigest(op, networkOf(op.network).chainId, wallet).digest)
}

/** What the signer signs: the digest of the one operation, or the multi digest of several (service-facts 10.1, 10.2). */
export function planDigest(operations: readonly OperationRecord[], wallet: Address): TypedDigest {
  const [only, ...rest] = operations
  if (only && rest.length === 0)
    return operationDigest(only, networkOf(only.network).chainId, wallet)
  return multiDigest(operationDigests(operations, wallet))
}

interface DetailsParts {
  wallet: Address
  digest: TypedDigest
  /** Domain separator and struct hash are left out. */
  digestOnly: boolean
  book: AddressBook
}

export function planDetails(
  planned: readonly PlannedOperation[],
  { wallet, digest, digestOnly, book }: DetailsParts,
): PlanDetails {
  return {
    version: detailsVersion,
    svc_operation_actions: planned.map((item) => operationAction(item, wallet)),
    steps: stepsOf(planned, book),
    eip712_data: digestOnly
      ? { digest: digest.digest }
      : {
          digest: digest.digest,
          domain_separator: digest.domainSeparator,
          hash_struct: digest.hashStruct,
        },
  }
}

/**
 * Service-facts 9.4: one step per operation, each bridge followed by the external step of its arrival. An operation depends on the one before
 * it on its network, and on all arrivals there if it waits for bridges. `depends_on` holds indices into the list.
 */
function stepsOf(planned: readonly PlannedOperation[], book: AddressBook): PlanStep[] {
  const steps: PlanStep[] = []
  const arrivals = new Map<string, number[]>()
  const last = new Map<string, number>()
  planned.forEach(({ operation, context }, index) => {
    const { action_type, chain_id, ...rest } = context
    const before = last.get(chain_id)
    last.set(chain_id, steps.length)
    steps.push({
      type: 'svc_operation',
      chain_id,
      operation_index: index,
      expected_actions: [{ action_type, action_context: { chain_id, ...rest } }],
      depends_on: [
        ...(operation.contingent ? (arrivals.get(chain_id) ?? []) : []),
        ...(before === undefined ? [] : [before]),
      ].sort((a, b) => a - b),
    })
    if (context.action_type !== 'BRIDGE') return
    const { destination_chain_id: destination } = context
    steps.push(arrivalStep(book, context, steps.length - 1))
    arrivals.set(destination, [...(arrivals.get(destination) ?? []), steps.length - 1])
  })
  return steps
}

function arrivalStep(
  book: AddressBook,
  context: ContextOf<'BRIDGE'>,
  sendingStep: number,
): PlanStep {
  const { input_amount, output_amount, destination_chain_id: destination } = context
  const { name } = networks.find(({ chainId }) => String(chainId) === destination)!
  const symbol = context.destination_asset_symbol
  return {
    type: 'exogenous',
    chain_id: destination,
    execution_type: 'bridge_receive',
    expected_actions: [
      {
        action_type: 'BRIDGE_MINT',
        action_context: {
          asset_symbol: symbol,
          bridge_type: context.bridge_type,
          chain_id: destination,
          input_amount,
          max_fee: (BigInt(input_amount) - BigInt(output_amount)).toString(),
          output_amount,
          recipient: context.recipient,
          source_chain_id: context.chain_id,
          token: book.token(name, symbol)!.address,
        },
      },
    ],
    depends_on: [sendingStep],
  }
}

function operationAction(
  { operation, context }: PlannedOperation,
  wallet: Address,
): OperationAction {
  return {
    operation: {
      nonce: operation.nonce,
      is_replayable: operation.isReplayable,
      script_address: operation.scriptAddress,
      script_sources: operation.scriptSources,
      script_calldata: operation.scriptCalldata,
      expiry: operation.expiry.toString(),
    },
    action: {
      chain_id: context.chain_id,
      svc_account: wallet,
      action_type: context.action_type,
      action_context: context,
      nonce_secret: operation.nonce,
      total_plays: '1',
      execution_type: operation.contingent ? 'CONTINGENT' : 'IMMEDIATE',
    },
  }
}

/** The action contexts of a stored plan, in the order of its operations. */
export function contextsOf(plan: PlanRecord): PlannedContext[] {
  return plan.details.svc_operation_actions.map((item) => item.action.action_context)
}
