import { zeroHash } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  admin,
  alice,
  type Contract,
  startTestChain,
  symbolKey,
  type TestChain,
} from '../protocols/testChain.js'

let chain: TestChain
let hub: Contract

beforeAll(async () => {
  chain = await startTestChain()
  hub = await chain.deploy('PriceHub', [admin])
})
afterAll(() => chain.stop())

test('error: only the admin sets prices', async () => {
  const options = { from: alice }
  const expected = `NotAdmin(${alice}, ${admin})`
  expect(await hub.failure('setPrice', [symbolKey('ETH'), 1n], options)).toBe(expected)
  expect(await hub.failure('setPrices', [[symbolKey('ETH')], [1n]], options)).toBe(expected)
})

test('error: a price of zero, an unpaired price and an unknown symbol', async () => {
  const key = symbolKey('NONE')
  expect(await hub.failure('setPrice', [key, 0n])).toBe(`ZeroPrice(${key})`)
  expect(await hub.failure('setPrices', [[key], []])).toBe('LengthMismatch(1, 0)')
  expect(await hub.failure('priceOf', [key])).toBe(`UnknownSymbol(${key})`)
})

test('error: a feed of a symbol without price, and a round that never was', async () => {
  const feed = await deployFeed('GONE', undefined, 8)
  expect(await feed.failure('latestRoundData')).toBe(`UnknownSymbol(${symbolKey('GONE')})`)
  expect(await feed.failure('getRoundData', [2n])).toBe('NoSuchRound(2)')
})

test('default: a price set in the hub is the answer of its feed, always of now', async () => {
  const receipt = await hub.send('setPrice', [symbolKey('ETH'), 3000_00000000n])
  expect(hub.events(receipt)).toEqual([
    { eventName: 'PriceSet', args: { symbol: symbolKey('ETH'), usdE8: 3000_00000000n } },
  ])
  const feed = await deployFeed('ETH', undefined, 8)
  await chain.warp(86_400n)
  const now = await chain.now()
  const round = [1n, 3000_00000000n, now, now, 1n]
  expect(await feed.read('latestRoundData')).toEqual(round)
  expect(await feed.read('getRoundData', [1n])).toEqual(round)
  expect([
    await feed.read('latestAnswer'),
    await feed.read('latestTimestamp'),
    await feed.read('latestRound'),
    await feed.read('decimals'),
    await feed.read('description'),
    await feed.read('version'),
  ]).toEqual([3000_00000000n, now, 1n, 8, 'ETH / USD', 4n])
})

test('behavior: a ratio feed divides two prices and rounds down', async () => {
  const symbols = ['wstETH', 'ETH3', 'BTC'].map(symbolKey)
  await hub.send('setPrices', [symbols, [3601_00000001n, 3000_00000007n, 90_000_12345678n]])
  const expected = (decimals: bigint) => (3601_00000001n * 10n ** decimals) / 3000_00000007n
  for (const decimals of [8, 18, 6]) {
    const feed = await deployFeed('wstETH', 'ETH3', decimals)
    expect(await feed.read('latestAnswer')).toBe(expected(BigInt(decimals)))
  }
  const coarse = await deployFeed('BTC', undefined, 2)
  expect(await coarse.read('latestAnswer')).toBe(90_000_12n)
})

test('behavior: a price shock is seen by every feed of the symbol', async () => {
  await hub.send('setPrices', [
    [symbolKey('COMP'), symbolKey('ETH2')],
    [50_00000000n, 2000_00000000n],
  ])
  const [usd, inEth] = [
    await deployFeed('COMP', undefined, 8),
    await deployFeed('COMP', 'ETH2', 18),
  ]
  await hub.send('setPrice', [symbolKey('COMP'), 25_00000000n])
  expect(await usd.read('latestAnswer')).toBe(25_00000000n)
  expect(await inEth.read('latestAnswer')).toBe(12_500_000_000_000_000n)
})

test('behavior: a constant feed has one answer', async () => {
  const feed = await chain.deploy('ConstantFeed', [10n ** 18n, 18, 'ETH / ETH'])
  expect(await feed.read('latestAnswer')).toBe(10n ** 18n)
  expect(await feed.read('decimals')).toBe(18)
})

function deployFeed(base: string, quote: string | undefined, decimals: number): Promise<Contract> {
  const quoteKey = quote ? symbolKey(quote) : zeroHash
  const description = `${base} / ${quote ?? 'USD'}`
  const args = [hub.address, symbolKey(base), quoteKey, decimals, description]
  return chain.deploy('PriceFeed', args)
}
