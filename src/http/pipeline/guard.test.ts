import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { controlToken, refusedAtFront } from './guard.js'

const loopback = { host: '127.0.0.1', allowedHosts: [], corsOrigins: [] }
const guarded = { ...loopback, controlToken: 'the-token' }
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

function ask(bind: Parameters<typeof controlToken>[0], headers: Record<string, string> = {}) {
  const req = Object.assign(new IncomingMessage(new Socket()), { url: '/_sim/faults', headers })
  controlToken(bind)(req as never, new ServerResponse(req) as never, () => {})
}

test('default: on loopback the control API is open, unless a control token was set', () => {
  expect(() => ask(loopback)).not.toThrow()
  expect(() => ask({ ...loopback, worldKey: 'qk_world' })).not.toThrow()
  expect(() => ask(guarded, bearer('the-token'))).not.toThrow()
  expect(() => ask({ ...guarded, worldKey: 'qk_world' }, bearer('qk_world'))).not.toThrow()
})

test('error: on loopback, without the control token that was set or with another', () => {
  expect(() => ask(guarded)).toThrow('Missing Authorization header')
  expect(() => ask(guarded, bearer('wrong'))).toThrow('Invalid control token')
})

test('behavior: a front on loopback asks for a control token that was set', () => {
  const refusal = (bind: typeof loopback, headers = {}) =>
    refusedAtFront(
      { url: '/_sim/faults', headers: { host: '127.0.0.1', ...headers } },
      bind,
      (token) => token === 'qk_world',
    )?.code
  expect(refusal(loopback)).toBeUndefined()
  expect(refusal(guarded)).toBe('invalid_api_key')
  for (const token of ['the-token', 'qk_world'])
    expect(refusal(guarded, bearer(token))).toBeUndefined()
})
