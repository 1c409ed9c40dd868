import { expect, test } from 'vitest'
import { refusedSlips } from './slips.js'

const issueOf = (...path: string[]) => ({
  ...{ path, expected: 'string' },
  code: 'invalid_type' as const,
})
const refused = (field: string, value: unknown) =>
  refusedSlips([issueOf(field), issueOf(field)], { [field]: value })

test.each([
  ['amount', 1_000_000, 'Send amount as text: "1000000".'],
  ['amount', 1e30, 'Send amount as text: a JSON number does not carry it exactly.'],
  ['amount', 0.5, 'Send amount as text: a JSON number does not carry it exactly.'],
  ['amount', '4e6', 'Write amount as plain digits: "4000000".'],
  [
    'amount',
    '3.999999E+6',
    'Write amount as plain digits: "3999999". It counts the smallest unit: 1 USDC is "1000000".',
  ],
  ['amount', '1,000,000', 'Write amount as plain digits: "1000000".'],
  [
    'amount',
    '1_000.0',
    'Write amount as plain digits: "1000". It counts the smallest unit: 1 USDC is "1000000".',
  ],
  ['amount', '007', 'Write amount as plain digits: "7".'],
  ['poll', 'True', 'Write poll in lower case: true.'],
  ['cached', 'FALSE', 'Write cached in lower case: false.'],
  ['network', 'Base', 'Did you mean "base"?'],
  ['network', 'ethereum', 'Did you mean "mainnet"? Folio keys call it ethereum.'],
  ['network', 'Ethereum', 'Did you mean "mainnet"? Folio keys call it ethereum.'],
  ['network', '42161', 'Did you mean "arbitrum"?'],
])('default: %s %j', (field, value, hint) => {
  expect(refused(field, value)).toEqual([hint])
})

test.each([
  ['amount', '0.5'],
  ['amount', '1.5e0'],
  ['amount', 'much'],
  ['amount', '-1'],
  ['network', 'solana'],
  ['network', '__proto__'],
  ['amount', null],
])('behavior: %s %j is no slip that we know', (field, value) => {
  expect(refused(field, value)).toEqual([])
})

test('behavior: a number that is refused where a number is wanted need be no text', () => {
  const issue = { path: ['pool_fee'], code: 'too_big' as const }
  expect(refusedSlips([issue], { pool_fee: 5 })).toEqual([])
})

test('behavior: bodies that are no objects, and problems of no field', () => {
  expect(refusedSlips([issueOf()], null)).toEqual([])
  expect(refusedSlips([issueOf('amount')], undefined)).toEqual([])
})
