import { expect, test } from 'vitest'
import { createValueHistory } from './values.js'

const folioOf = (usdc: string) => ({
  balances: { 'token/base/USDC/0x1': `${usdc}e6` },
  prices: { 'token/USDC': '1' },
  yield_markets: {},
  borrow_markets: {},
})

/** A history with a clock of its own, and what the account a was worth. */
function history() {
  let ms = 0
  const values = createValueHistory(() => ms)
  return {
    values,
    at(time: number, usdc: string, id = 'acc_a') {
      ms = time
      values.begin()(id, folioOf(usdc))
    },
    points: () => values.of('acc_a').map((point) => [point.ms, Number(point.usd) / 1e8]),
  }
}

test('default: a point for each value; one that stays has two, and a moment has one', () => {
  const { at, points, values } = history()
  at(1_000, '5')
  at(2_000, '5')
  at(3_000, '5')
  at(4_000, '7.5')
  at(4_000, '8')
  expect(points()).toEqual([
    [1_000, 5],
    [3_000, 5],
    [4_000, 8],
  ])
  at(5_000, '1', 'acc_b')
  expect([...values.latest()]).toEqual([
    ['acc_a', { ms: 4_000, usd: 800_000_000n }],
    ['acc_b', { ms: 5_000, usd: 100_000_000n }],
  ])
  expect(values.of('acc_c')).toEqual([])
})

test('behavior: a restore goes back, again too, and a read that began before it counts for nothing', () => {
  const { at, points, values } = history()
  at(1_000, '5')
  const saved = values.save()
  at(2_000, '6')
  const read = values.begin()
  for (let i = 0; i < 2; i++) {
    values.restore(saved)
    expect(points()).toEqual([[1_000, 5]])
    read('acc_a', folioOf('9'))
    expect(points()).toEqual([[1_000, 5]])
    at(3_000, '7')
  }
})

test('behavior: a long life has at most 400 points, from the first to the last', () => {
  const { at, points } = history()
  for (let i = 0; i < 2_000; i++) at(i, `${i}`)
  expect(points().length).toBeLessThanOrEqual(400)
  expect([points()[0], points().at(-1)]).toEqual([
    [0, 0],
    [1_999, 1_999],
  ])
})
