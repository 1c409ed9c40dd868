import fc from 'fast-check'
import { maxJsonDepth } from '../../src/lib/json.js'

/** How a property is tried: with the same cases in every ordinary run, with other ones when `FUZZ_RUNS` says how many. */
export function trials(usual: number): { numRuns: number; seed?: number; verbose: 1 } {
  const { FUZZ_RUNS } = process.env
  const cases = FUZZ_RUNS ? { numRuns: Number(FUZZ_RUNS) } : { numRuns: usual, seed: 1 }
  return { ...cases, verbose: 1 }
}

/** What a field of a body is meant to hold; decides what counts as a wrong value for it. */
export type FieldKind =
  | 'amount'
  | 'amountOrInteger'
  | 'address'
  | 'bytes32'
  | 'text'
  | 'enum'
  | 'boolean'
  | 'integer'
  | 'textList'

/** Values that are no JSON string. */
const nonStrings: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, 1, -1, 1.5, 1e21, [], {}, ['1'], { amount: '1' }),
  fc.integer(),
  fc.array(fc.string(), { maxLength: 3 }),
)

/** Never an amount: empty, signed, fractional, exponent, hex, padded, other digits, numbers, zero, beyond 2^256-1. */
const invalidAmounts: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    '',
    ' ',
    '0',
    '00',
    '01',
    '+1',
    '-1',
    '-0',
    '1.5',
    '1.0',
    '.5',
    '1.',
    '1e6',
    '0x10',
    '1_000',
    '1,000',
    ' 1',
    '1 ',
    '1\n',
    '１',
    '٣',
    'NaN',
    'Infinity',
    'MAX',
    'maximum',
    'null',
    (2n ** 256n).toString(),
    '9'.repeat(78),
    '1'.repeat(5000),
  ),
  nonStrings,
  fc.bigInt({ min: 2n ** 256n, max: 2n ** 300n }).map(String),
  fc.bigInt({ min: -(2n ** 256n), max: -1n }).map(String),
  fc.string().filter((text) => !/^([1-9][0-9]*|max)$/.test(text)),
)

/** Never an address of 0x and 40 hex digits. */
const invalidAddresses: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    '',
    '0x',
    `0x${'1'.repeat(39)}`,
    `0x${'1'.repeat(41)}`,
    `0X${'1'.repeat(40)}`,
    '1'.repeat(40),
    `0x${'g'.repeat(40)}`,
    ` 0x${'1'.repeat(40)}`,
    `0x${'1'.repeat(40)}\n`,
    'vitalik.eth',
  ),
  nonStrings,
  fc.string().filter((text) => !/^0x[0-9a-fA-F]{40}$/.test(text)),
)

/** Never 32 bytes of hex. */
const invalidBytes32: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    '',
    '0x',
    `0x${'1'.repeat(63)}`,
    `0x${'1'.repeat(65)}`,
    `0x${'z'.repeat(64)}`,
    '1'.repeat(64),
  ),
  nonStrings,
)

const wrongValues: Record<FieldKind, fc.Arbitrary<unknown>> = {
  amount: invalidAmounts,
  amountOrInteger: invalidAmounts.filter(
    (value) => !(Number.isSafeInteger(value) && (value as number) > 0),
  ),
  address: invalidAddresses,
  bytes32: invalidBytes32,
  text: fc.oneof(fc.constant<unknown>(''), nonStrings),
  enum: fc.oneof(
    fc.constantFrom<unknown>('', ' ', 'unknown', 'ethereum', 'BASE', 'base ', '__proto__'),
    nonStrings,
  ),
  boolean: fc.constantFrom<unknown>(null, 0, 1, 'true', 'false', '', [], {}),
  integer: fc.constantFrom<unknown>(null, '', '500', 1.5, 2 ** 60, true, [], {}),
  textList: fc.constantFrom<unknown>(null, '', 'COMP', [], [1], [null], {}, [[]]),
}

/**
 * Bodies that an endpoint must refuse: a valid one with one field wrong or missing, or no JSON object at all. `fields` names
 * the required fields of `valid` and what they hold.
 */
export function invalidBodies(
  valid: Record<string, unknown>,
  fields: Record<string, FieldKind>,
): fc.Arbitrary<unknown> {
  const names = Object.keys(fields)
  const wrongField = fc
    .constantFrom(...names)
    .chain((name) => wrongValues[fields[name]!].map((value) => ({ ...valid, [name]: value })))
  const missingField = fc
    .constantFrom(...names)
    .map((name) => Object.fromEntries(Object.entries(valid).filter(([key]) => key !== name)))
  const noObject = fc.constantFrom<unknown>(null, true, 1, '', 'text', [], [valid], {})
  return fc.oneof({ arbitrary: wrongField, weight: 4 }, missingField, noObject)
}

/**
 * JSON texts with a valid body inside and odd things around it: all the nesting that is allowed, prototype-pollution keys, many and long keys.
 * An endpoint must answer them like the valid body, and nothing may leak into other objects.
 */
export function oddButValid(valid: Record<string, unknown>): fc.Arbitrary<string> {
  const inner = JSON.stringify(valid).slice(1, -1)
  const deep = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`
  const extra = fc.oneof(
    fc.constantFrom(
      '"__proto__":{"polluted":true}',
      '"constructor":{"prototype":{"polluted":true}}',
      '"prototype":{"polluted":true}',
      '"toString":1',
      '"":null',
      `"${'k'.repeat(10_000)}":1`,
    ),
    // One level is the body's own.
    fc.integer({ min: 1, max: maxJsonDepth - 1 }).map((depth) => `"deep":${deep(depth)}`),
    fc
      .integer({ min: 1, max: 2_000 })
      .map((count) =>
        Array.from({ length: count }, (_, index) => `"extra${index}":${index}`).join(','),
      ),
    fc.json({ maxDepth: 32 }).map((json) => `"anything":${json}`),
  )
  return extra.map((field) => `{${inner},${field}}`)
}

/** Texts that are no JSON document. */
export const malformedJson: fc.Arbitrary<string> = fc.constantFrom(
  '{',
  '}',
  '{"a":}',
  "{'a':1}",
  '{"a":1,}',
  '[1,',
  'undefined',
  '{"a":1}{"b":2}',
  '\u0000',
  '{"a":"\n"}',
  'NaN',
)
