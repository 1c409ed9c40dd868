import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { rpcUpgrade } from './worldRouter.js'

const bind = { host: '127.0.0.1', allowedHosts: [], corsOrigins: ['loopback'] }

/** Whether a WebSocket is taken over, and by which network's node. */
function offer(
  url: string,
  headers: Record<string, string>,
  more: { host?: string; controlToken?: string } = {},
) {
  const taken: string[] = []
  const upgrade = rpcUpgrade(
    { handleUpgrade: (network) => void taken.push(network) },
    { bind: { ...bind, ...more } },
    { request: () => 'req_1' },
  )
  const socket = new Socket()
  const req = Object.assign(new IncomingMessage(socket), {
    url,
    headers: { host: '127.0.0.1:4477', ...headers },
  })
  return { isTaken: upgrade(req, socket, Buffer.alloc(0)), taken }
}

test('default: a WebSocket of a network is handed over to its node', () => {
  expect(offer('/rpc/base', {})).toEqual({ isTaken: true, taken: ['base'] })
  expect(offer('/rpc/polygon?x=1', { origin: 'http://localhost:5173' }).taken).toEqual(['polygon'])
})

test('behavior: beyond loopback it has to bring the control token', () => {
  const beyond = { host: '0.0.0.0', controlToken: 'the-token' }
  expect(offer('/rpc/base', {}, beyond).isTaken).toBe(false)
  expect(offer('/rpc/base?token=the-token', {}, beyond).isTaken).toBe(true)
  expect(offer('/rpc/base', {}, { host: '0.0.0.0' }).isTaken).toBe(false)
})

test('behavior: on loopback it has to bring a control token that was set', () => {
  const guarded = { controlToken: 'the-token' }
  expect(offer('/rpc/base', {}, guarded).isTaken).toBe(false)
  expect(offer('/rpc/base?token=wrong', {}, guarded).isTaken).toBe(false)
  expect(offer('/rpc/base?token=the-token', {}, guarded).isTaken).toBe(true)
})

test.each([
  ['/rpc/nowhere', {}],
  ['/', {}],
  ['/rpc/base', { host: 'evil.example' }],
  ['/rpc/base', { origin: 'https://evil.example' }],
])('error: left to be answered as a plain request: %s %j', (url, headers) => {
  expect(offer(url, headers)).toEqual({ isTaken: false, taken: [] })
})
