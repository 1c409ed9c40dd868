import { gunzipSync } from 'node:zlib'
import type { Address, Hex } from 'viem'
import { decodeFunctionResult, encodeFunctionData, getAddress, keccak256, pad } from 'viem/utils'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operationDigest, type SignedOperation } from '../../src/chain/wallet/wallet.js'
import { probeScriptAbi, svcNonceManagerAbi, svcWalletAbi } from '../../src/generated/abis.js'
import { svcAddresses } from '../../src/generated/svc.js'
import {
  eventsOf,
  execute,
  operation,
  type Person,
  person,
  revertOf,
  startWalletWorld,
  storeScript,
  type WalletWorld,
} from '../kit.js'

const { nonceManager } = svcAddresses
const free = pad('0x', { size: 32 })
const exhausted: Hex = `0x${'ff'.repeat(32)}`
let world: WalletWorld
let probe: Address

beforeAll(async () => {
  world = await startWalletWorld('base')
  probe = await storeScript(world, 'ProbeScript')
})
afterAll(() => world.stop())

test('error: a nonce that was used', async () => {
  const alice = person(30)
  const op = harmless()
  await execute(world, alice, op)
  const refusal = `NonReplayableNonce(${getAddress(alice.wallet)}, ${op.nonce})`
  expect(await revertOf(execute(world, alice, op))).toBe(refusal)
  const other = { ...harmless(), nonce: op.nonce }
  expect(await revertOf(execute(world, alice, other))).toBe(refusal)
})

test('error: zero and all ones are no nonces', async () => {
  for (const nonce of [free, exhausted])
    expect(await revertOf(execute(world, person(31), { ...harmless(), nonce }))).toBe(
      `InvalidNonce(${nonce})`,
    )
})

test('error: an operation that is not replayable is not replayed', async () => {
  const alice = person(32)
  const chain = tokens('0x32')
  const op = { ...harmless(), nonce: chain[0]! }
  await execute(world, alice, op)
  expect(await revertOf(replay(alice, op, chain[1]!))).toMatch(/^NonReplayableNonce/)
})

test('error: a replay with a token that does not continue the last one', async () => {
  const alice = person(33)
  const chain = tokens('0x33')
  const op = { ...harmless(), nonce: chain[0]!, isReplayable: true }
  await execute(world, alice, op)
  for (const token of [chain[0]!, chain[2]!, pad('0x1'), free, exhausted])
    expect(await revertOf(replay(alice, op, token))).toBe(
      `InvalidSubmissionToken(${op.nonce}, ${token})`,
    )
  // Without a token it is a first run, which there has been.
  expect(await revertOf(execute(world, alice, op))).toBe(
    `InvalidSubmissionToken(${op.nonce}, ${op.nonce})`,
  )
})

test('error: the first run starts with the nonce itself', async () => {
  const alice = person(34)
  const chain = tokens('0x34')
  await execute(world, alice, harmless())
  const op = { ...harmless(), nonce: chain[0]!, isReplayable: true }
  expect(await revertOf(replay(alice, op, chain[1]!))).toBe(
    `InvalidSubmissionToken(${op.nonce}, ${chain[1]})`,
  )
  await replay(alice, op, op.nonce)
  expect(await tokenOf(alice, op.nonce)).toBe(op.nonce)
})

test('error: a replay that has expired or that another signed', async () => {
  const alice = person(35)
  const chain = tokens('0x35')
  const op = { ...harmless(), nonce: chain[0]!, isReplayable: true }
  await execute(world, alice, op)
  expect(await revertOf(replay(alice, op, chain[1]!, person(36)))).toBe('BadSignatory()')
  expect(await revertOf(replay(alice, { ...op, expiry: 1 }, chain[1]!))).toBe('SignatureExpired()')
})

test('default: a nonce is used up by one run, and each wallet has its own', async () => {
  const [alice, bob] = [person(37), person(38)]
  const op = harmless()
  expect(await tokenOf(alice, op.nonce)).toBe(free)
  const receipt = await execute(world, alice, op)
  const args = { wallet: getAddress(alice.wallet), nonce: op.nonce, submissionToken: op.nonce }
  expect(eventsOf(receipt, nonceManager, svcNonceManagerAbi)).toEqual([
    { eventName: 'NonceSubmitted', args },
  ])
  expect(await tokenOf(alice, op.nonce)).toBe(exhausted)
  expect(await tokenOf(bob, op.nonce)).toBe(free)
  await execute(world, bob, op)
})

test('behavior: nonces need no order', async () => {
  const alice = person(39)
  for (const nonce of [pad('0xfff'), pad('0x1'), keccak256('0x39')])
    await execute(world, alice, { ...harmless(), nonce })
})

test('behavior: nonces that differ in their last byte are used up one by one, and take one slot together', async () => {
  const alice = person(44)
  const nonces = ['00', '01', '7f', 'ff'].map(
    (last) => `${keccak256('0x44').slice(0, -2)}${last}` as Hex,
  )
  const before = await slots()
  const used: Hex[] = []
  for (const nonce of nonces) {
    await execute(world, alice, { ...harmless(), nonce })
    used.push(nonce)
    for (const each of nonces)
      expect(await tokenOf(alice, each)).toBe(used.includes(each) ? exhausted : free)
  }
  expect(await slots()).toBe(before + 1)
})

test('behavior: a replayable operation runs once per token of its chain', async () => {
  const alice = person(40)
  const chain = tokens('0x40')
  const op = { ...harmless(), nonce: chain[0]!, isReplayable: true }
  await execute(world, alice, op)
  for (const token of chain.slice(1)) {
    expect(eventsOf(await replay(alice, op, token), alice.wallet, svcWalletAbi)).toMatchObject([
      { args: { nonce: op.nonce, submissionToken: token, isReplayable: true } },
    ])
    expect(await tokenOf(alice, op.nonce)).toBe(token)
    expect(await revertOf(replay(alice, op, token))).toMatch(/^InvalidSubmissionToken/)
  }
})

test('behavior: a nonce can be cancelled, twice as well as once, used or not', async () => {
  const alice = person(41)
  const unused = harmless()
  const chain = tokens('0x41')
  const used = { ...harmless(), nonce: chain[0]!, isReplayable: true }
  await execute(world, alice, used)
  for (const { nonce } of [unused, unused, used]) {
    const receipt = await execute(world, alice, cancelling(nonce))
    const args = { wallet: getAddress(alice.wallet), nonce, submissionToken: exhausted }
    expect(eventsOf(receipt, nonceManager, svcNonceManagerAbi)).toContainEqual({
      eventName: 'NonceSubmitted',
      args,
    })
  }
  expect(await revertOf(execute(world, alice, unused))).toMatch(/^NonReplayableNonce/)
  expect(await revertOf(replay(alice, used, chain[1]!))).toMatch(/^NonReplayableNonce/)
  await execute(world, person(42), unused)
})

test('behavior: an operation that another one runs is used up as well', async () => {
  const alice = person(43)
  const inner = harmless()
  const outer = async () => {
    const args = [wire(inner), await sign(alice, inner)] as const
    const call = { abi: probeScriptAbi, functionName: 'execute', args } as const
    return execute(world, alice, operation(probe, encodeFunctionData(call)))
  }
  expect(eventsOf(await outer(), alice.wallet, svcWalletAbi)).toHaveLength(2)
  expect(await revertOf(outer())).toMatch(/^NonReplayableNonce/)
})

/** A chain of submission tokens, the nonce first: each is the hash of the next. */
function tokens(seed: Hex): Hex[] {
  const last = pad(seed)
  const [second, first] = [keccak256(last), keccak256(keccak256(last))]
  return [keccak256(first), first, second, last]
}

function harmless(): SignedOperation {
  return operation(probe, encodeFunctionData({ abi: probeScriptAbi, functionName: 'whereAmI' }))
}

function cancelling(nonce: Hex): SignedOperation {
  const args = [nonceManager, nonce] as const
  const call = { abi: probeScriptAbi, functionName: 'cancel', args } as const
  return operation(probe, encodeFunctionData(call))
}

/** Runs an operation of a deployed wallet with a token of one's choice. */
async function replay(owner: Person, op: SignedOperation, token: Hex, signer = owner) {
  const args = [wire(op), token, await sign(owner, op, signer)] as const
  const data = encodeFunctionData({ abi: svcWalletAbi, functionName: 'replayOperation', args })
  return world.send({ to: owner.wallet, data })
}

function sign(owner: Person, op: SignedOperation, signer = owner): Promise<Hex> {
  return signer.sign(operationDigest(op, world.chainId, owner.wallet).digest)
}

function wire(op: SignedOperation) {
  return { ...op, expiry: BigInt(op.expiry) }
}

/** How many slots of the chain the nonce manager has. */
async function slots(): Promise<number> {
  const dump = await world.request<Hex>('anvil_dumpState')
  const state = JSON.parse(gunzipSync(Buffer.from(dump.slice(2), 'hex')).toString()) as {
    accounts: Record<string, { storage: object }>
  }
  return Object.keys(state.accounts[nonceManager]!.storage).length
}

async function tokenOf({ wallet }: Person, nonce: Hex): Promise<Hex> {
  const call = { abi: svcNonceManagerAbi, functionName: 'submissionTokenOf' } as const
  const data = encodeFunctionData({ ...call, args: [wallet, nonce] })
  return decodeFunctionResult({ ...call, data: await world.call(nonceManager, data) })
}
