import fc from 'fast-check'
import { domainSeparator, type Hex } from 'viem'
import { decodeFunctionData, getAddress, hashStruct, hashTypedData, pad, toHex } from 'viem/utils'
import { expect, test } from 'vitest'
import { svcWalletFactoryAbi } from '../../generated/abis.js'
import { svcAddresses } from '../../generated/svc.js'
import { encodeExecution, multiDigest, operationDigest, type SignedOperation } from './wallet.js'

const bytes = (constraints: fc.IntArrayConstraints = {}): fc.Arbitrary<Hex> =>
  fc.uint8Array(constraints).map((array) => toHex(array))
const word = bytes({ minLength: 32, maxLength: 32 })
const address = bytes({ minLength: 20, maxLength: 20 })

const operations: fc.Arbitrary<SignedOperation> = fc.record({
  nonce: word,
  isReplayable: fc.boolean(),
  scriptAddress: address,
  scriptSources: fc.array(bytes({ maxLength: 100 }), { maxLength: 3 }),
  scriptCalldata: bytes({ maxLength: 200 }),
  expiry: fc.maxSafeNat(),
})

const operationTypes = {
  SvcOperation: [
    { name: 'nonce', type: 'bytes32' },
    { name: 'isReplayable', type: 'bool' },
    { name: 'scriptAddress', type: 'address' },
    { name: 'scriptSources', type: 'bytes[]' },
    { name: 'scriptCalldata', type: 'bytes' },
    { name: 'expiry', type: 'uint256' },
  ],
} as const
const multiTypes = { MultiSvcOperation: [{ name: 'opDigests', type: 'bytes32[]' }] } as const
const signer = getAddress('0x00000000000000000000000000000000000a11ce')

const plain: SignedOperation = {
  nonce: pad('0x1'),
  isReplayable: false,
  scriptAddress: svcAddresses.scripts.transfer,
  scriptSources: [],
  scriptCalldata: '0x12345678',
  expiry: 1_767_604_500,
}

test('error: an execution without operations', () => {
  const execution = { signer, operations: [], signature: '0x' } as const
  expect(() => encodeExecution(execution)).toThrow('an execution needs at least one operation')
})

test('default: an operation hashes as EIP-712 typed data of its chain and wallet', () => {
  fc.assert(
    fc.property(operations, fc.integer({ min: 1 }), address, (operation, chainId, wallet) => {
      const domain = { name: 'Svc Wallet', version: '1', chainId, verifyingContract: wallet }
      const message = { ...operation, expiry: BigInt(operation.expiry) }
      const primaryType = 'SvcOperation'
      expect(operationDigest(operation, chainId, wallet)).toEqual({
        digest: hashTypedData({ domain, types: operationTypes, primaryType, message }),
        domainSeparator: domainSeparator({ domain }),
        hashStruct: hashStruct({ types: operationTypes, primaryType, data: message }),
      })
    }),
  )
})

test('behavior: a list of digests hashes as typed data of no chain and no wallet', () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 5 }), (opDigests) => {
      const domain = { name: 'Svc Wallet', version: '1' }
      const primaryType = 'MultiSvcOperation'
      expect(multiDigest(opDigests)).toEqual({
        digest: hashTypedData({ domain, types: multiTypes, primaryType, message: { opDigests } }),
        domainSeparator: domainSeparator({ domain }),
        hashStruct: hashStruct({ types: multiTypes, primaryType, data: { opDigests } }),
      })
    }),
  )
})

test('behavior: the casing of addresses does not matter', () => {
  const mixed = getAddress(svcAddresses.scripts.transfer)
  expect(operationDigest({ ...plain, scriptAddress: mixed }, 1, getAddress(signer))).toEqual(
    operationDigest(plain, 1, signer.toLowerCase() as Hex),
  )
})

test('behavior: the call depends on how many operations there are and whether a list was signed', () => {
  const nameOf = (list: SignedOperation[], opDigests?: Hex[]) => {
    const { to, data } = encodeExecution({
      signer,
      operations: list,
      opDigests,
      signature: '0x5161',
    })
    expect(to).toBe(svcAddresses.factory)
    return decodeFunctionData({ abi: svcWalletFactoryAbi, data })
  }
  const wire = { ...plain, expiry: BigInt(plain.expiry) }
  const onChain = { ...wire, scriptAddress: getAddress(plain.scriptAddress) }
  const digests = [pad('0xaa'), pad('0xbb')] as const
  expect(nameOf([plain])).toEqual({
    functionName: 'createAndExecute',
    args: [signer, onChain, '0x5161'],
  })
  expect(nameOf([plain], [...digests])).toEqual({
    functionName: 'createAndExecuteMulti',
    args: [signer, onChain, digests, '0x5161'],
  })
  expect(nameOf([plain, plain], [...digests])).toEqual({
    functionName: 'createAndExecuteBatch',
    args: [signer, [onChain, onChain], digests, '0x5161'],
  })
})
