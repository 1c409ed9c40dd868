import { expect, test } from 'vitest'
import { maxUint256 } from '../model/fields.js'
import { planKinds } from './index.js'

/** Which amounts may be everything, and which may be none, as every kind's schema has it. */

const amounts = planKinds.flatMap(({ path, schema, example }) => {
  const body = example as Record<string, unknown>
  return Object.keys(body)
    .filter((field) => /amount/.test(field) && takes(schema, body, field, '5'))
    .map((field) => ({ name: `${path} ${field}`, schema, body, field }))
})

/** Whether the body stays good, and the field is one of it: an unknown one would be left out. */
function takes(
  schema: (typeof planKinds)[number]['schema'],
  body: Record<string, unknown>,
  field: string,
  value: string,
): boolean {
  const parsed = schema.safeParse({ ...body, [field]: value })
  return parsed.success && field in (parsed.data as object)
}

const taking = (value: string) =>
  amounts
    .filter(({ schema, body, field }) => takes(schema, body, field, value))
    .map(({ name }) => name)

const everything = [
  'earn amount',
  'withdraw amount',
  'transfer amount',
  'swap-and-supply sell_amount',
  'borrow collateral_amount',
  'repay amount',
  'repay collateral_amount',
  'migrate amount',
  'loop-long exposure_amount',
  'loop-long max_swap_backing_amount',
  'loop-long max_provided_backing_amount',
  'unloop-long exposure_amount',
  'unloop-long backing_amount_to_exit',
  'add-backing amount',
]
const exact = ['swap sell_amount', 'borrow amount', 'unloop-long min_swap_backing_amount']
const alsoNone = [
  'borrow collateral_amount',
  'repay amount',
  'repay collateral_amount',
  'loop-long max_provided_backing_amount',
  'unloop-long backing_amount_to_exit',
  'unloop-long min_swap_backing_amount',
]

test('behavior: the word and the largest number mean everything wherever an amount need not be exact', () => {
  expect(taking('max').toSorted()).toEqual(everything.toSorted())
  expect(taking(`${maxUint256}`).toSorted()).toEqual(everything.toSorted())
  const others = amounts.map(({ name }) => name).filter((name) => !everything.includes(name))
  // Everything of a long position's backing cannot be taken out: the example is one.
  expect(others.toSorted()).toEqual([...exact, 'withdraw-backing amount'].toSorted())
})

test('error: none is an amount only where something can be left out', () => {
  expect(taking('0').toSorted()).toEqual(alsoNone.toSorted())
})
