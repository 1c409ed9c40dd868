import { expect, test } from 'vitest'
import { loadAddressBook } from './addressBook.js'
import { networkNames } from './networks.js'

const book = loadAddressBook()

test('default', () => {
  const base = book.on('base')
  expect(base.chainId).toBe(8453)
  expect(book.token('base', 'USDC')).toEqual({
    symbol: 'USDC',
    name: 'USD Coin',
    decimals: 6,
    address: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
    native: false,
    feed: '0x7e860098f58bbfc8648a4311b374b1d669a2bc6b',
  })
  expect(base.comets.map((c) => [c.address, c.baseSymbol])).toEqual([
    ['0xb125e6687d4313864e53df431d5425969c15eb2f', 'USDC'],
    ['0x46e6b214b524310239732d51387075e0e70970bf', 'WETH'],
  ])
  expect(book.on('base')).toBe(base)
})

test('behavior: symbols are found in any case and listed once', () => {
  expect(book.token('mainnet', 'CBbtc')?.symbol).toBe('cbBTC')
  expect(book.token('polygon', 'usdc.E')?.symbol).toBe('USDC.e')
  const symbols = book.symbols()
  expect(new Set(symbols).size).toBe(symbols.length)
  expect(symbols).toEqual(expect.arrayContaining(['ETH', 'POL', 'USDC', 'cbBTC', 'USDT0']))
})

test('behavior: an asset of another network is not there', () => {
  expect(book.token('polygon', 'ETH')).toBeUndefined()
  expect(book.token('optimism', 'cbBTC')).toBeUndefined()
  expect(book.token('base', 'DOGE')).toBeUndefined()
})

test('behavior: native first, once, under the sentinel address', () => {
  for (const network of networkNames) {
    const { tokens, nativeSymbol, wrappedNativeSymbol } = book.on(network)
    expect(tokens.filter((t) => t.native).map((t) => t.symbol)).toEqual([nativeSymbol])
    expect(tokens[0]!.address).toBe('0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee')
    expect(book.token(network, wrappedNativeSymbol)?.decimals).toBe(18)
  }
})

test('behavior: aliases lead to the canonical feed', () => {
  const feed = (network: (typeof networkNames)[number], symbol: string) =>
    book.token(network, symbol)?.feed
  expect(feed('base', 'WETH')).toBe('0x71041dddad3595f9ced3dccfbe3d1f4b0a16bb70')
  expect(feed('base', 'USDbC')).toBe(feed('base', 'USDC'))
  expect(feed('optimism', 'USDT0')).toBe(feed('optimism', 'USDT'))
  expect(feed('polygon', 'WPOL')).toBe('0xab594600376ec9fd91f8e885dadf0ce036862de0')
  // Mainnet has a BTC feed and none for WBTC; base has one of each.
  expect(feed('mainnet', 'WBTC')).toBe('0xf4030086522a5beea4988f8ca5b36dbc97bee88c')
  expect(feed('base', 'WBTC')).toBe('0xccadc697c55bbb68dc5bcdf8d3cbe83cdd4e071e')
})

test('behavior: a token without a canonical feed has ours, at one address everywhere', () => {
  const own = book.token('base', 'wstETH')!.feed
  expect(own).toMatch(/^0x[0-9a-f]{40}$/)
  expect(book.token('arbitrum', 'wstETH')!.feed).toBe(own)
  expect(book.token('mainnet', 'wstETH')!.feed).not.toBe(own)
})

test('behavior: every address is lower case', () => {
  const everything = JSON.stringify(networkNames.map(book.on), (_, value) =>
    typeof value === 'bigint' ? String(value) : value,
  )
  const addresses = everything.match(/0x[0-9a-fA-F]{40}/g)!
  expect(addresses.length).toBeGreaterThan(200)
  expect(addresses.filter((a) => a !== a.toLowerCase())).toEqual([])
})

test('behavior: a Comet market is scaled and has only collaterals of the book', () => {
  const market = book.on('mainnet').comets[0]!
  expect(market.collaterals.map((c) => c.symbol)).toEqual([
    'COMP',
    'WBTC',
    'WETH',
    'wstETH',
    'cbBTC',
  ])
  expect(market.collaterals[2]).toMatchObject({
    decimals: 18,
    borrowCollateralFactor: 825_000_000_000_000_000n,
    liquidateCollateralFactor: 895_000_000_000_000_000n,
    liquidationFactor: 950_000_000_000_000_000n,
    supplyCap: 500_000n * 10n ** 18n,
  })
  expect(market.rates.borrowBase).toBe(15_000_000_000_000_000n)
  expect(market.rewardSymbol).toBe('COMP')
})

test('behavior: the live borrow minimum wins over the deploy-time one', () => {
  const weth = book.on('arbitrum').comets.find((c) => c.baseSymbol === 'WETH')!
  expect(weth.baseBorrowMin).toBe(1_000_000_000_000n)
})

test('behavior: every market pays rewards; a speed of the file stays, a missing one is ten tokens a day', () => {
  for (const { tracking } of networkNames.flatMap((n) => book.on(n).comets))
    expect(tracking.supplySpeed + tracking.borrowSpeed).toBeGreaterThan(0n)
  const [mainnet, base] = [book.on('mainnet').comets[0]!, book.on('base').comets[0]!]
  expect((mainnet.tracking.supplySpeed * 86_400n) / 10n ** 12n).toBe(9999n)
  expect(base.tracking.supplySpeed).toBe(231_481_481_481n)
})
