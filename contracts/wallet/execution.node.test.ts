import type { Address, Hex } from 'viem'
import { decodeFunctionResult, encodeFunctionData, getAddress, pad } from 'viem/utils'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { artifact } from '../../src/chain/genesis/contracts.js'
import {
  encodeExecution,
  multiDigest,
  operationDigest,
  type SignedOperation,
} from '../../src/chain/wallet/wallet.js'
import { actors } from '../../src/deployments/actors.js'
import {
  svcScriptStoreAbi,
  svcWalletAbi,
  svcWalletFactoryAbi,
  transferAbi,
} from '../../src/generated/abis.js'
import { svcAddresses } from '../../src/generated/svc.js'
import {
  eventsOf,
  execute,
  operation,
  person,
  revertOf,
  scriptAddressOf,
  signedCall,
  startWalletWorld,
  storeScript,
  type WalletWorld,
} from '../kit.js'

const nobody: Address = '0x00000000000000000000000000000000000000aa'
let world: WalletWorld
let probe: Address

beforeAll(async () => {
  world = await startWalletWorld('base')
  probe = await storeScript(world, 'ProbeScript')
})
afterAll(() => world.stop())

test('error: from its expiry on, an operation is refused', async () => {
  const alice = person(10)
  const expiry = 1_900_000_000
  const { to, data } = await signedCall(world, alice, [{ ...whereAmI(), expiry }])
  const at = (seconds: number) => world.call(to, data, BigInt(seconds))
  expect(await revertOf(at(expiry))).toBe('SignatureExpired()')
  expect(await revertOf(at(expiry + 1))).toBe('SignatureExpired()')
  expect(await at(expiry - 1)).not.toBe('0x')
})

test('error: one operation of a batch has expired', async () => {
  const expired = { ...whereAmI(), expiry: 1 }
  expect(await revertOf(execute(world, person(11), whereAmI(), expired))).toBe('SignatureExpired()')
})

test('error: a script without code', async () => {
  expect(await revertOf(execute(world, person(12), operation(nobody, '0x')))).toBe('EmptyCode()')
})

test('error: checks come in order: expiry, list, signature, nonce, code', async () => {
  const alice = person(13)
  const used = whereAmI()
  await execute(world, alice, used)
  // Each line repairs the first fault of the line above.
  const faulty = { ...operation(nobody, '0x'), nonce: used.nonce }
  const digest = (op: SignedOperation) => operationDigest(op, world.chainId, alice.wallet).digest
  const refusal = (op: SignedOperation, opDigests: Hex[], signature: Hex) => {
    const execution = { signer: alice.address, operations: [op], opDigests, signature }
    return revertOf(world.send(encodeExecution(execution)))
  }
  expect(await refusal({ ...faulty, expiry: 1 }, [], '0x')).toBe('SignatureExpired()')
  expect(await refusal(faulty, [], '0x')).toBe('InvalidMultiOperation()')
  expect(await refusal(faulty, [digest(faulty)], '0x')).toBe('InvalidSignature()')
  const sign = (op: SignedOperation) => alice.sign(multiDigest([digest(op)]).digest)
  expect(await refusal(faulty, [digest(faulty)], await sign(faulty))).toMatch(/^NonReplayableNonce/)
  const fresh = { ...faulty, nonce: whereAmI().nonce }
  expect(await refusal(fresh, [digest(fresh)], await sign(fresh))).toBe('EmptyCode()')
})

test('error: a batch of nothing', async () => {
  const args = [[], [], '0x'] as const
  const data = encodeFunctionData({ abi: svcWalletAbi, functionName: 'executeBatch', args })
  const alice = person(14)
  await execute(world, alice, whereAmI())
  expect(await revertOf(world.send({ to: alice.wallet, data }))).toBe('NoOperations()')
})

test('error: a script’s revert arrives unchanged, with data or without', async () => {
  const alice = person(15)
  const refuse = probing('refuse', [42n])
  expect(await revertOf(execute(world, alice, refuse))).toBe('Refused(42)')
  const silent = probing('refuseSilently')
  expect(await revertOf(execute(world, alice, silent))).toBe('reverted without a reason')
  const unknown = operation(probe, '0x12345678')
  expect(await revertOf(execute(world, alice, unknown))).toBe('reverted without a reason')
  const tooMuch = sendEther(nobody, 1n)
  expect(await revertOf(execute(world, alice, tooMuch))).toBe('InsufficientBalance(0, 1)')
})

test('error: a batch is all or nothing', async () => {
  const alice = person(16)
  await world.fund(alice.wallet, 'ETH', 10n)
  const first = sendEther(nobody, 4n)
  const before = await world.balance(nobody, 'ETH')
  expect(await revertOf(execute(world, alice, first, probing('refuse', [7n])))).toBe('Refused(7)')
  expect(await world.balance(nobody, 'ETH')).toBe(before)
  // Its nonce is free again, and not even the wallet stands.
  expect(await world.request('eth_getCode', [alice.wallet, 'latest'])).toBe('0x')
  await execute(world, alice, first)
  expect(await world.balance(nobody, 'ETH')).toBe(before + 4n)
})

test('error: the same operation twice in a batch', async () => {
  const op = whereAmI()
  expect(await revertOf(execute(world, person(17), op, op))).toMatch(/^NonReplayableNonce/)
})

test('default: a script runs in the wallet’s place, and an event tells of it', async () => {
  const alice = person(18)
  const op = whereAmI()
  const { to, data } = await signedCall(world, alice, [op])
  const abi = svcWalletFactoryAbi
  const answer = await world.call(to, data)
  const returned = decodeFunctionResult({ abi, functionName: 'createAndExecute', data: answer })
  expect(returned).toBe(pad(alice.wallet))

  const receipt = await world.send({ to, data })
  expect(eventsOf(receipt, alice.wallet, svcWalletAbi)).toEqual([
    {
      eventName: 'OperationExecuted',
      args: {
        submitter: getAddress(svcAddresses.factory),
        scriptAddress: getAddress(probe),
        nonce: op.nonce,
        submissionToken: op.nonce,
        isReplayable: false,
      },
    },
  ])
})

test('behavior: the first operation deploys the wallet, later ones find it', async () => {
  const alice = person(19)
  const created = async () =>
    eventsOf(await execute(world, alice, whereAmI()), svcAddresses.factory, svcWalletFactoryAbi)
  const args = { signer: alice.address, wallet: getAddress(alice.wallet) }
  expect(await created()).toEqual([{ eventName: 'WalletCreated', args }])
  expect(await created()).toEqual([])
})

test('behavior: a deployed wallet takes operations directly, from anybody', async () => {
  const alice = person(20)
  await execute(world, alice, whereAmI())
  const op = whereAmI()
  const signature = await alice.sign(operationDigest(op, world.chainId, alice.wallet).digest)
  const args = [{ ...op, expiry: BigInt(op.expiry) }, signature] as const
  const data = encodeFunctionData({ abi: svcWalletAbi, functionName: 'executeOperation', args })
  const receipt = await world.send({ from: actors.lender, to: alice.wallet, data })
  expect(eventsOf(receipt, alice.wallet, svcWalletAbi)).toMatchObject([
    { args: { submitter: getAddress(actors.lender), nonce: op.nonce } },
  ])
})

test('behavior: what arrives before the wallet is deployed can be spent by its first operation', async () => {
  const alice = person(21)
  await world.fund(alice.wallet, 'ETH', 5n)
  await execute(world, alice, sendEther(person(22).address, 5n))
  expect(await world.balance(person(22).address, 'ETH')).toBe(5n)
})

test('behavior: a batch runs in order', async () => {
  const alice = person(23)
  await world.fund(alice.wallet, 'ETH', 5n)
  // The second can only pay what the first has left; in the other order the first would fail.
  const everything = sendEther(nobody, 2n ** 255n, true)
  const wrongOrder = revertOf(execute(world, alice, everything, sendEther(nobody, 3n)))
  expect(await wrongOrder).toBe('InsufficientBalance(0, 3)')
  const receipt = await execute(world, alice, sendEther(nobody, 3n), everything)
  expect(await world.balance(alice.wallet, 'ETH')).toBe(0n)
  expect(eventsOf(receipt, alice.wallet, svcWalletAbi)).toHaveLength(2)
})

test('behavior: scripts that come with the operation are stored first', async () => {
  // A creation code that nobody has stored yet: a byte at its end changes nothing but the address.
  const source: Hex = `${artifact('Transfer').bytecode}00`
  const abi = svcScriptStoreAbi
  const where = await world.call(
    svcAddresses.scriptStore,
    encodeFunctionData({ abi, functionName: 'addressOf', args: [source] }),
  )
  const script = decodeFunctionResult({ abi, functionName: 'addressOf', data: where })
  expect(await world.request('eth_getCode', [script, 'latest'])).toBe('0x')
  const alice = person(24)
  await world.fund(alice.wallet, 'ETH', 1n)
  const carried = () => ({
    ...sendEther(nobody, 0n),
    scriptAddress: script,
    scriptSources: [source],
  })
  const stored = async () =>
    eventsOf(await execute(world, alice, carried()), svcAddresses.scriptStore, abi)
  expect(await stored()).toEqual([{ eventName: 'ScriptStored', args: { script } }])
  expect(await stored()).toEqual([])
})

test('behavior: the script store keeps to CREATE2 with salt 0', () => {
  expect(probe).toBe(scriptAddressOf('ProbeScript'))
})

function whereAmI(): SignedOperation {
  return probing('whereAmI')
}

function probing(functionName: string, args: readonly unknown[] = []): SignedOperation {
  const { abi } = artifact('ProbeScript')
  return operation(probe, encodeFunctionData({ abi, functionName, args }))
}

function sendEther(to: Address, amount: bigint, cappedMax = false): SignedOperation {
  const args = [to, amount, cappedMax] as const
  const call = { abi: transferAbi, functionName: 'transferNativeToken', args } as const
  return operation(svcAddresses.scripts.transfer, encodeFunctionData(call))
}
