import { expect, test } from 'vitest'
import { expectedAndGot } from './expectation.js'

test('default: what was expected, apart from what came', () => {
  expect(expectedAndGot('expected status 200, got 409 plan_stale: "a, b"')).toEqual({
    expected: 'status 200',
    got: '409 plan_stale: "a, b"',
  })
  expect(expectedAndGot('expected body.a to be "1", but it is missing')).toEqual({
    expected: 'body.a to be "1"',
    got: 'missing',
  })
  expect(expectedAndGot('alice has no activity')).toBeUndefined()
})
