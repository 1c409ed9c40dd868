import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ServiceError } from '../../lib/errors.js'
import { assetField } from '../../service/plans/model/fields.js'
import { acceptedSlips, parse, refusedSlips, show, unknownFieldHint } from './validation.js'

const schema = z.object({
  amount: z
    .string({ error: 'must be digits' })
    .regex(/^\d+$/, { error: 'must be digits' })
    .transform(BigInt),
  network: z.enum(['base', 'polygon'], { error: 'must be a network' }),
  protocol: z.enum(['compound', 'aave']),
  reward_assets: z.array(z.string()).min(1).optional(),
  deep: z.object({ flag: z.boolean() }).optional(),
  named: z.record(z.string(), z.string()).optional(),
})
const valid = { amount: '5', network: 'base', protocol: 'compound' }

function problem(input: unknown, of: z.ZodType = schema): ServiceError {
  try {
    parse(of, input, 'body')
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
  throw new Error('nothing was refused')
}

test('default', () => {
  expect(parse(schema, valid, 'body')).toEqual({ ...valid, amount: 5n })
})

describe('error: the message names the field, what is allowed and what was received', () => {
  test.each<[string, unknown]>([
    ['amount must be digits, received "-5"', { ...valid, amount: '-5' }],
    ['network must be a network, received "ethereum"', { ...valid, network: 'ethereum' }],
    ['protocol must be one of "compound", "aave", received 7', { ...valid, protocol: 7 }],
    [
      'protocol is missing: it must be one of "compound", "aave"',
      { ...valid, protocol: undefined },
    ],
    ['reward_assets must have at least 1 items, received []', { ...valid, reward_assets: [] }],
    ['reward_assets.0 must be of type string, received null', { ...valid, reward_assets: [null] }],
    ['deep.flag must be of type boolean, received "x"', { ...valid, deep: { flag: 'x' } }],
    ['named must be of type JSON object, received "x"', { ...valid, named: 'x' }],
    ['the body must be of type JSON object, received []', []],
    ['the body must be of type JSON object, but there is none', undefined],
    ['the body must be of type JSON object, received null', null],
  ])('%s', (message, input) => {
    expect(problem(input)).toMatchObject({ code: 'invalid_params', status: 400, message })
  })
})

test('error: all problems are listed, up to a bound', () => {
  expect(
    problem({})
      .message.split('; ')
      .map((part) => part.split(' ')[0]),
  ).toEqual(['amount', 'network', 'protocol'])
  const many = { ...valid, reward_assets: Array.from({ length: 30 }, () => 1) }
  expect(problem(many).message).toMatch(/; and 22 more$/)
})

test('error: a custom rule across fields speaks for itself', () => {
  const oneOf = schema.refine(() => false, { error: 'exactly one of a and b must be given' })
  expect(() => parse(oneOf, valid, 'body')).toThrow('exactly one of a and b must be given')
})

test('error: the hint lists the fields and names the unknown ones', () => {
  expect(problem({ ...valid, amount: 1, amuont: '5' }).hint).toBe(
    'Send amount as text: "1". Fields of the body: amount, network, protocol, reward_assets (optional), deep (optional), named (optional). See /docs. Ignored in the body, because not known: amuont.',
  )
})

test('error: what a strict body refuses was not ignored', () => {
  const strict = z.strictObject({ times: z.int().optional() })
  const refused = problem({ time: 1 }, strict)
  expect(refused.message).toBe('the body must not have time (allowed: times), received {"time":1}')
  expect(refused.hint).toBe('Fields of the body: times (optional). See /docs.')
})

test('error: a strict object inside the body names what it may have', () => {
  const match = z.strictObject({ kind: z.string(), network: z.string() }).partial().default({})
  const refused = problem({ match: { knd: 'swap' } }, z.strictObject({ match }))
  expect(refused.message).toBe(
    'match must not have knd (allowed: kind, network), received {"knd":"swap"}',
  )
})

test('behavior: unknown fields of a valid body are named', () => {
  expect(unknownFieldHint(schema, { ...valid, market: 'x' }, 'body')).toContain('market')
  expect(unknownFieldHint(schema, valid, 'body')).toBeUndefined()
  // Own properties only: a field called like a method of every object is still unknown.
  expect(unknownFieldHint(schema, JSON.parse('{"__proto__":1,"toString":2}'), 'body')).toContain(
    '__proto__, toString',
  )
})

test('behavior: received values are cut, and cannot break the message', () => {
  expect(show('x'.repeat(100_000)).length).toBeLessThan(100)
  expect(show(Array.from({ length: 1000 }, (_, i) => i)).length).toBeLessThan(100)
  expect(show(JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`))).toBe(
    'a deeply nested value',
  )
})

const planSchema = z.object({ asset: assetField('Asset.'), recipient: z.string() })
const right = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const wrong = right.replace('5aA', '5aa')
const accepted = (body: unknown, query = {}) =>
  acceptedSlips({ query, body }, planSchema, () => ['USDC', 'cbBTC'])

test('default: a recipient whose casing is not its checksum', () => {
  expect(accepted({ asset: 'USDC', recipient: wrong })).toEqual([
    `The casing of recipient is not its EIP-55 checksum (${right}); check for a typing error.`,
  ])
  for (const recipient of [right, right.toLowerCase(), right.toUpperCase().replace('X', 'x')])
    expect(accepted({ asset: 'USDC', recipient })).toEqual([])
})

test('default: an asset whose casing was mended', () => {
  expect(accepted({ asset: 'CBBTC' })).toEqual(['asset was read as cbBTC; responses spell it so.'])
  expect(accepted({ asset: 'cbBTC', recipient: 'usdc' })).toEqual([])
})

test('default: a cursor in milliseconds', () => {
  expect(accepted(undefined, { since: '1767603600000' })[0]).toContain('looks like milliseconds')
  expect(accepted(undefined, { since: '1767603600' })).toEqual([])
})

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
