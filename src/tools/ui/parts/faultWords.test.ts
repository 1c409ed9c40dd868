import { expect, test } from 'vitest'
import { faultWords } from './faultWords.js'

const rule = { id: 'a', match: {}, after: 0, seen: 0, hits: 0 }

test('default: a rule in words, with whom it meets and how often', () => {
  const by = { stale: { by: 'nonce' } }
  const match = { account_id: 'acc_1', kind: '*' }
  expect(faultWords({ ...rule, on: 'plan', effect: by, match })).toBe(
    'Every plan of acc_1 becomes stale (by nonce)',
  )
  expect(faultWords({ ...rule, on: 'chain', effect: 'halt', match: { network: 'polygon' } })).toBe(
    'The network polygon mines no blocks',
  )
  expect(faultWords({ ...rule, on: 'request', effect: 'hang', after: 2, times: 1 })).toBe(
    'One request gets no answer, after the first 2',
  )
  expect(faultWords({ ...rule, on: 'bridge', effect: 'stuck', times: 3 })).toBe(
    'Each of 3 bridges stays unfilled',
  )
})

test('behavior: sequences and effects without words of their own', () => {
  expect(faultWords({ ...rule, on: 'quote', sequence: ['ok', { slippage: { bps: 5 } }] })).toBe(
    'Every quote goes by turns: ok, slippage',
  )
  expect(faultWords({ ...rule, on: 'answer', effect: 'unknown_fields' })).toBe(
    'Every answer has unknown fields',
  )
})
