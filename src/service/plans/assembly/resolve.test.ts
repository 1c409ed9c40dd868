import { expect, test } from 'vitest'
import type { CometState } from '../../../chain/state/marketReads.js'
import type { NetworkState } from '../../../chain/state/networkState.js'
import { loadAddressBook } from '../../../deployments/addressBook.js'
import type { LeftOut } from '../../../deployments/markets.js'
import {
  cometOf,
  leftOutNote,
  MissingNetworkState,
  networkStateOf,
  priceOf,
  tokenOn,
} from './resolve.js'

const book = loadAddressBook()
const { comets, tokens } = book.on('base')
const usdc = book.token('base', 'USDC')!
const states = comets.map((market) => ({ market }) as CometState)
const networkState = {
  network: 'base',
  prices: new Map([['USDC', 100_000_000n]]),
  comets: states,
} as unknown as NetworkState

test('default: a symbol is found in any casing, under its canonical form', () => {
  expect(tokenOn(book, 'base', 'usdc', 'asset')).toBe(usdc)
  expect(tokenOn(book, 'base', 'CBBTC', 'asset').symbol).toBe('cbBTC')
})

test('error: an unknown asset names the field, the value and what the network has', () => {
  expect(() => tokenOn(book, 'base', 'NOPE', 'sell_asset')).toThrow(
    `sell_asset: "NOPE" is not a known asset; base has ${tokens.map((t) => t.symbol).join(', ')}`,
  )
})

test('error: an unknown asset is invalid_params, not plan_failed', () => {
  expect(() => tokenOn(book, 'base', 'NOPE', 'asset')).toThrow(
    expect.objectContaining({ code: 'invalid_params' }),
  )
})

test('error: an asset of other networks is told apart from an unknown one', () => {
  expect(() => tokenOn(book, 'base', 'POL', 'asset')).toThrow('"POL" is not on base')
})

test('error: a symbol cannot reach into objects', () => {
  for (const symbol of ['__proto__', 'constructor', 'toString', ''])
    expect(() => tokenOn(book, 'base', symbol, 'asset')).toThrow(/not a known asset/)
})

test('error: a network that was not read', () => {
  const world = { states: new Map([['base' as const, networkState]]) }
  expect(networkStateOf(world, 'base')).toBe(networkState)
  expect(() => networkStateOf(world, 'polygon')).toThrow(MissingNetworkState)
})

test('error: plan_failed for an asset without a price', () => {
  expect(priceOf(networkState, usdc)).toBe(100_000_000n)
  expect(() => priceOf(networkState, book.token('base', 'WETH')!)).toThrow(
    expect.objectContaining({
      code: 'plan_failed',
      message: expect.stringContaining('WETH on base'),
    }),
  )
})

test('behavior: a market by its base asset, or by its address in any casing', () => {
  const wanted = states.find(({ market }) => market.baseSymbol === 'USDC')!
  expect(cometOf(networkState, usdc, undefined)).toBe(wanted)
  const shouted = wanted.market.address.toUpperCase().replace('0X', '0x')
  expect(cometOf(networkState, usdc, shouted)).toBe(wanted)
})

test('error: plan_failed for a market that is not there, or lends another asset', () => {
  const weth = states.find(({ market }) => market.baseSymbol === 'WETH')!.market.address
  for (const [token, market] of [
    [usdc, weth],
    [usdc, '0x0000000000000000000000000000000000000001'],
    [book.token('base', 'DAI')!, undefined],
  ] as const)
    expect(() => cometOf(networkState, token, market)).toThrow(
      expect.objectContaining({
        code: 'plan_failed',
        message: expect.stringContaining('market not found'),
      }),
    )
})

test('error: a market that a fork lacks is named with the reason; one of another protocol, id or asset is not', () => {
  const other = { symbols: ['USDC'], why: 'it does not answer' }
  const leftOut: LeftOut[] = [
    { protocol: 'aave', id: '0xab', name: 'the reserve', ...other },
    { protocol: 'comet', id: '0xab', name: 'the market', ...other },
  ]
  const forked = { ...networkState, leftOut } as NetworkState
  const note = '; the market is left out on the forked base: it does not answer'
  for (const asked of [{}, { symbol: 'USDC' }, { id: '0xAB' }, { symbol: 'USDC', id: '0xab' }])
    expect(leftOutNote(forked, 'comet', asked)).toBe(note)
  expect(leftOutNote(forked, 'morpho', {})).toBe('')
  expect(leftOutNote(forked, 'comet', { symbol: 'WETH' })).toBe('')
  expect(leftOutNote(forked, 'comet', { id: '0xac' })).toBe('')
  expect(leftOutNote(networkState, 'comet', {})).toBe('')
  expect(() => cometOf({ ...forked, comets: [] }, usdc, undefined)).toThrow(
    `no market for USDC on base${note}; GET /markets lists them`,
  )
  expect(() => cometOf({ ...forked, comets: [] }, usdc, '0xac')).toThrow(
    'no market for USDC at 0xac on base; GET /markets lists them',
  )
})
