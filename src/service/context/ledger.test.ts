import { expect, test } from 'vitest'
import { createLedger, type Ledger } from './ledger.js'

const price = (ledger: Ledger, after: string): void =>
  ledger.add({ by: 'price' }, [{ of: 'price', assets: ['ETH'], before: '3000', after }])
const place = (ledger: Ledger) => ({ from: ledger.position(), balances: {}, blocks: {} })
const afters = (ledger: Ledger, planId: string) =>
  ledger
    .since(planId)!
    .entries.map(({ touched: [touch] }) => touch && 'after' in touch && touch.after)

test('default: a plan sees the changes after its reads began, oldest first', () => {
  const ledger = createLedger({ now: () => 5 })
  price(ledger, '1')
  const before = place(ledger)
  price(ledger, '2')
  ledger.planMade('pln_1', { ...before, balances: { 'base USDC': '7' } })
  price(ledger, '3')
  expect(afters(ledger, 'pln_1')).toEqual(['2', '3'])
  expect(ledger.since('pln_1')).toMatchObject({ balances: { 'base USDC': '7' }, isCutShort: false })
  expect(ledger.since('pln_1')!.entries[0]).toMatchObject({ position: 1, ms: 5 })
  expect(ledger.since('pln_2')).toBeUndefined()
})

test('behavior: of a transaction the block decides, whenever it was written down', () => {
  const ledger = createLedger({ now: () => 5 })
  const sent = { by: 'rpc', network: 'base', method: 'eth_sendRawTransaction' } as const
  const mined = (hash: `0x${string}`, block?: number) =>
    ledger.add(sent, [], { network: 'base', hash, ...(block !== undefined && { block }) })
  mined('0x01')
  const before = place(ledger)
  mined('0x02', 9)
  mined('0x03', 10)
  ledger.planMade('pln_1', { ...before, blocks: { base: 10 } })
  const hashes = () => ledger.since('pln_1')!.entries.map(({ transaction }) => transaction?.hash)
  expect(hashes()).toEqual(['0x01', '0x03'])
  ledger.complete(ledger.since('pln_1')!.entries[0]!, 8, [])
  expect(hashes()).toEqual(['0x03'])
})

test('behavior: a restore removes later changes, and knows the plans that it undid', () => {
  const ledger = createLedger({ now: () => 5 })
  ledger.planMade('pln_1', place(ledger))
  price(ledger, '1')
  const saved = ledger.save()
  ledger.planMade('pln_2', place(ledger))
  price(ledger, '2')
  ledger.restore(saved)
  ledger.returned({ id: 'snp_1' })
  expect(afters(ledger, 'pln_1')).toEqual(['1'])
  expect(ledger.undone('pln_1')).toBeUndefined()
  expect(ledger.undone('pln_2')).toMatchObject({ ms: 5, snapshot: { id: 'snp_1' } })
  expect(ledger.after('pln_2')).toEqual([])
  price(ledger, '3')
  expect(ledger.after('pln_2')).toHaveLength(1)
  expect(ledger.after('pln_1')).toHaveLength(2)
  expect(ledger.after('pln_3')).toBeUndefined()
  ledger.planMade('pln_2', place(ledger))
  expect(ledger.undone('pln_2')).toBeUndefined()
})

test('behavior: 5,000 changes are kept, and a plan knows when older ones are gone', () => {
  const ledger = createLedger({ now: () => 5 })
  ledger.planMade('pln_1', place(ledger))
  for (let i = 0; i < 5_200; i++) price(ledger, `${i}`)
  expect(ledger.since('pln_1')!.entries).toHaveLength(5_000)
  expect(ledger.since('pln_1')!.isCutShort).toBe(true)
})
