import type { Address, Hex } from 'viem'
import {
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  getCreate2Address,
  keccak256,
  padHex,
  parseAbiParameters,
  toHex,
} from 'viem/utils'
import { svcWalletFactoryAbi } from '../../generated/abis.js'
import { svcAddresses } from '../../generated/svc.js'

const salt = padHex('0x', { size: 32 })

/**
 * Creation code of a minimal proxy (ERC-1167) with the signer as its immutable argument, as OpenZeppelin's
 * `Clones.cloneDeterministicWithImmutableArgs` makes it: the runtime has 45 bytes of proxy and 32 of argument.
 */
function proxyCode(signer: Address): Hex {
  return concat([
    '0x61004d3d81600a3d39f3363d3d373d3d3d363d73',
    svcAddresses.walletImplementation,
    '0x5af43d82803e903d91602b57fd5bf3',
    padHex(signer.toLowerCase() as Address, { size: 32 }),
  ])
}

/**
 * The wallet of a signer: the same address on every network, known before anything is deployed (interface.md, "What the
 * service does"). Lower case. Equal to `SvcWalletFactory.walletAddressOf`.
 */
export function walletAddressOf(signer: Address): Address {
  return getCreate2Address({
    from: svcAddresses.factory,
    salt,
    bytecodeHash: keccak256(proxyCode(signer)),
  }).toLowerCase() as Address
}

/** An operation as the wallet contract takes it; `OperationRecord` is one. */
export interface SignedOperation {
  nonce: Hex
  isReplayable: boolean
  scriptAddress: Address
  scriptSources: readonly Hex[]
  scriptCalldata: Hex
  /** Unix seconds. */
  expiry: number
}

/** An EIP-712 digest with the two hashes that it is made of. */
export interface TypedDigest {
  digest: Hex
  domainSeparator: Hex
  hashStruct: Hex
}

const hashOf = (text: string): Hex => keccak256(toHex(text))

const domainTypeHash = hashOf(
  'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)',
)
const multiDomainTypeHash = hashOf('EIP712Domain(string name,string version)')
const operationTypeHash = hashOf(
  'SvcOperation(bytes32 nonce,bool isReplayable,address scriptAddress,bytes[] scriptSources,bytes scriptCalldata,uint256 expiry)',
)
const multiTypeHash = hashOf('MultiSvcOperation(bytes32[] opDigests)')
const nameHash = hashOf('Svc Wallet')
const versionHash = hashOf('1')

const domainParameters = parseAbiParameters('bytes32, bytes32, bytes32, uint256, address')
const operationParameters = parseAbiParameters(
  'bytes32, bytes32, bool, address, bytes32, bytes32, uint256',
)

/** The separator has neither chain nor contract in it, so one signature reaches all networks (service-facts 10.2). */
const multiDomainSeparator = keccak256(concat([multiDomainTypeHash, nameHash, versionHash]))

/** What the signer signs for a plan of exactly this operation (service-facts 10.1); equal to `SvcWallet.digestOf`. */
export function operationDigest(
  operation: SignedOperation,
  chainId: number,
  wallet: Address,
): TypedDigest {
  const domainSeparator = keccak256(
    encodeAbiParameters(domainParameters, [
      domainTypeHash,
      nameHash,
      versionHash,
      BigInt(chainId),
      wallet,
    ]),
  )
  const hashStruct = keccak256(
    encodeAbiParameters(operationParameters, [
      operationTypeHash,
      operation.nonce,
      operation.isReplayable,
      operation.scriptAddress,
      keccak256(concat(operation.scriptSources.map((source) => keccak256(source)))),
      keccak256(operation.scriptCalldata),
      BigInt(operation.expiry),
    ]),
  )
  return typed(domainSeparator, hashStruct)
}

/** What the signer signs for a plan of several operations (service-facts 10.2); equal to `SvcWallet.multiDigestOf`. */
export function multiDigest(opDigests: readonly Hex[]): TypedDigest {
  return typed(
    multiDomainSeparator,
    keccak256(concat([multiTypeHash, keccak256(concat(opDigests))])),
  )
}

function typed(domainSeparator: Hex, hashStruct: Hex): TypedDigest {
  return {
    digest: keccak256(concat(['0x1901', domainSeparator, hashStruct])),
    domainSeparator,
    hashStruct,
  }
}

/** What a transaction that executes operations is made of. */
export interface WalletCall {
  signer: Address
  /** The operations of one network, in order. */
  operations: readonly SignedOperation[]
  /** The digests of all operations of the plan, when the plan has several. */
  opDigests?: readonly Hex[] | undefined
  signature: Hex
}

/** The call that makes the wallet if need be and runs the operations: the factory's `createAndExecute…`. */
export function encodeExecution(execution: WalletCall): { to: Address; data: Hex } {
  const { signer, opDigests, signature } = execution
  const operations = execution.operations.map((op) => ({ ...op, expiry: BigInt(op.expiry) }))
  const [first] = operations
  if (!first) throw new Error('an execution needs at least one operation')
  const abi = svcWalletFactoryAbi
  const data =
    opDigests === undefined
      ? encodeFunctionData({
          abi,
          functionName: 'createAndExecute',
          args: [signer, first, signature],
        })
      : operations.length === 1
        ? encodeFunctionData({
            abi,
            functionName: 'createAndExecuteMulti',
            args: [signer, first, opDigests, signature],
          })
        : encodeFunctionData({
            abi,
            functionName: 'createAndExecuteBatch',
            args: [signer, operations, opDigests, signature],
          })
  return { to: svcAddresses.factory, data }
}
