import { expect, test } from 'vitest'
import { bodyOf, fieldOf, fieldValuesOf } from './formValues.js'

const schema = {
  type: 'object',
  properties: {
    amount: { type: 'string' },
    network: { type: 'string', enum: ['base'] },
    pool_fee: { type: 'integer' },
    is_short: { type: 'boolean' },
    reward_assets: { type: 'array', items: { type: 'string' } },
  },
}

test('default: an example goes into the fields and out again as it was', () => {
  const example = {
    amount: '1000000',
    network: 'base',
    pool_fee: 500,
    is_short: false,
    reward_assets: ['COMP', 'MORPHO'],
  }
  expect(bodyOf(schema, fieldValuesOf(example))).toEqual(example)
})

test('behavior: empty fields are left out, and what is no number is sent as it was typed', () => {
  expect(bodyOf(schema, { amount: '', pool_fee: 'many', reward_assets: '' })).toEqual({
    pool_fee: 'many',
  })
})

test('behavior: a refusal is about the field that its message names first', () => {
  const fields = [
    'network must be one of base, received "x"',
    'insufficient resources of USDC on base',
    'settings of request.latency do not fit: pool_fee: expected a number',
    '__proto__ must be absent',
  ].map((message) => fieldOf(message, schema))
  expect(fields).toEqual(['network', undefined, 'pool_fee', undefined])
})
