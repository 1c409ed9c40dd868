import { expect, test } from 'vitest'
import { bucketBounds, createDurations } from './durations.js'

test('default: each duration is in the first bucket that holds it', () => {
  const durations = createDurations()
  for (const seconds of [0, 0.005, 0.0051, 60]) durations.add({ kind: 'earn' }, seconds)
  const [row, ...others] = durations.rows()
  expect(others).toEqual([])
  expect(row).toMatchObject({ labels: { kind: 'earn' }, count: 4 })
  expect(row!.sum).toBeCloseTo(60.0101)
  const expected = new Map<number, number>([
    [0.005, 2],
    [0.01, 1],
    [60, 1],
  ])
  expect(row!.buckets).toEqual(bucketBounds.map((bound) => expected.get(bound) ?? 0))
})

test('behavior: what is longer than all bounds is counted, in no bucket', () => {
  const durations = createDurations()
  durations.add({}, 61)
  expect(durations.rows()).toMatchObject([
    { count: 1, sum: 61, buckets: bucketBounds.map(() => 0) },
  ])
})

test('behavior: labels are counted apart', () => {
  const durations = createDurations()
  durations.add({ kind: 'earn', result: 'ok' }, 1)
  durations.add({ kind: 'earn', result: 'plan_failed' }, 2)
  durations.add({ kind: 'earn', result: 'ok' }, 3)
  expect(durations.rows().map(({ labels, sum }) => [labels.result, sum])).toEqual([
    ['ok', 4],
    ['plan_failed', 2],
  ])
})
