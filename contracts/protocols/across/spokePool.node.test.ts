import type { Address } from 'viem'
import { pad } from 'viem/utils'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { networkOf } from '../../../src/deployments/networks.js'
import { relayHash } from '../../../src/service/bridge/deposit.js'
import {
  admin,
  alice,
  bob,
  type Contract,
  carol,
  maxUint256,
  startTestChain,
  type TestChain,
} from '../testChain.js'

/** The pool stands on base; deposits go to optimism, and the fills that are tried here come from there. */
const here = BigInt(networkOf('base').chainId)
const there = BigInt(networkOf('optimism').chainId)
const nobody = pad('0x', { size: 20 })
const noWord = pad('0x', { size: 32 })
/** Largest age of a quote and largest distance of a deadline that the pool takes, in seconds. */
const [quoteBuffer, deadlineBuffer] = [3_600n, 21_600n]

let chain: TestChain
let token: Contract
let wrapped: Contract
let pool: Contract
let snapshot: unknown

beforeAll(async () => {
  chain = await startTestChain()
  token = await chain.deploy('Token', ['USDC', 'USDC', 6, admin])
  wrapped = await chain.deploy('WrappedNative', ['WETH', 'WETH'])
  pool = await chain.deploy('SpokePool', [wrapped.address, admin])
  for (const holder of [alice, bob]) {
    await token.send('mint', [holder, 1_000n])
    await token.send('approve', [pool.address, maxUint256], { from: holder })
    await chain.setBalance(holder, 10n ** 18n)
    await wrapped.send('deposit', [], { from: holder, value: 1_000n })
    await wrapped.send('approve', [pool.address, maxUint256], { from: holder })
  }
})
beforeEach(async () => {
  snapshot = await chain.request('evm_snapshot')
})
afterEach(() => chain.request('evm_revert', [snapshot]))
afterAll(() => chain.stop())

/** What a deposit or a fill is about; times relative to the latest block, in seconds. */
interface Terms {
  asset?: Contract
  recipient?: Address
  exclusiveRelayer?: Address
  quoteAge?: bigint
  deadlineIn?: bigint
  exclusiveFor?: bigint
}

/** alice deposits 100 for 99 on the other side. */
async function deposit(terms: Terms & { value?: bigint } = {}) {
  const now = await chain.now()
  const { address } = terms.asset ?? token
  const fillDeadline = now + (terms.deadlineIn ?? 600n)
  const args = [
    ...[alice, terms.recipient ?? alice, address, address],
    ...[100n, 99n, there, nobody],
    ...[now - (terms.quoteAge ?? 30n), fillDeadline, 0n, '0x'],
  ]
  const options = { from: alice, ...(terms.value === undefined ? {} : { value: terms.value }) }
  return { args, options, fillDeadline }
}

/** The arguments of a deposit that is exclusive to bob. */
async function exclusiveDeposit(exclusivity: bigint, relayer: Address = bob) {
  const { args, options } = await deposit()
  return { args: args.with(7, relayer).with(10, exclusivity), options }
}

/** A deposit of the other network, as a relayer hands it to this one. */
async function incoming(terms: Terms = {}) {
  const now = await chain.now()
  const { address } = terms.asset ?? token
  return {
    depositor: word(carol),
    recipient: word(terms.recipient ?? carol),
    exclusiveRelayer: terms.exclusiveRelayer ? word(terms.exclusiveRelayer) : noWord,
    inputToken: word(address),
    outputToken: word(address),
    inputAmount: 100n,
    outputAmount: 99n,
    originChainId: there,
    depositId: 7n,
    fillDeadline: Number(now + (terms.deadlineIn ?? 600n)),
    exclusivityDeadline: Number(terms.exclusiveFor ? now + terms.exclusiveFor : 0n),
    message: '0x' as const,
  }
}

/** Deposits, and returns what names the deposit in a refund. */
async function deposited(terms: Terms & { value?: bigint } = {}) {
  const { args, options, fillDeadline } = await deposit(terms)
  const { address } = terms.asset ?? token
  await pool.send('depositV3', args, options)
  return {
    depositor: word(alice),
    recipient: word(alice),
    exclusiveRelayer: noWord,
    inputToken: word(address),
    outputToken: word(address),
    inputAmount: 100n,
    outputAmount: 99n,
    originChainId: here,
    depositId: 0n,
    fillDeadline: Number(fillDeadline),
    exclusivityDeadline: 0,
    message: '0x' as const,
  }
}

function word(address: Address) {
  return pad(address.toLowerCase() as Address, { size: 32 })
}

test('default: a deposit takes the input and tells what relayers need; ids count up', async () => {
  for (const depositId of [0n, 1n]) {
    const { args, options, fillDeadline } = await deposit()
    const [event] = pool.events(await pool.send('depositV3', args, options))
    expect(event).toMatchObject({
      eventName: 'FundsDeposited',
      args: {
        depositId,
        destinationChainId: there,
        inputAmount: 100n,
        outputAmount: 99n,
        fillDeadline: Number(fillDeadline),
        depositor: word(alice),
        recipient: word(alice),
        inputToken: word(token.address),
      },
    })
  }
  expect(await token.read('balanceOf', [pool.address])).toBe(200n)
  expect(await token.read('balanceOf', [alice])).toBe(800n)
  expect(await pool.read('numberOfDeposits')).toBe(2)
})

test('behavior: the wrapped native token may be deposited as native, exactly', async () => {
  const { args, options } = await deposit({ asset: wrapped, value: 100n })
  await pool.send('depositV3', args, options)
  expect(await wrapped.read('balanceOf', [pool.address])).toBe(100n)
  expect(await wrapped.read('balanceOf', [alice])).toBe(1_000n)
  const less = await deposit({ asset: wrapped, value: 99n })
  const mismatch = 'MsgValueDoesNotMatchInputAmount()'
  expect(await pool.failure('depositV3', less.args, less.options)).toBe(mismatch)
  const other = await deposit({ value: 100n })
  expect(await pool.failure('depositV3', other.args, other.options)).toBe(mismatch)
})

test('error: quotes from the future or too old, deadlines too far', async () => {
  const cases: [Terms, string | undefined][] = [
    [{ quoteAge: quoteBuffer }, undefined],
    [{ quoteAge: quoteBuffer + 1n }, 'InvalidQuoteTimestamp()'],
    [{ quoteAge: -1n }, 'InvalidQuoteTimestamp()'],
    [{ deadlineIn: 0n }, undefined],
    [{ deadlineIn: -1n }, undefined],
    [{ deadlineIn: deadlineBuffer }, undefined],
    [{ deadlineIn: deadlineBuffer + 1n }, 'InvalidFillDeadline()'],
  ]
  for (const [terms, error] of cases) {
    const { args, options } = await deposit(terms)
    if (error === undefined) await pool.read('depositV3', args, options)
    else expect(await pool.failure('depositV3', args, options)).toBe(error)
  }
})

test('behavior: the input arrives before the event tells of it', async () => {
  const { args, options } = await deposit()
  const { logs } = await pool.send('depositV3', args, options)
  expect(logs.map(({ address }) => address.toLowerCase())).toEqual(
    [token.address, pool.address].map((address) => address.toLowerCase()),
  )
})

test('behavior: exclusivity is a period up to a year, else a time, and for somebody', async () => {
  const untilOf = async (exclusivity: bigint) => {
    const { args, options } = await exclusiveDeposit(exclusivity)
    const [event] = pool.events(await pool.send('depositV3', args, options))
    return BigInt((event!.args as { exclusivityDeadline: number }).exclusivityDeadline)
  }
  expect(await untilOf(0n)).toBe(0n)
  expect(await untilOf(60n)).toBe((await chain.now()) + 60n)
  const time = (await chain.now()) + 90n
  expect(await untilOf(time)).toBe(time)
  const { args, options } = await exclusiveDeposit(60n, nobody)
  expect(await pool.failure('depositV3', args, options)).toBe('InvalidExclusiveRelayer()')
})

test('error: a deposit for no token at all', async () => {
  const { args, options } = await deposit()
  const nothing = args.with(3, nobody)
  expect(await pool.failure('depositV3', nothing, options)).toBe('InvalidOutputToken()')
  // Before everything else.
  expect(await pool.failure('depositV3', nothing.with(8, 0n), options)).toBe('InvalidOutputToken()')
})

test('behavior: the relayer of the event is who is to be repaid, and a message calls a recipient with code', async () => {
  const fill = [await incoming(), here, word(alice)]
  const [event] = pool.events(await pool.send('fillRelay', fill, { from: bob }))
  expect(event).toMatchObject({ args: { relayer: word(alice) } })
  // An account without code gets the money alone; a contract that cannot be called gets nothing at all.
  const told = { ...(await incoming()), depositId: 8n, message: '0x1234' }
  await pool.send('fillRelay', [told, here, word(bob)], { from: bob })
  const deaf = { ...told, recipient: word(token.address) }
  const failed = pool.send('fillRelay', [deaf, here, word(bob)], { from: bob })
  await expect(failed).rejects.toThrow()
  expect(await token.read('balanceOf', [token.address])).toBe(0n)
})

test('default: a fill pays the recipient out of the relayer’s pocket, once', async () => {
  const data = await incoming()
  const receipt = await pool.send('fillRelay', [data, here, word(bob)], { from: bob })
  expect(pool.events(receipt)).toMatchObject([
    { eventName: 'FilledRelay', args: { depositId: 7n, originChainId: there, relayer: word(bob) } },
  ])
  expect(await token.read('balanceOf', [carol])).toBe(99n)
  expect(await token.read('balanceOf', [bob])).toBe(901n)
  const hash = await pool.read<`0x${string}`>('getV3RelayHash', [data])
  expect(await pool.read('fillStatuses', [hash])).toBe(2n)
  expect(hash).toBe(relayHash({ from: 'optimism', to: 'base', relayData: data }))
  const again = [data, here, word(bob)]
  expect(await pool.failure('fillRelay', again, { from: bob })).toBe('RelayFilled()')
})

test('behavior: the wrapped native token arrives native where the recipient has no code, else wrapped', async () => {
  const person = await incoming({ asset: wrapped })
  const before = await chain.balance(carol)
  await pool.send('fillRelay', [person, here, word(bob)], { from: bob })
  expect(await chain.balance(carol)).toBe(before + 99n)
  const contract = await incoming({ asset: wrapped, recipient: token.address })
  const receipt = await pool.send('fillRelay', [contract, here, word(bob)], { from: bob })
  // Through the pool.
  expect(wrapped.events(receipt).map(({ eventName, args }) => [eventName, args])).toEqual([
    ['Transfer', { from: bob, to: pool.address, value: 99n }],
    ['Transfer', { from: pool.address, to: token.address, value: 99n }],
  ])
  expect(await wrapped.read('balanceOf', [token.address])).toBe(99n)
})

test('error: fills after the deadline, and by others while one relayer has the exclusive right', async () => {
  const expired = await incoming({ deadlineIn: -1n })
  const fill = (data: unknown) => [data, here, word(bob)]
  expect(await pool.failure('fillRelay', fill(expired), { from: bob })).toBe(
    'ExpiredFillDeadline()',
  )
  // Whose turn it is comes first.
  const both = await incoming({ deadlineIn: -1n, exclusiveRelayer: alice, exclusiveFor: 60n })
  expect(await pool.failure('fillRelay', fill(both), { from: bob })).toBe('NotExclusiveRelayer()')
  expect(await pool.failure('fillRelay', fill(both), { from: alice })).toBe('ExpiredFillDeadline()')
  // Exclusive for nobody.
  const nobodys = await incoming({ exclusiveFor: 60n })
  expect(await pool.failure('fillRelay', fill(nobodys), { from: bob })).toBe(
    'NotExclusiveRelayer()',
  )
  const exclusive = await incoming({ exclusiveRelayer: alice, exclusiveFor: 60n })
  expect(await pool.failure('fillRelay', fill(exclusive), { from: bob })).toBe(
    'NotExclusiveRelayer()',
  )
  await pool.read('fillRelay', fill(exclusive), { from: alice })
  await chain.warp(61n)
  await pool.read('fillRelay', fill(exclusive), { from: bob })
})

test('default: a deposit goes back whole to its depositor after the deadline, whoever asks, once', async () => {
  for (const asset of [token, wrapped]) {
    const before = await asset.read('balanceOf', [alice])
    const data = { ...(await deposited({ asset })), depositId: asset === token ? 0n : 1n }
    expect(await asset.read('balanceOf', [alice])).toBe(before - 100n)
    await chain.warp(BigInt(data.fillDeadline) - (await chain.now()) + 1n)
    const receipt = await pool.send('refund', [data, there], { from: bob })
    expect(pool.events(receipt)).toEqual([
      {
        eventName: 'DepositRefunded',
        args: { depositId: data.depositId, depositor: word(alice), amount: 100n },
      },
    ])
    expect(await asset.read('balanceOf', [alice])).toBe(before)
    expect(await asset.read('balanceOf', [pool.address])).toBe(0n)
    expect(await pool.failure('refund', [data, there], { from: bob })).toBe('NotRefundable()')
  }
})

test('error: no refund up to and at the deadline, nor of anything that was not deposited just so', async () => {
  const data = await deposited()
  expect(await pool.failure('refund', [data, there], { from: bob })).toBe('NotRefundable()')
  await chain.warp(BigInt(data.fillDeadline) - (await chain.now()))
  expect(await pool.failure('refund', [data, there], { from: bob })).toBe('NotRefundable()')
  await chain.warp(1n)
  const changed = [
    { ...data, depositor: word(bob) },
    { ...data, inputAmount: 101n },
    { ...data, inputToken: word(wrapped.address) },
    { ...data, depositId: 1n },
    { ...data, originChainId: there },
    { ...data, fillDeadline: data.fillDeadline - 1 },
  ]
  for (const other of changed)
    expect(await pool.failure('refund', [other, there], { from: bob })).toBe('NotRefundable()')
  expect(await pool.failure('refund', [data, here])).toBe('NotRefundable()')
  await pool.read('refund', [data, there])
})

test('behavior: the hub may refund before the deadline, once; everybody else waits', async () => {
  const data = await deposited()
  expect(await pool.failure('refund', [data, there], { from: alice })).toBe('NotRefundable()')
  await pool.send('refund', [data, there], { from: admin })
  expect(await token.read('balanceOf', [alice])).toBe(1_000n)
  expect(await pool.failure('refund', [data, there], { from: admin })).toBe('NotRefundable()')
})
