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
