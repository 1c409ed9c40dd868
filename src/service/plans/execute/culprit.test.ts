import { expect, test } from 'vitest'
import type { Token } from '../../../deployments/networks.js'
import { svcAddresses } from '../../../generated/svc.js'
import type { Author, LedgerEntry, Touch } from '../../context/changes.js'
import { culpritOf, type MovedBalance, type RefusedPlan } from './culprit.js'
import type { RefusedSwap } from './refusedSwap.js'

const wallet = '0x00000000000000000000000000000000000a11ce'
const stranger = '0x000000000000000000000000000000000000b0b0'
const token = '0x00000000000000000000000000000000000005dc'

let position = 0
const entry = (actor: Author, ...touched: Touch[]): LedgerEntry => ({
  ...{ position: position++, ms: 5, requestId: undefined, actor, touched },
})
const rpc: Author = { by: 'rpc', network: 'base', method: 'eth_sendTransaction' }
const paid = (delta: number, address = wallet) =>
  entry(rpc, { of: 'balance', network: 'base', address, symbol: 'USDC', delta: `${delta}` })
const used = (nonce: `0x${string}`, address = wallet) =>
  entry(
    { by: 'plan', plan_id: `pln_${nonce}`, activity_id: 'act_1', wallet: '0x1' },
    { of: 'nonce', network: 'base', address, nonces: [nonce] },
  )
const priced = entry({ by: 'price' }, { of: 'price', assets: ['ETH'], before: '1', after: '2' })

const usdc = (before: bigint, after: bigint, need: bigint): MovedBalance => ({
  ...{ network: 'base', symbol: 'USDC', token, before, after, need },
})
const refused = (more: Partial<RefusedPlan> = {}): RefusedPlan => ({
  plan: {
    ...{ planId: 'pln_1', intent: { asset: 'USDC' }, details: {} as never, quotes: [] },
    operations: [{ network: 'base', nonce: '0x7' } as never],
    spends: [{ network: 'base', symbol: 'USDC', amount: '600' }],
  },
  ...{ wallet, by: 'state', moved: [] },
  ...more,
})

test('default: the first that leaves too little, and not one before that left enough', () => {
  const [small, gift, large, later] = [paid(-1), paid(5), paid(-500), paid(-10)]
  const all = [small, gift, large, later]
  const found = culpritOf(all, refused({ moved: [usdc(1000n, 494n, 600n)] }))
  expect(found).toMatchObject({ entry: large, balance: { before: 1004n, after: 504n } })
})

test('behavior: of nonces only the plan’s own on its wallet count', () => {
  const [other, elsewhere, own] = [used('0x1'), used('0x7', stranger), used('0x7')]
  const found = culpritOf([other, elsewhere, own], refused({ by: 'nonce', network: 'base' }))
  expect(found?.entry).toBe(own)
})

test('behavior: a refusal that nothing explains has no culprit', () => {
  expect(culpritOf([], refused())).toBeUndefined()
  // Somebody else’s money, another nonce, and a price of what the plan does not have.
  const innocent = [paid(-500, stranger), used('0x1'), priced]
  expect(culpritOf(innocent, refused())).toBeUndefined()
  expect(culpritOf(innocent, refused({ by: 'nonce', network: 'base' }))).toBeUndefined()
})

test('behavior: a write that does not say whose balance it moved is named where nothing else is', () => {
  const write = entry(rpc, { of: 'state', network: 'base', address: token })
  const moved = [usdc(1000n, 0n, 600n)]
  expect(culpritOf([priced, write], refused({ moved }))?.entry).toBe(write)
  const all = entry(rpc, { of: 'state', network: 'base' })
  expect(culpritOf([all], refused({ by: 'nonce', network: 'base' }))?.entry).toBe(all)
})

const [sell, buy] = ['USDC', 'WETH'].map(
  (symbol, i) => ({ symbol, address: ['0x2', '0x1'][i] }) as Token,
)
const swap = (more: Partial<RefusedSwap>): Partial<RefusedPlan> => ({
  swap: {
    ...{ network: 'base', sell: sell!, buy: buy!, lacks: 'price', now: 0n, asked: 0n, says: '' },
    ...more,
  },
})
const fault = (rule: string, touch: Touch, isUndone = false): LedgerEntry => ({
  ...entry({ by: 'fault', rule, effect: 'quote.drain' }, touch),
  ...(isUndone && { isUndone }),
})
const drained = (symbol: string): Touch => ({
  ...{ of: 'exchange', network: 'base', symbol, before: '9', after: '0' },
})
const moved = (asset: string, before: string, after: string) =>
  entry({ by: 'price' }, { of: 'price', assets: [asset], before, after })

test('behavior: of a swap without liquidity the rule that holds the bought asset back, and not one that is gone', () => {
  const gone = fault('gone', drained('WETH'), true)
  const [other, own] = [fault('other', drained('WBTC')), fault('own', drained('WETH'))]
  const lacks = swap({ lacks: 'holdings', asked: 5n })
  const all = [gone, other, moved('WETH', '3000', '3500'), own]
  expect(culpritOf(all, refused(lacks))?.entry).toBe(own)
  expect(culpritOf(all.slice(0, 3), refused(lacks))).toBeUndefined()
  // A second rule keeps it empty, too, when the first is removed.
  const second = fault('second', { ...drained('WETH'), before: '0' } as Touch)
  const both = culpritOf([...all, second], refused(lacks))!
  expect([both.entry, ...both.also!.map((each) => each.entry)]).toEqual([own, second])
})

test('behavior: without such a rule, those who bought a tenth or more of what it had, the largest first', () => {
  const exchange = { of: 'balance', network: 'base', symbol: 'WETH' } as const
  const address = svcAddresses.exchange.toLowerCase()
  const bought = (delta: number) => entry(rpc, { ...exchange, address, delta: `${-delta}` })
  const named = (now: bigint, ...all: LedgerEntry[]) => {
    const found = culpritOf(all, refused(swap({ lacks: 'holdings', now, asked: 5n })))
    return found && [found.entry, ...(found.also ?? []).map((each) => each.entry)]
  }
  // Of 20 there are 2 left.
  const [small, large, later] = [bought(3), bought(14), bought(1)]
  expect(named(2n, small, large, later)).toEqual([large, small])
  const half = bought(14)
  expect(named(2n, large, later, half)).toEqual([half, large])
  // What was brought back counts for nobody, even if it was brought first.
  expect(named(2n, small, bought(-3), large)).toEqual([large])
  expect(named(4n, bought(-2), bought(2))).toBeUndefined()
  // A write may say only what it left, and not how much it took.
  const set = entry(rpc, { ...exchange, address, after: '4' })
  expect(named(2n, large, set, bought(2))).toEqual([set])
  const enough = entry(rpc, { ...exchange, address, after: '40' })
  expect(named(2n, large, enough, bought(20), half, bought(4))).toHaveLength(3)
})

test('behavior: of a swap at a bad price what moved it most against the plan, from then until now', () => {
  const spread = (rule: string, after: number, isUndone = false) =>
    fault(rule, { of: 'exchange', network: 'base', before: '5', after: `${after}` }, isUndone)
  const moves = [moved('WETH', '3000', '3900'), moved('WETH', '3900', '3300')]
  const price = { entry: moves[1], touch: { before: '3000', after: '3300' } }
  const small = [
    spread('gone', 2_005, true),
    ...moves,
    spread('small', 55),
    moved('USDC', '1', '2'),
  ]
  expect(culpritOf(small, refused(swap({})))).toMatchObject(price)
  const large = spread('large', 2_005)
  expect(culpritOf([...moves, large], refused(swap({})))?.entry).toBe(large)
  // It came back.
  const back = [...moves, moved('WETH', '3300', '3000')]
  expect(culpritOf(back, refused(swap({})))).toBeUndefined()
  expect(culpritOf([moved('USDC', '1', '0.9')], refused(swap({})))).toBeDefined()
})

test('behavior: of a swap on a pool who traded most against it there, and nobody else', () => {
  const pool = '0x0000000000000000000000000000000000009001'
  const traded = (before: number, after: number, address = pool) =>
    entry(rpc, {
      ...{ of: 'pool', network: 'base', address, before: `${before}`, after: `${after}` },
    })
  const state = entry(rpc, { of: 'state', network: 'base', address: stranger })
  const onPool = refused(swap({ lacks: 'pool', pool }))
  const [small, large, back] = [traded(1000, 1010), traded(1010, 1110), traded(1110, 1010)]
  const all = [state, small, large, back, traded(1000, 2000, stranger)]
  expect(culpritOf(all, onPool)).toMatchObject({ entry: large, touch: { of: 'pool' } })
  expect(culpritOf(all, onPool)?.also).toBeUndefined()
  // A price brings the pool there, whatever was traded before.
  const price = moved('WETH', '3000', '3300')
  const later = traded(1049, 1080)
  const found = culpritOf([small, large, price, later], onPool)
  expect([found?.entry, found?.also?.map((each) => each.entry)]).toEqual([price, [later]])
  // What was taken back before is no share of it.
  const lately = [traded(1000, 900), traded(900, 1000), later]
  const [own, more] = [culpritOf(lately, onPool), culpritOf(lately.slice(0, 2), onPool)]
  expect([own?.entry, own?.also, more]).toEqual([later, undefined, undefined])
})

test('behavior: of a price and a spread both are to blame, the larger one first, where both mattered', () => {
  const spread = fault('wide', { of: 'exchange', network: 'base', before: '5', after: '205' })
  const price = (after: string) => moved('WETH', '3000', after)
  const [small, large, most] = [price('3003'), price('3030'), price('3300')]
  const named = (...all: LedgerEntry[]) => {
    const found = culpritOf(all, refused(swap({})))!
    return [found.entry, ...(found.also ?? []).map((each) => each.entry)]
  }
  expect(named(spread, small)).toEqual([spread])
  expect(named(spread, large)).toEqual([spread, large])
  expect(named(spread, most)).toEqual([most, spread])
})

test('behavior: what was undone is no culprit of anything else either', () => {
  const paidAndUndone = { ...paid(-500), isUndone: true } as const
  expect(culpritOf([paidAndUndone], refused({ moved: [usdc(1000n, 500n, 600n)] }))).toBeUndefined()
})
