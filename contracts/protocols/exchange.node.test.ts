import fc from 'fast-check'
import type { Address } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  admin,
  alice,
  bob,
  type Contract,
  maxUint256,
  native,
  startTestChain,
  type TestChain,
} from './testChain.js'

/** Prices in USD with 8 decimals, set to odd figures so that roundings show. */
const listed = {
  USDC: { decimals: 6, price: 99_987_654n },
  WBTC: { decimals: 8, price: 90_123_45678901n },
  WETH: { decimals: 18, price: 3012_34567891n },
  ETH: { decimals: 18, price: 3012_34567891n },
  // So cheap that the roundings inside are as large as its smallest unit.
  DUST: { decimals: 18, price: 3n },
} as const
type Symbol = keyof typeof listed
const symbols = Object.keys(listed) as Symbol[]

/** Whole tokens of each kind that alice and the exchange have. */
const stock = 10n ** 17n

let chain: TestChain
let exchange: Contract
let tokens: Record<Exclude<Symbol, 'ETH'>, Contract>
let snapshot: unknown

beforeAll(async () => {
  chain = await startTestChain()
  exchange = await chain.deploy('Exchange', [admin])
  const deployToken = (symbol: Symbol) =>
    chain.deploy('Token', [symbol, symbol, listed[symbol].decimals, admin])
  tokens = {
    USDC: await deployToken('USDC'),
    WBTC: await deployToken('WBTC'),
    WETH: await deployToken('WETH'),
    DUST: await deployToken('DUST'),
  }
  for (const symbol of symbols) {
    const feed = await chain.deploy('ConstantFeed', [listed[symbol].price, 8, symbol])
    await exchange.send('setFeed', [addressOf(symbol), feed.address])
    await give(symbol, exchange.address, units(symbol, stock))
    await give(symbol, alice, units(symbol, stock))
  }
  for (const token of Object.values(tokens))
    await token.send('approve', [exchange.address, maxUint256], { from: alice })
})
beforeEach(async () => {
  snapshot = await chain.request('evm_snapshot')
})
afterEach(() => chain.request('evm_revert', [snapshot]))
afterAll(() => chain.stop())

test('error: only the admin sets feeds and parameters and withdraws', async () => {
  const expected = `NotAdmin(${alice}, ${admin})`
  const from = { from: alice }
  expect(await exchange.failure('setFeed', [native, native], from)).toBe(expected)
  expect(await exchange.failure('setParameters', [1n, 1n], from)).toBe(expected)
  expect(await exchange.failure('withdraw', [native, 1n, alice], from)).toBe(expected)
})

test('error: a spread of everything, no depth, and a feed without 8 decimals', async () => {
  expect(await exchange.failure('setParameters', [10_000n, 1n])).toBe('InvalidParameters(10000, 1)')
  expect(await exchange.failure('setParameters', [5n, 0n])).toBe('InvalidParameters(5, 0)')
  const feed = await chain.deploy('ConstantFeed', [1n, 18, 'fine'])
  const failure = await exchange.failure('setFeed', [native, feed.address])
  expect(failure).toBe(`InvalidFeed(${feed.address}, 18)`)
})

test.each(['quoteExactIn', 'quoteExactOut'])(
  'error: %s refuses what it cannot price',
  async (quote) => {
    const [usdc, weth] = [addressOf('USDC'), addressOf('WETH')]
    expect(await exchange.failure(quote, [usdc, bob, 1n])).toBe(`UnsupportedToken(${bob})`)
    expect(await exchange.failure(quote, [bob, usdc, 1n])).toBe(`UnsupportedToken(${bob})`)
    expect(await exchange.failure(quote, [usdc, usdc, 1n])).toBe(`SameToken(${usdc})`)
    expect(await exchange.failure(quote, [usdc, weth, 0n])).toBe('ZeroAmount()')

    const broken = await chain.deploy('ConstantFeed', [-1n, 8, 'broken'])
    await exchange.send('setFeed', [weth, broken.address])
    expect(await exchange.failure(quote, [usdc, weth, 1_000_000n])).toBe(
      `InvalidPrice(${weth}, -1)`,
    )
    await exchange.send('setFeed', [weth, `0x${'00'.repeat(20)}`])
    expect(await exchange.failure(quote, [usdc, weth, 1_000_000n])).toBe(
      `UnsupportedToken(${weth})`,
    )
  },
)

test('error: an amount that buys less than one smallest unit', async () => {
  const failure = await exchange.failure('quoteExactIn', [addressOf('WETH'), addressOf('USDC'), 1n])
  expect(failure).toBe('ZeroAmount()')
})

test('error: more than the inventory or the depth has', async () => {
  const [usdc, weth] = [addressOf('USDC'), addressOf('WETH')]
  await exchange.send('withdraw', [weth, units('WETH', stock - 1n), bob])
  const left = units('WETH', 1n)
  const sold = 10_000_000_000n
  const got = expectedIn('USDC', 'WETH', sold)
  expect(await exchange.failure('quoteExactIn', [usdc, weth, sold])).toBe(
    `InsufficientLiquidity(${weth}, ${got}, ${left})`,
  )
  expect(await exchange.failure('quoteExactOut', [usdc, weth, left + 1n])).toBe(
    `InsufficientLiquidity(${weth}, ${left + 1n}, ${left})`,
  )
  const swap = [usdc, weth, sold, 0n, alice]
  expect(await exchange.failure('swapExactIn', swap, { from: alice })).toMatch(/^InsufficientLiq/)
  expect(await exchange.failure('withdraw', [weth, left + 1n, bob])).toMatch(/^InsufficientLiq/)

  await exchange.send('setParameters', [5n, 1000_00000000n])
  const failure = await exchange.failure('quoteExactOut', [weth, usdc, 1000_000_000n])
  const available = BigInt(/, (\d+)\)$/.exec(failure)![1]!)
  expect(failure).toBe(`InsufficientLiquidity(${usdc}, 1000000000, ${available})`)
  expect(await exchange.read('quoteExactOut', [weth, usdc, available])).toBeGreaterThan(0n)
})

test('error: a limit that the price does not meet', async () => {
  const [usdc, weth] = [addressOf('USDC'), addressOf('WETH')]
  const got = await exchange.read('quoteExactIn', [usdc, weth, 1_000_000n])
  const low = [usdc, weth, 1_000_000n, got + 1n, alice]
  expect(await exchange.failure('swapExactIn', low, { from: alice })).toBe(
    `InsufficientOutput(${got}, ${got + 1n})`,
  )
  const needed = await exchange.read('quoteExactOut', [usdc, weth, got])
  const high = [usdc, weth, got, needed - 1n, alice]
  expect(await exchange.failure('swapExactOut', high, { from: alice })).toBe(
    `ExcessiveInput(${needed}, ${needed - 1n})`,
  )
})

test('error: native tokens that are not what is sold', async () => {
  const [usdc, weth] = [addressOf('USDC'), addressOf('WETH')]
  const sent = (value: bigint) => ({ from: alice, value })
  expect(
    await exchange.failure('swapExactIn', [native, usdc, 10n ** 18n, 0n, alice], sent(1n)),
  ).toBe('WrongValue(1, 1000000000000000000)')
  expect(await exchange.failure('swapExactIn', [usdc, weth, 1_000_000n, 0n, alice], sent(1n))).toBe(
    'WrongValue(1, 0)',
  )
  const needed = await exchange.read('quoteExactOut', [native, usdc, 1_000_000n])
  const swap = [native, usdc, 1_000_000n, maxUint256, alice]
  expect(await exchange.failure('swapExactOut', swap, sent(needed - 1n))).toBe(
    `WrongValue(${needed - 1n}, ${needed})`,
  )
})

test('default: a swap gives what was quoted and says so', async () => {
  const sold = 123_456_789n
  const quoted = await exchange.read('quoteExactIn', [addressOf('USDC'), addressOf('WETH'), sold])
  expect(quoted).toBe(expectedIn('USDC', 'WETH', sold))
  const args = [addressOf('USDC'), addressOf('WETH'), sold, quoted, bob]
  const receipt = await exchange.send('swapExactIn', args, { from: alice })
  expect(await balanceOf('WETH', bob)).toBe(quoted)
  expect(await balanceOf('USDC', alice)).toBe(units('USDC', stock) - sold)
  expect(exchange.events(receipt)).toEqual([
    {
      eventName: 'Swapped',
      args: {
        sender: alice,
        sellToken: addressOf('USDC'),
        buyToken: addressOf('WETH'),
        sellAmount: sold,
        buyAmount: quoted,
        recipient: bob,
      },
    },
  ])
})

test('behavior: a larger swap has a worse price, by notional over depth', async () => {
  const args = (amount: bigint) => [addressOf('WETH'), addressOf('USDC'), amount]
  const small = await exchange.read('quoteExactIn', args(units('WETH', 1n)))
  const large = await exchange.read('quoteExactIn', args(units('WETH', 1000n)))
  expect(large).toBeLessThan(small * 1000n)
  await exchange.send('setParameters', [0n, 3012_34567891n])
  // As large as the depth: half its value, at 0.99987654 USD per USDC.
  const half = ((3012_34567891n / 2n) * 10n ** 6n) / 99_987_654n
  expect(await exchange.read('quoteExactIn', args(units('WETH', 1n)))).toBe(half)
})

test('behavior: native tokens not needed come back', async () => {
  const needed = await exchange.read('quoteExactOut', [native, addressOf('USDC'), 5_000_000n])
  const before = await chain.balance(alice)
  const args = [native, addressOf('USDC'), 5_000_000n, maxUint256, bob]
  await exchange.send('swapExactOut', args, { from: alice, value: needed * 2n })
  expect(await chain.balance(alice)).toBe(before - needed)
  expect(await balanceOf('USDC', bob)).toBe(5_000_000n)
})

test('behavior: every pair settles both ways at its quote', async () => {
  for (const [sell, buy] of pairs()) {
    for (const usd of [3n, 4321n, 2_000_000n]) {
      const value = usd * 10n ** 8n
      await settlesExactIn(sell, buy, (value * units(sell, 1n)) / listed[sell].price)
      await settlesExactOut(sell, buy, (value * units(buy, 1n)) / listed[buy].price)
    }
  }
})

test('behavior: the admin drains it', async () => {
  for (const symbol of symbols) {
    const held = await balanceOf(symbol, exchange.address)
    await exchange.send('withdraw', [addressOf(symbol), held, bob])
    expect(await balanceOf(symbol, exchange.address)).toBe(0n)
  }
  const failure = await exchange.failure('quoteExactOut', [addressOf('WETH'), native, 1n])
  expect(failure).toBe(`InsufficientLiquidity(${native}, 1, 0)`)
})

test('behavior: a round trip never wins and exact out is the least that buys as much', async () => {
  const trade = fc.record({
    pair: fc.constantFrom(...pairs()),
    // Sizes from a dust of a cent to a hundred million USD.
    centsLog: fc.integer({ min: 0, max: 33 }),
    salt: fc.bigInt({ min: 0n, max: 10n ** 9n }),
    spread: fc.constantFrom(0n, 5n, 250n),
  })
  await fc.assert(
    fc.asyncProperty(trade, async ({ pair: [sell, buy], centsLog, salt, spread }) => {
      await exchange.send('setParameters', [spread, 100_000_000_00000000n])
      const cents = 2n ** BigInt(centsLog)
      const sold = (cents * 10n ** 6n * units(sell, 1n)) / listed[sell].price + salt + 1n
      const got = await quote('quoteExactIn', sell, buy, sold)
      if (got === undefined) return
      const needed = await quote('quoteExactOut', sell, buy, got)
      expect(needed).toBeLessThanOrEqual(sold)
      expect(await quote('quoteExactIn', sell, buy, needed!)).toBe(got)
      const back = await quote('quoteExactIn', buy, sell, got)
      if (back !== undefined) expect(back).toBeLessThanOrEqual(sold)
      const cost = await quote('quoteExactOut', buy, sell, sold)
      if (cost !== undefined) expect(cost).toBeGreaterThanOrEqual(got)
    }),
    { numRuns: 150, seed: 20_250_101 },
  )
})

/** The formula of the contract, in plain numbers: fair value, impact, spread, each rounded down. */
function expectedIn(sell: Symbol, buy: Symbol, amount: bigint): bigint {
  const wad = 10n ** 18n
  const depth = 100_000_000n * 10n ** 8n * wad
  let value = (amount * listed[sell].price * wad) / units(sell, 1n)
  value = (value * depth) / (depth + value)
  value = (value * 9995n) / 10_000n
  return (value * units(buy, 1n)) / (listed[buy].price * wad)
}

async function settlesExactIn(sell: Symbol, buy: Symbol, amount: bigint): Promise<void> {
  const quoted = await exchange.read('quoteExactIn', [addressOf(sell), addressOf(buy), amount])
  expect(quoted).toBe(expectedIn(sell, buy, amount))
  const before = [await balanceOf(sell, alice), await balanceOf(buy, bob)]
  const value = sell === 'ETH' ? amount : 0n
  const args = [addressOf(sell), addressOf(buy), amount, quoted, bob]
  await exchange.send('swapExactIn', args, { from: alice, value })
  const after = [await balanceOf(sell, alice), await balanceOf(buy, bob)]
  expect(after).toEqual([before[0]! - amount, before[1]! + quoted])
}

async function settlesExactOut(sell: Symbol, buy: Symbol, amount: bigint): Promise<void> {
  const quoted = await exchange.read('quoteExactOut', [addressOf(sell), addressOf(buy), amount])
  expect(expectedIn(sell, buy, quoted)).toBeGreaterThanOrEqual(amount)
  expect(expectedIn(sell, buy, quoted - 1n)).toBeLessThan(amount)
  const before = [await balanceOf(sell, alice), await balanceOf(buy, bob)]
  const value = sell === 'ETH' ? quoted : 0n
  const args = [addressOf(sell), addressOf(buy), amount, quoted, bob]
  await exchange.send('swapExactOut', args, { from: alice, value })
  const after = [await balanceOf(sell, alice), await balanceOf(buy, bob)]
  expect(after).toEqual([before[0]! - quoted, before[1]! + amount])
}

/** A quote, or undefined when the exchange refuses it for being too small or too large. */
async function quote(
  kind: 'quoteExactIn' | 'quoteExactOut',
  sell: Symbol,
  buy: Symbol,
  amount: bigint,
): Promise<bigint | undefined> {
  const args = [addressOf(sell), addressOf(buy), amount]
  try {
    return await exchange.read(kind, args)
  } catch {
    expect(await exchange.failure(kind, args)).toMatch(/^(ZeroAmount|InsufficientLiquidity)\(/)
    return undefined
  }
}

function pairs(): [Symbol, Symbol][] {
  return symbols.flatMap((sell) =>
    symbols.filter((buy) => buy !== sell).map((buy): [Symbol, Symbol] => [sell, buy]),
  )
}

function addressOf(symbol: Symbol): Address {
  return symbol === 'ETH' ? native : tokens[symbol].address
}

function units(symbol: Symbol, whole: bigint): bigint {
  return whole * 10n ** BigInt(listed[symbol].decimals)
}

function balanceOf(symbol: Symbol, account: Address): Promise<bigint> {
  return symbol === 'ETH' ? chain.balance(account) : tokens[symbol].read('balanceOf', [account])
}

async function give(symbol: Symbol, to: Address, amount: bigint): Promise<void> {
  if (symbol === 'ETH') await chain.setBalance(to, amount)
  else await tokens[symbol].send('mint', [to, amount])
}
