import { expect, test } from 'vitest'
import { createChangeRecord } from './changes.js'

const price = (after: string) =>
  ({ cause: 'price', assets: ['ETH'], before: '3000', after }) as const

test('default: a plan sees the changes that came after its reads began, newest first', () => {
  const changes = createChangeRecord({ now: () => 5 })
  changes.add(price('1'))
  const from = changes.position()
  changes.add(price('2'))
  changes.planMade('pln_1', { from, seen: { 'base USDC': '7' } })
  changes.add(price('3'))
  const found = changes.since('pln_1')!
  expect(found.seen).toEqual({ 'base USDC': '7' })
  expect(found.changes.map((each) => 'after' in each && each.after)).toEqual(['3', '2'])
  expect(found.changes[0]).toMatchObject({ ms: 5, requestId: undefined })
})

test('behavior: a restore takes back the changes that followed; an unknown plan has none', () => {
  const changes = createChangeRecord({ now: () => 5 })
  changes.planMade('pln_1', { from: changes.position(), seen: {} })
  changes.add(price('1'))
  const saved = changes.save()
  changes.add(price('2'))
  changes.restore(saved)
  expect(changes.since('pln_1')!.changes).toHaveLength(1)
  expect(changes.since('pln_2')).toBeUndefined()
})

test('behavior: 1,000 changes are kept', () => {
  const changes = createChangeRecord({ now: () => 5 })
  changes.planMade('pln_1', { from: 0, seen: {} })
  for (let i = 0; i < 1_200; i++) changes.add(price(`${i}`))
  expect(changes.since('pln_1')!.changes).toHaveLength(1_000)
})
