import { describe, expect, test } from 'vitest'
import type { NetworkState } from '../../../chain/state/networkState.js'
import { type AddressBook, loadAddressBook } from '../../../deployments/addressBook.js'
import { type NetworkName, networkNames } from '../../../deployments/networks.js'
import { bridgeHint, bridgeOutput } from '../../bridge/hints.js'
import { maxUint256 } from '../model/fields.js'
import {
  amountOrDeliverable,
  arrivingAs,
  canDeliver,
  deliverable,
  held,
  otherForm,
  routes,
  withOtherForms,
} from './funding.js'

const book = loadAddressBook()
const usdc = book.token('base', 'USDC')!
const [eth, weth] = [book.token('base', 'ETH')!, book.token('base', 'WETH')!]

/** All networks have been read; they hold these balances. */
function worldOf(balances: Partial<Record<NetworkName, Record<string, bigint>>>, of = book) {
  const states = networkNames.map((network): [NetworkName, NetworkState] => {
    const held = new Map(Object.entries(balances[network] ?? {}))
    return [network, { network, balances: held } as unknown as NetworkState]
  })
  return { book: of, states: new Map(states) }
}

/** The book of a fork that lacks the spoke pool of this network. */
function withoutBridge(network: NetworkName): AddressBook {
  const leftOut = [{ protocol: 'across', id: '0x', name: 'the spoke pool', symbols: [], why: '' }]
  const on = (name: NetworkName) => ({
    ...book.on(name),
    ...(name === network && { leftOut: leftOut as never }),
  })
  return { ...book, on }
}

describe('forms of a token', () => {
  test('default: native and wrapped are each other\u2019s other form; others have none', () => {
    expect(otherForm(book.on('base'), eth)).toBe(weth)
    expect(otherForm(book.on('base'), weth)).toBe(eth)
    expect(otherForm(book.on('base'), usdc)).toBeUndefined()
  })

  test('behavior: a wallet without code receives the native form, one with code the wrapped', () => {
    for (const token of [eth, weth]) {
      expect(arrivingAs(book.on('base'), token, false)).toBe(eth)
      expect(arrivingAs(book.on('base'), token, true)).toBe(weth)
    }
    expect(arrivingAs(book.on('base'), usdc, false)).toBe(usdc)
  })

  test('behavior: either name of ether brings both; in upper case, each once', () => {
    expect(withOtherForms(['usdc', 'weth'])).toEqual(['USDC', 'WETH', 'ETH'])
    expect(withOtherForms(['ETH', 'eth'])).toEqual(['ETH', 'WETH'])
    expect(withOtherForms(['usdc', 'Comp'])).toEqual(['USDC', 'COMP'])
  })

  test('behavior: what is held counts both forms', () => {
    expect(held(worldOf({ base: { ETH: 2n, WETH: 3n } }), 'base', eth)).toBe(5n)
    expect(held(worldOf({ base: { USDC: 7n } }), 'base', usdc)).toBe(7n)
    expect(held(worldOf({}), 'base', weth)).toBe(0n)
  })
})

describe('routes', () => {
  const hint = bridgeHint('arbitrum', 'base', 'USDC')!

  test('default: the cheapest per unit first, each with what it delivers', () => {
    const amounts = { mainnet: 90_000_000n, arbitrum: 50_000_000n, optimism: 800_000_000n }
    const balances = Object.fromEntries(
      Object.entries(amounts).map(([network, USDC]) => [network, { USDC }]),
    )
    const found = routes(worldOf(balances), 'base', usdc)
    expect(found.map(({ hint }) => hint.from)).toEqual(['optimism', 'mainnet', 'arbitrum'])
    for (const { hint, input, output } of found) {
      expect(input).toBe(amounts[hint.from as keyof typeof amounts])
      expect(output).toBe(bridgeOutput(hint, input))
    }
    expect(deliverable(worldOf(balances), 'base', usdc)).toBe(
      found.reduce((sum, { output }) => sum + output, 0n),
    )
  })

  test('behavior: exactly the least amount is a route, one unit less is none; more than the most is cut', () => {
    const inputs = (USDC: bigint) =>
      routes(worldOf({ arbitrum: { USDC } }), 'base', usdc).map(({ input }) => input)
    expect(inputs(hint.minAmount)).toEqual([hint.minAmount])
    expect(inputs(hint.minAmount - 1n)).toEqual([])
    expect(inputs(hint.maxAmount + 1n)).toEqual([hint.maxAmount])
  })

  test('behavior: ether travels as WETH, from both forms; polygon\u2019s native token does not travel', () => {
    const world = worldOf({ arbitrum: { ETH: 10n ** 18n, WETH: 10n ** 18n } })
    for (const token of [eth, weth])
      expect(routes(world, 'base', token).map(({ input }) => input)).toEqual([2n * 10n ** 18n])
    const pol = book.token('polygon', 'POL')!
    expect(routes(world, 'polygon', pol)).toEqual([])
    const usdt = book.token('base', 'USDT')!
    expect(routes(worldOf({ arbitrum: { USDT: 10n ** 9n } }), 'base', usdt)).toEqual([])
  })

  test('behavior: a fork without a spoke pool, at either end, has no route', () => {
    const balances = { arbitrum: { USDC: 50_000_000n }, optimism: { USDC: 50_000_000n } }
    const from = (network: NetworkName) =>
      routes(worldOf(balances, withoutBridge(network)), 'base', usdc).map(({ hint }) => hint.from)
    expect(from('arbitrum')).toEqual(['optimism'])
    expect(from('base')).toEqual([])
    expect(from('polygon')).toHaveLength(2)
  })
})

describe('amounts', () => {
  const world = worldOf({ base: { USDC: 5_000_000n }, arbitrum: { USDC: 10_000_000n } })
  const all = deliverable(world, 'base', usdc)

  test('default: own funds and what bridges bring', () => {
    expect(all).toBe(
      5_000_000n + bridgeOutput(bridgeHint('arbitrum', 'base', 'USDC')!, 10_000_000n),
    )
    expect(canDeliver(world, 'base', usdc, all)).toBe(true)
    expect(canDeliver(world, 'base', usdc, all + 1n)).toBe(false)
  })

  test('behavior: networks that were not read matter only when own funds are short', () => {
    const near = { book, states: new Map([...world.states].filter(([name]) => name === 'base')) }
    expect(canDeliver(near, 'base', usdc, 5_000_000n)).toBe(true)
    expect(() => canDeliver(near, 'base', usdc, 5_000_001n)).toThrow('has not been read')
  })

  test('behavior: everything is what can be delivered; another amount stays as it is', () => {
    expect(amountOrDeliverable(world, 'base', usdc, maxUint256)).toBe(all)
    expect(amountOrDeliverable(world, 'base', usdc, all + 7n)).toBe(all + 7n)
  })

  test('error: plan_failed when everything is nothing, with a hint', () => {
    expect(() => amountOrDeliverable(worldOf({}), 'base', usdc, maxUint256)).toThrow(
      expect.objectContaining({
        code: 'plan_failed',
        message: expect.stringContaining('USDC on base'),
        hint: expect.stringContaining('fund the wallet with USDC on base'),
      }),
    )
  })
})
