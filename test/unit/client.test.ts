import { describe, expect, test } from 'vitest'
import { replyChecker } from '../kit/client.js'
import { accountExample } from '../kit/examples.js'
import { earnKind } from '../kit/httpWorld.js'

const check = replyChecker([earnKind])

function reply(status: number, body: unknown, headers: Record<string, string> = {}) {
  const all = { 'content-type': 'application/json', 'x-svc-sim-request-id': 'req_1', ...headers }
  return { status, body, headers: new Headers(all) }
}

test('default', () => {
  check('POST', '/accounts', reply(201, accountExample))
  check('GET', '/accounts/acc_1', reply(404, { error: 'account_not_found', message: 'x' }))
  check('GET', '/nope', reply(404, { error: 'not_found', message: 'x' }))
  check('PUT', '/accounts', reply(405, { error: 'method_not_allowed', message: 'x' }))
})

describe('error', () => {
  test.each<[string, string, string, ReturnType<typeof reply>]>([
    ['status is not documented', 'POST', '/accounts', reply(200, accountExample)],
    ['must NOT have additional', 'POST', '/accounts', reply(201, { ...accountExample, x: 1 })],
    ['must have required', 'POST', '/accounts', reply(201, { account_id: 'acc_7hk20wq9z1ab' })],
    ['must match pattern', 'POST', '/accounts', reply(201, { ...accountExample, account_id: 'x' })],
    [
      'must be equal to one of',
      'GET',
      '/accounts/acc_1',
      reply(404, { error: 'plan_not_found', message: 'x' }),
    ],
    ['not documented', 'GET', '/networks', reply(200, '', { 'content-type': 'text/plain' })],
    ['no request id', 'GET', '/nope', reply(404, {}, { 'x-svc-sim-request-id': '' })],
    ['should be 404', 'GET', '/nope', reply(200, {})],
    ['should be 405', 'PUT', '/accounts', reply(404, { error: 'not_found', message: 'x' })],
    ['should be 404', 'GET', '/nope', reply(404, { error: 'not_found', message: 'x', more: 1 })],
  ])('%s: %s %s', (message, method, path, answer) => {
    expect(() => check(method, path, answer)).toThrow(message)
  })
})
