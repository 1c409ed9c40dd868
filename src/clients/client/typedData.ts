import { multiDigest, operationDigest, type SignedOperation } from '../../chain/wallet/wallet.js'
import type { HexText, Schemas } from './types.js'

/** EIP-712 typed data as wallets take it (`eth_signTypedData_v4`). */
export interface SvcTypedData {
  domain: { name: string; version: string; chainId?: number; verifyingContract?: HexText }
  types: Record<string, { name: string; type: string }[]>
  primaryType: string
  message: Record<string, unknown>
}

const domain = { name: 'Svc Wallet', version: '1' }
const field = (name: string, type: string) => ({ name, type })
const nameFields = [field('name', 'string'), field('version', 'string')]

/**
 * The typed data of a plan. Throws when its hash is not the plan's digest: then the signature would be for something else than the plan
 * says.
 */
export function typedDataOf(plan: Schemas['Plan']): SvcTypedData {
  const operations = plan.details.svc_operation_actions.map(({ operation, action }) => ({
    chainId: Number(action.chain_id),
    wallet: action.svc_account,
    operation: signed(operation),
  }))
  const digests = operations.map(({ operation, chainId, wallet }) =>
    operationDigest(operation, chainId, wallet),
  )
  const [only, ...more] = operations
  const isOne = only !== undefined && more.length === 0
  const { digest } = isOne ? digests[0]! : multiDigest(digests.map((each) => each.digest))
  const expected = plan.details.eip712_data.digest
  if (digest !== expected)
    throw new Error(
      `plan ${plan.plan_id} asks to sign ${expected}, but its operations make ${digest}; do not sign it`,
    )
  return isOne ? oneOperation(only) : manyOperations(digests.map((each) => each.digest))
}

function oneOperation(only: {
  chainId: number
  wallet: HexText
  operation: SignedOperation
}): SvcTypedData {
  const { chainId, wallet, operation } = only
  return {
    domain: { ...domain, chainId, verifyingContract: wallet },
    types: {
      EIP712Domain: [
        ...nameFields,
        field('chainId', 'uint256'),
        field('verifyingContract', 'address'),
      ],
      SvcOperation: [
        field('nonce', 'bytes32'),
        field('isReplayable', 'bool'),
        field('scriptAddress', 'address'),
        field('scriptSources', 'bytes[]'),
        field('scriptCalldata', 'bytes'),
        field('expiry', 'uint256'),
      ],
    },
    primaryType: 'SvcOperation',
    message: { ...operation, expiry: operation.expiry.toString() },
  }
}

/** Without chain and contract, so that one signature reaches all networks. */
function manyOperations(opDigests: readonly HexText[]): SvcTypedData {
  return {
    domain,
    types: {
      EIP712Domain: nameFields,
      MultiSvcOperation: [field('opDigests', 'bytes32[]')],
    },
    primaryType: 'MultiSvcOperation',
    message: { opDigests },
  }
}

function signed(operation: Schemas['Operation']): SignedOperation {
  return {
    nonce: operation.nonce,
    isReplayable: operation.is_replayable,
    scriptAddress: operation.script_address,
    scriptSources: operation.script_sources,
    scriptCalldata: operation.script_calldata,
    expiry: Number(operation.expiry),
  }
}
