import { expect, test } from 'vitest'
import { parseSpan, shownSpan } from './text.js'

test('default: spans as people write them', () => {
  const spans = { '90': 90, '121s': 121, '5m': 300, '1d 2h': 93_600, '1.5h': 5_400, ' 2M ': 120 }
  for (const [text, seconds] of Object.entries(spans)) expect(parseSpan(text)).toBe(seconds)
})

test('error: what is no span', () => {
  for (const text of ['', 'soon', '5x', '-3', '1m and more', '1 2'])
    expect([text, parseSpan(text)]).toEqual([text, undefined])
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
