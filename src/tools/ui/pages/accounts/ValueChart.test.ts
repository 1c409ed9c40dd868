import { expect, test } from 'vitest'
import { chartOf } from './ValueChart.js'

const dollars = (many: number): bigint => BigInt(Math.round(many * 1e8))
const points = (...given: (readonly [seconds: number, usd: number])[]) =>
  given.map(([seconds, usd]) => ({ at: seconds * 1_000, usd: dollars(usd) }))

test('default: from zero to a round value; what comes is a step, interest of cents a slope', () => {
  const { line, ticks, zero } = chartOf(points([0, 0], [1, 1_000], [3, 1_000.02]))
  expect(ticks.map(({ usd }) => usd)).toEqual([0n, dollars(600), dollars(1_200)])
  expect(zero).toBe(1)
  expect(line).toMatch(/^M0,1H0\.38\d*V0\.1666\d*L1,0\.1666/)
})

test('behavior: a day is wider than a second, and leaves room for the seconds', () => {
  const { points: placed } = chartOf(points([0, 1], [1, 1], [86_401, 1], [86_402, 1]))
  const [, second, day] = placed.map(({ x }) => x)
  expect(second).toBeGreaterThan(0.04)
  expect(day! - second!).toBeGreaterThan(0.8)
})

test('behavior: debts go below zero, one value is a line, none is nothing, large ones stay exact', () => {
  expect(chartOf(points([0, -30], [5, 10])).ticks.map(({ usd }) => usd)).toEqual([
    dollars(-30),
    0n,
    dollars(5),
    dollars(10),
  ])
  expect(chartOf(points([0, 5])).line).toBe('M0,0H1')
  expect(chartOf([])).toMatchObject({ points: [], line: '' })
  const large = chartOf([{ at: 0, usd: 10n ** 40n + 1n }])
  expect(large.ticks.at(-1)!.usd).toBe(12n * 10n ** 39n)
})
