import { expect, test } from 'vitest'
import { resolve } from './references.js'

const known = new Map<string, unknown>([
  ['alice', { id: 'acc_1', list: [10, { x: true }] }],
  ['p', { body: { plan_id: 'pln_1', nothing: null } }],
])

test('default', () => {
  expect(resolve({ path: '/accounts/{{alice.id}}/x', plan: '{{p.body.plan_id}}' }, known)).toEqual({
    path: '/accounts/acc_1/x',
    plan: 'pln_1',
  })
})

test('behavior: a lone reference keeps its type; list positions and keys resolve too', () => {
  expect(resolve(['{{alice.list.0}}', '{{ alice.list.1 }}', { '{{alice.id}}': 1 }], known)).toEqual(
    [10, { x: true }, { acc_1: 1 }],
  )
  expect(resolve('{{p.body.nothing}}', known)).toBeNull()
})

test('behavior: what is no reference stays', () => {
  for (const value of ['{}', '{{}}', '{ {alice} }', 5, null, true, undefined])
    expect(resolve(value, known)).toBe(value)
})

test.each([
  ['{{bob.id}}', 'there is no "bob"; known: alice, p'],
  ['{{alice.name}}', '"alice" has no "name"; it has id, list'],
  ['{{alice.id.x}}', '"alice.id" has no "x"; it is "acc_1"'],
  ['{{alice.constructor}}', '"alice" has no "constructor"'],
  ['{{alice.__proto__.polluted}}', '"alice" has no "__proto__"'],
  ['{{p.body.nothing.x}}', '"p.body.nothing" has no "x"; it is null'],
])('error: %s: %s', (text, message) => {
  expect(() => resolve(text, known)).toThrow(message)
})
