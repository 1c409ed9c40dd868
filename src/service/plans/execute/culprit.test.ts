import { expect, test } from 'vitest'
import type { Author, LedgerEntry, Touch } from '../../context/changes.js'
import { culpritOf, type MovedBalance, type RefusedPlan } from './culprit.js'

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
