import type { Address, Hex } from 'viem'
import type { TypedDigest } from '../chain/digest.js'
import { multiDigest, operationDigest } from '../chain/digest.js'
import { networkOf } from '../chain/networks.js'
import type { OperationRecord } from '../store/store.js'
import type { PlannedOperation } from './planner.js'

/** The version of the `details` shape (service-facts 9.3). */
const detailsVersion = '1.6.0'

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

/** `details` of a plan answer (interface.md "Plan", service-facts 9.3 and 9.4). */
export function planDetails(
  planned: readonly PlannedOperation[],
  wallet: Address,
  digest: TypedDigest,
  digestOnly: boolean,
): Record<string, unknown> {
  return {
    version: detailsVersion,
    svc_operation_actions: planned.map((item) => operationAction(item, wallet)),
    steps: planned.map(({ context }, index) => {
      const { action_type, ...rest } = context
      return {
        type: 'svc_operation',
        chain_id: context.chain_id,
        operation_index: index,
        expected_actions: [{ action_type, action_context: rest }],
        depends_on: [],
      }
    }),
    eip712_data: digestOnly
      ? { digest: digest.digest }
      : {
          digest: digest.digest,
          domain_separator: digest.domainSeparator,
          hash_struct: digest.hashStruct,
        },
  }
}

function operationAction({ operation, context }: PlannedOperation, wallet: Address) {
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
      execution_type: 'IMMEDIATE',
    },
  }
}
