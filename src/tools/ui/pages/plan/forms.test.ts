import { expect, test } from 'vitest'
import openapi from '../../../../../openapi/openapi.json' with { type: 'json' }
import type { ApiDocument } from '../../api/schemas.js'
import { assetFieldOf, planForms } from './forms.js'

const document = openapi as unknown as ApiDocument
const forms = planForms(document)

test('default: a form for every plan endpoint of the document, with its fields and example', () => {
  const paths = Object.keys(document.paths).filter((path) => /\/plan\/(?!execute)/.test(path))
  expect(forms.map(({ name }) => name)).toEqual(paths.map((path) => path.split('/').at(-1)))
  for (const { schema, example } of forms)
    for (const name of Object.keys(example as object))
      expect(Object.keys(schema.properties ?? {})).toContain(name)
})

test('behavior: amounts know of which asset they are', () => {
  const told = forms.map(({ name, schema }) => [
    name,
    Object.fromEntries(
      Object.keys(schema.properties ?? {}).flatMap((field) => {
        const asset = assetFieldOf(field, schema)
        return asset === undefined ? [] : [[field, asset]]
      }),
    ),
  ])
  expect(Object.fromEntries(told)).toMatchObject({
    earn: { amount: 'asset' },
    borrow: { amount: 'asset', collateral_amount: 'collateral_asset' },
    swap: { sell_amount: 'sell_asset', buy_amount: 'buy_asset' },
    'loop-long': {
      exposure_amount: 'exposure_asset',
      max_swap_backing_amount: 'backing_asset',
      max_provided_backing_amount: 'backing_asset',
    },
    'unloop-long': {
      exposure_amount: 'exposure_asset',
      backing_amount_to_exit: 'backing_asset',
      min_swap_backing_amount: 'backing_asset',
    },
    'add-backing': { amount: 'backing_asset' },
  })
})
