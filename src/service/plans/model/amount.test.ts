import fc from 'fast-check'
import { expect, test } from 'vitest'
import { amountOrMax, exactAmount, intentToJson, larger, maxUint256, smaller } from './amount.js'

const exact = exactAmount('Amount.')
const orMax = amountOrMax('Amount.')

const refused = [
  '',
  ' ',
  '0',
  '00',
  '01',
  '-1',
  '+1',
  '1.0',
  '1e6',
  '0x1',
  '1_0',
  ' 1',
  '1 ',
  '1\n',
  '١',
  'MAX',
]

test.each([...refused, `${2n ** 256n}`, '9'.repeat(78), '1'.repeat(5000), 1, 1n, null, {}, ['1']])(
  'error: %s is no amount',
  (value) => {
    expect(exact.safeParse(value).success).toBe(false)
    expect(orMax.safeParse(value).success).toBe(false)
  },
)

test('error: the message says the format and the bounds', () => {
  expect(exact.safeParse('0').error?.issues[0]?.message).toContain('from 1 to 2^256-2')
  expect(orMax.safeParse('0').error?.issues[0]?.message).toContain(
    '"max" or 2^256-1 means everything',
  )
})

test('error: an exact amount is not everything', () => {
  expect(exact.safeParse('max').success).toBe(false)
  expect(exact.safeParse(`${maxUint256}`).success).toBe(false)
})

test('default: every amount from 1 to 2^256-2 is read to the unit, and written back the same', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: maxUint256 - 1n }), (amount) => {
      expect(exact.parse(amount.toString())).toBe(amount)
      expect(orMax.parse(amount.toString())).toBe(amount)
    }),
  )
})

test('behavior: everything is the word or the largest number', () => {
  expect(orMax.parse('max')).toBe(maxUint256)
  expect(orMax.parse(`${maxUint256}`)).toBe(maxUint256)
})

test('behavior: an intent survives its JSON form', () => {
  const intent = { amount: orMax.parse('max'), list: [{ amount: exact.parse('7') }], asset: 'USDC' }
  const json = intentToJson(intent) as { amount: string; list: { amount: string }[] }
  expect(json).toEqual({ amount: `${maxUint256}`, list: [{ amount: '7' }], asset: 'USDC' })
  expect(orMax.parse(json.amount)).toBe(intent.amount)
})

test('behavior: smaller and larger take one each, also of equals', () => {
  fc.assert(
    fc.property(fc.bigInt(), fc.bigInt(), (a, b) => {
      expect(smaller(a, b) <= larger(a, b)).toBe(true)
      expect(smaller(a, b) + larger(a, b)).toBe(a + b)
    }),
  )
})
