import type { Address, Hex } from 'viem'
import { encodeFunctionData, getAddress, parseUnits } from 'viem/utils'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SignedOperation } from '../../src/chain/wallet/wallet.js'
import { exchangeAbi, swapAbi, tokenAbi } from '../../src/generated/abis.js'
import { svcAddresses } from '../../src/generated/svc.js'
import {
  eventsOf,
  execute,
  operation,
  person,
  revertOf,
  startWalletWorld,
  type WalletWorld,
} from '../kit.js'

const { exchange, scripts } = svcAddresses
const usdc = (amount: string) => parseUnits(amount, 6)
const ether = (amount: string) => parseUnits(amount, 18)
const payee = person(90).address
let world: WalletWorld

beforeAll(async () => {
  world = await startWalletWorld('base')
})
afterAll(() => world.stop())

test('error: less arrives than was agreed', async () => {
  const alice = person(91)
  await world.fund(alice.wallet, 'USDC', usdc('100'))
  const quoted = await quote('USDC', 'WETH', usdc('100'))
  const swap = swapping(alice.wallet, 'USDC', 'WETH', usdc('100'), { minBuyAmount: quoted + 1n })
  expect(await revertOf(execute(world, alice, swap))).toBe(
    `InsufficientBuyAmount(${quoted}, ${quoted + 1n})`,
  )
})

test('error: what was bought goes to somebody else', async () => {
  const alice = person(92)
  await world.fund(alice.wallet, 'USDC', usdc('100'))
  const swap = swapping(payee, 'USDC', 'WETH', usdc('100'), { minBuyAmount: 1n })
  expect(await revertOf(execute(world, alice, swap))).toBe('InsufficientBuyAmount(0, 1)')
})

test('error: the target’s own error arrives unchanged', async () => {
  const alice = person(93)
  await world.fund(alice.wallet, 'USDC', usdc('100'))
  const quoted = await quote('USDC', 'WETH', usdc('100'))
  const data = exactIn('USDC', 'WETH', usdc('100'), quoted + 1n, alice.wallet)
  const swap = swapping(alice.wallet, 'USDC', 'WETH', usdc('100'), { data })
  expect(await revertOf(execute(world, alice, swap))).toBe(
    `InsufficientOutput(${quoted}, ${quoted + 1n})`,
  )
})

test('error: a target without code', async () => {
  const alice = person(94)
  await world.fund(alice.wallet, 'USDC', usdc('100'))
  const swap = swapping(alice.wallet, 'USDC', 'WETH', usdc('100'), { target: payee })
  expect(await revertOf(execute(world, alice, swap))).toBe(`AddressEmptyCode(${payee})`)
})

test('error: the wallet holds less than it sells', async () => {
  const alice = person(95)
  await world.fund(alice.wallet, 'USDC', usdc('1'))
  await world.fund(alice.wallet, 'ETH', 5n)
  const tokens = swapping(alice.wallet, 'USDC', 'WETH', usdc('2'))
  expect(await revertOf(execute(world, alice, tokens))).toBe(
    'ERC20: transfer amount exceeds balance',
  )
  const native = swapping(alice.wallet, 'ETH', 'USDC', ether('1'))
  expect(await revertOf(execute(world, alice, native))).toBe(
    `InsufficientBalance(5, ${ether('1')})`,
  )
})

test('error: the target takes more than it may', async () => {
  const alice = person(96)
  await world.fund(alice.wallet, 'USDC', usdc('100'))
  const data = exactIn('USDC', 'WETH', usdc('60'), 0n, alice.wallet)
  const swap = swapping(alice.wallet, 'USDC', 'WETH', usdc('50'), { data })
  expect(await revertOf(execute(world, alice, swap))).toBe(
    'ERC20: transfer amount exceeds allowance',
  )
})

test('error: a fee above what there is', async () => {
  const alice = person(97)
  await world.fund(alice.wallet, 'USDC', usdc('100'))
  const quoted = await quote('USDC', 'WETH', usdc('100'))
  const swap = swapping(alice.wallet, 'USDC', 'WETH', usdc('100'), { feeAmount: quoted + 1n })
  expect(await revertOf(execute(world, alice, swap))).toBe('reverted without a reason')
})

test('default: the quote arrives, and the fee is paid out of it', async () => {
  const alice = person(98)
  await world.fund(alice.wallet, 'USDC', usdc('3000'))
  const minBuyAmount = await quote('USDC', 'WETH', usdc('3000'))
  const feeAmount = ether('0.0015')
  const before = await world.balance(payee, 'WETH')
  const receipt = await execute(
    world,
    alice,
    swapping(alice.wallet, 'USDC', 'WETH', usdc('3000'), { minBuyAmount, feeAmount }),
  )
  expect(await world.balance(alice.wallet, 'USDC')).toBe(0n)
  expect(await world.balance(alice.wallet, 'WETH')).toBe(minBuyAmount - feeAmount)
  expect((await world.balance(payee, 'WETH')) - before).toBe(feeAmount)
  expect(eventsOf(receipt, alice.wallet, swapAbi)).toEqual([
    {
      eventName: 'SwapFeePaid',
      args: { token: getAddress(addressOf('WETH')), recipient: payee, amount: feeAmount },
    },
  ])
})

test('behavior: what the wallet held before does not count as bought', async () => {
  const alice = person(99)
  await world.fund(alice.wallet, 'USDC', usdc('100'))
  await world.fund(alice.wallet, 'WETH', ether('1'))
  const minBuyAmount = ether('0.9')
  const swap = swapping(alice.wallet, 'USDC', 'WETH', usdc('100'), { minBuyAmount })
  expect(await revertOf(execute(world, alice, swap))).toMatch(/^InsufficientBuyAmount\(/)
})

test('behavior: the native token is sold', async () => {
  const alice = person(100)
  await world.fund(alice.wallet, 'ETH', ether('2'))
  const minBuyAmount = await quote('ETH', 'USDC', ether('2'))
  await execute(
    world,
    alice,
    swapping(alice.wallet, 'ETH', 'USDC', ether('2'), { minBuyAmount, feeAmount: 7n }),
  )
  expect(await world.balance(alice.wallet, 'ETH')).toBe(0n)
  expect(await world.balance(alice.wallet, 'USDC')).toBe(minBuyAmount - 7n)
})

test('behavior: the native token is bought, and pays the fee', async () => {
  const alice = person(101)
  await world.fund(alice.wallet, 'USDC', usdc('50'))
  const minBuyAmount = await quote('USDC', 'ETH', usdc('50'))
  const before = await world.balance(payee, 'ETH')
  await execute(
    world,
    alice,
    swapping(alice.wallet, 'USDC', 'ETH', usdc('50'), { minBuyAmount, feeAmount: 9n }),
  )
  expect(await world.balance(alice.wallet, 'ETH')).toBe(minBuyAmount - 9n)
  expect((await world.balance(payee, 'ETH')) - before).toBe(9n)
})

test('behavior: an allowance that was not used up is taken back', async () => {
  const alice = person(102)
  await world.fund(alice.wallet, 'USDC', usdc('100'))
  const data = exactIn('USDC', 'WETH', usdc('40'), 0n, alice.wallet)
  await execute(world, alice, swapping(alice.wallet, 'USDC', 'WETH', usdc('100'), { data }))
  expect(await world.balance(alice.wallet, 'USDC')).toBe(usdc('60'))
  const args = [alice.wallet, exchange] as const
  const call = encodeFunctionData({ abi: tokenAbi, functionName: 'allowance', args })
  expect(BigInt(await world.call(addressOf('USDC'), call))).toBe(0n)
})

test('behavior: no fee, no event', async () => {
  const alice = person(103)
  await world.fund(alice.wallet, 'USDC', usdc('1'))
  const receipt = await execute(world, alice, swapping(alice.wallet, 'USDC', 'WETH', usdc('1')))
  expect(eventsOf(receipt, alice.wallet, swapAbi)).toEqual([])
})

interface SwapOptions {
  target?: Address
  minBuyAmount?: bigint
  feeAmount?: bigint
  data?: Hex
}

/** A swap on the exchange; what is bought goes to `recipient`. */
function swapping(
  recipient: Address,
  sell: string,
  buy: string,
  maxSellAmount: bigint,
  options: SwapOptions = {},
): SignedOperation {
  const params = {
    target: exchange,
    allowanceTarget: exchange,
    sellToken: addressOf(sell),
    maxSellAmount,
    buyToken: addressOf(buy),
    minBuyAmount: 0n,
    feeAmount: 0n,
    feeRecipient: payee,
    data: exactIn(sell, buy, maxSellAmount, 0n, recipient),
    ...options,
  }
  const call = { abi: swapAbi, functionName: 'swap', args: [params] } as const
  return operation(scripts.swap, encodeFunctionData(call))
}

function exactIn(sell: string, buy: string, amount: bigint, min: bigint, to: Address): Hex {
  const args = [addressOf(sell), addressOf(buy), amount, min, to] as const
  return encodeFunctionData({ abi: exchangeAbi, functionName: 'swapExactIn', args })
}

async function quote(sell: string, buy: string, amount: bigint): Promise<bigint> {
  const args = [addressOf(sell), addressOf(buy), amount] as const
  const call = { abi: exchangeAbi, functionName: 'quoteExactIn', args } as const
  return BigInt(await world.call(exchange, encodeFunctionData(call)))
}

function addressOf(symbol: string): Address {
  return world.book.tokens.find((token) => token.symbol === symbol)!.address
}
