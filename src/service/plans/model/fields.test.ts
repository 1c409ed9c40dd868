import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withTextAmounts } from '../../../lib/textAmounts.js'
import {
  amountOrInteger,
  amountOrMax,
  amountOrZero,
  amountWithMax,
  anyAmount,
  exactAmount,
  larger,
  maxUint256,
  smaller,
} from './fields.js'

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
  const json = withTextAmounts(intent)
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

/** Each form with what zero, everything and a JSON integer stand for; undefined means refused. */
const forms = [
  { name: 'exactAmount', make: () => exactAmount('An amount.') },
  { name: 'amountOrInteger', make: () => amountOrInteger('An amount.'), integer: 7n },
  { name: 'amountOrMax', make: () => amountOrMax('An amount.'), everything: maxUint256 },
  {
    name: 'amountWithMax',
    make: () => amountWithMax('An amount.', 'sets `no` limit'),
    everything: maxUint256,
  },
  { name: 'amountOrZero', make: () => amountOrZero('An amount.'), zero: 0n },
  { name: 'anyAmount', make: () => anyAmount('An amount.'), zero: 0n, everything: maxUint256 },
]

test.each(forms)(
  'default: $name reads amounts, and only the zero, maximum and integers that it allows',
  (form) => {
    const { zero, everything, integer } = form
    const schema = form.make()
    const read = (value: unknown) => schema.safeParse(value).data
    expect(['1', '12', `${maxUint256 - 1n}`].map(read)).toEqual([1n, 12n, maxUint256 - 1n])
    expect(read('0')).toBe(zero)
    expect(['max', `${maxUint256}`].map(read)).toEqual([everything, everything])
    expect(read(7)).toBe(integer)
    for (const value of ['', '01', '-1', '1.5', `${maxUint256 + 1n}`, null]) {
      expect(read(value)).toBeUndefined()
      expect(schema.safeParse(value).error!.issues[0]!.message).toMatch(
        /^must be a decimal integer string/,
      )
    }
  },
)

test.each(forms)('default: $name documents itself', ({ name, make, zero, everything }) => {
  const { description, example, pattern } = make().meta()!
  expect(description).toMatch(/^An amount\./)
  expect(`${description}`.includes('2^256-1')).toBe(everything !== undefined)
  expect(example).toBe('1000000')
  if (name === 'amountOrInteger') return
  const matches = ['12', '0', 'max', '-1'].map((text) => new RegExp(`${pattern}`).test(text))
  expect(matches).toEqual([true, zero !== undefined, everything !== undefined, false])
})

test('error: a JSON integer is exact and at least 1; each mistake is reported once', () => {
  const schema = amountOrInteger('Amount.')
  const largest = Number.MAX_SAFE_INTEGER
  expect([1, largest].map((value) => schema.parse(value))).toEqual([1n, BigInt(largest)])
  for (const value of [0, -1, 1.5, largest + 1, 1e300, Number.NaN, '0', true, null]) {
    const { issues } = schema.safeParse(value).error!
    expect(
      issues.map(({ message }) => message),
      `${value}`,
    ).toEqual([
      expect.stringMatching(
        /^must be a decimal integer string .*or a JSON integer from 1 to 2\^53-1/,
      ),
    ])
  }
})

test('error: the message of amountWithMax says what everything means', () => {
  const { error } = amountWithMax('A.', 'sets `no` limit').safeParse('0')
  expect(error!.issues[0]!.message).toMatch(/"max" or 2\^256-1 sets no limit$/)
})
