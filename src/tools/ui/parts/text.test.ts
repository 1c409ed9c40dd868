import { expect, test } from 'vitest'
import { advanceOf, parseSpan, secondsUntil, shownSpan, smallestUnits } from './text.js'

test('default: spans as people write them', () => {
  const spans = { '90': 90, '121s': 121, '5m': 300, '1d 2h': 93_600, '1.5h': 5_400, ' 2M ': 120 }
  for (const [text, seconds] of Object.entries(spans)) expect(parseSpan(text)).toBe(seconds)
})

test('error: what is no span', () => {
  for (const text of ['', 'soon', '5x', '-3', '1m and more', '1 2'])
    expect([text, parseSpan(text)]).toEqual([text, undefined])
})

test('default: a clock is advanced by a span or to an instant; anything else says what is wrong', () => {
  const nowMs = Date.parse('2026-01-01T00:00:05Z')
  expect(advanceOf('2m', nowMs)).toBe(120)
  expect(advanceOf('2026-01-01 00:00:10', nowMs)).toBe(5)
  expect(advanceOf('2026-01-02T00:00Z', nowMs)).toBe(86_395)
  expect(advanceOf('2026-01-01', nowMs)).toBe(
    '2026-01-01 00:00:00 is over: the clock shows 2026-01-01 00:00:05, and only goes forward.',
  )
  expect(advanceOf('2026-01-01T02:01:00+02:00', nowMs)).toBe(55)
  expect(advanceOf('00:02:00', nowMs)).toBe(115)
  expect(advanceOf(' 00:01 ', nowMs)).toBe(55)
  expect(advanceOf('00:00:04', nowMs)).toBe(
    '2026-01-01 00:00:04 is over: the clock shows 2026-01-01 00:00:05, and only goes forward.',
  )
  expect(advanceOf('2028-02-29', nowMs)).toBeGreaterThan(0)
  for (const [text, end] of [
    ['2026-02-30', '2026-02 ends on 2026-02-28'],
    ['2026-02-29 10:00', '2026-02 ends on 2026-02-28'],
    ['2026-04-31T00:00Z', '2026-04 ends on 2026-04-30'],
  ] as const)
    expect(advanceOf(text, nowMs)).toBe(`${text.slice(0, 10)} does not exist: ${end}.`)
  for (const text of [
    'soon',
    '-3',
    '2026-13-01',
    '2026-00-31',
    '2026-02-00',
    '25:00',
    '',
    '2026-02-30x',
  ])
    expect(advanceOf(text, nowMs)).toMatch(`“${text}” is no time. Write a span`)
})

test('behavior: the two largest parts are shown', () => {
  expect([0, 59.9, 121, 3_600, 93_784].map(shownSpan)).toEqual([
    '0s',
    '59s',
    '2m 1s',
    '1h',
    '1d 2h',
  ])
})

test('default: amounts go from whole units to smallest ones, exactly', () => {
  const pairs = [
    ['4.5', 6, '4500000'],
    ['1000', 6, '1000000000'],
    ['0.000000000000000001', 18, '1'],
    ['123456789012345678901234567890.1', 18, '123456789012345678901234567890100000000000000000'],
    ['0', 8, '0'],
  ] as const
  for (const [whole, decimals, smallest] of pairs)
    expect(smallestUnits(whole, decimals)).toBe(smallest)
})

test('error: what is no amount, or is finer than the asset', () => {
  for (const text of ['', 'max', '-1', '1e6', '1,5', '0.0000001'])
    expect([text, smallestUnits(text, 6)]).toEqual([text, undefined])
})

test('behavior: seconds until an instant have three decimals and are never too few, also on a running clock', () => {
  expect(secondsUntil(600_000, 32_309.1999511719)).toBe(567.691)
  expect(secondsUntil(600_000, 599_999.9999)).toBe(0.001)
  expect(secondsUntil(600_000, 0)).toBe(600)
})
