import { expect, test } from 'vitest'
import { mismatch } from './expect.js'
import type { ScenarioReply } from './target.js'

const stale: ScenarioReply = {
  status: 409,
  headers: { 'x-svc-sim-hint': 'another plan was executed', 'x-svc-sim-fault': 'flt_1' },
  body: { error: 'plan_stale', message: 'The underlying data changed' },
}
const plan: ScenarioReply = {
  status: 201,
  headers: {},
  body: { plan_id: 'pln_1', details: { list: [1, { a: 1, b: 2 }] } },
}
const cut: ScenarioReply = {
  status: 0,
  headers: {},
  body: null,
  cut: true,
  why: 'other side closed',
}

test('default: without expectation an answer must be a success', () => {
  expect(mismatch(plan, undefined)).toBeUndefined()
  expect(mismatch(stale, undefined)).toContain('expected a success, got 409')
  expect(mismatch(cut, undefined)).toContain('no complete answer (other side closed)')
})

test.each([
  [stale, { status: 409, error: 'plan_stale', hint: 'another plan', fault: 'flt_1' }],
  [stale, { error: 'plan_stale' }],
  [plan, { status: 201, body: { details: { list: [1, { a: 1 }] } } }],
  [plan, { body: { plan_id: 'pln_1' } }],
  [cut, { connection: 'cut' }],
] as const)('behavior: %j is as %j', (answer, expected) => {
  expect(mismatch(answer as ScenarioReply, expected as never)).toBeUndefined()
})

test.each([
  [stale, { status: 404 }, 'expected status 404, got 409'],
  [stale, { error: 'plan_not_found' }, 'expected error plan_not_found, got 409'],
  [stale, { body: {} }, 'expected a success, got 409'],
  [stale, { status: 409, hint: 'expired' }, 'expected x-svc-sim-hint to hold "expired"'],
  [plan, { fault: 'flt' }, 'expected x-svc-sim-fault to hold "flt", but it is ""'],
  [plan, { body: { details: { list: [1] } } }, 'body.details.list to be a list of 1'],
  [plan, { body: { details: { list: [1, { a: 2 }] } } }, 'body.details.list.1.a to be 2'],
  [plan, { body: { plan_id: { x: 1 } } }, 'body.plan_id to be an object'],
  [plan, { body: { missing: 1 } }, 'body.missing to be 1, but it is missing'],
  [plan, { connection: 'cut' }, 'expected no complete answer, got 201'],
  [cut, { status: 200 }, 'expected an answer, got no complete answer'],
] as const)('error: %j is not as %j: %s', (answer, expected, message) => {
  expect(mismatch(answer as ScenarioReply, expected as never)).toContain(message)
})

const list: ScenarioReply = {
  status: 200,
  headers: {},
  body: {
    items: [
      { name: 'a', n: 1 },
      { name: 'b', of: { kind: 'x' }, n: [2] },
    ],
    text: 't',
  },
}
const stalenessOrGone = [
  { status: 404, error: 'plan_not_found' },
  { status: 409, error: 'plan_stale' },
]

test.each([
  [stale, { any_of: stalenessOrGone }],
  [plan, { any_of: [{ status: 200 }, { status: 201 }] }],
  [list, { where: [{ at: ['items', { of: { kind: 'x' } }, 'n', -1], is: 2 }] }],
  [
    list,
    {
      where: [
        { at: ['items'], length: 2, type: 'list' },
        { at: [], type: 'object' },
      ],
    },
  ],
  [
    list,
    {
      where: [
        { at: ['items', 5, 'n'], exists: false },
        { at: ['text'], type: 'text' },
      ],
    },
  ],
])('behavior: %j is one of those, or has at its places what %j says', (answer, expected) => {
  expect(mismatch(answer, expected as never)).toBeUndefined()
})

test.each([
  [plan, { any_of: stalenessOrGone }, '404 plan_not_found or 409 plan_stale, got 201'],
  // An error that is not named is not allowed.
  [stale, { any_of: [{ status: 409 }] }, 'expected 409, got 409 {"error":"plan_stale"'],
  [list, { where: [{ at: ['items', { name: 'b' }, 'n'], is: 2 }] }, '.n to be 2, but it is [2]'],
  // Unlike `body`, a place is compared as a whole.
  [list, { where: [{ at: ['items', 0], is: { name: 'a' } }] }, 'body.items.0 to be {"name":"a"}'],
  [list, { where: [{ at: ['text'], type: 'list' }] }, 'body.text to be a value of type list'],
  [list, { where: [{ at: ['items'], length: 3 }] }, 'body.items to be of length 3'],
  [list, { where: [{ at: ['text'], exists: false }] }, 'body.text to be missing, but it is "t"'],
])('error: %j does not match %j', (answer, expected, why) => {
  expect(mismatch(answer, expected as never)).toContain(why)
})
