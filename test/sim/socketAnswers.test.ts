import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'

/** Answers to requests for WebSockets, as they come. */

let sim: SimulatorHandle
let open: SimulatorHandle
beforeAll(async () => {
  sim = await createSimulator()
  open = await createSimulator({ host: '0.0.0.0', controlToken: 'the-token' })
})
afterAll(() => Promise.all([sim.close(), open.close()]))

const key = 'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n'
const version = 'sec-websocket-version: 13\r\n'

/** The head of the answer. */
async function ask({ url }: SimulatorHandle, path: string, headers: string): Promise<string> {
  const port = Number(new URL(url).port)
  const socket = connect(port, '127.0.0.1')
  socket.end(
    `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: upgrade\r\nupgrade: websocket\r\n${headers}\r\n`,
  )
  return (await text(socket)).split('\r\n\r\n')[0]!
}

const idOf = (head: string) => /^x-svc-sim-request-id: (req_\w+)$/im.exec(head)?.[1]

test.each([
  [400, '/rpc/base', version],
  [400, '/rpc/base', key],
  [400, '/rpc/base', `${key}sec-websocket-version: 9\r\n`],
  [403, '/rpc/base', `${key}${version}origin: https://evil.example\r\n`],
  [404, '/rpc/nowhere', key + version],
  [404, '/worlds/wld_1/rpc/base', key + version],
])(
  'error: a WebSocket that is refused with %i has a request id, another one each time: %s %j',
  async (status, path, headers) => {
    const heads = await Promise.all([ask(sim, path, headers), ask(sim, path, headers)])
    for (const head of heads) expect(head).toContain(`HTTP/1.1 ${status} `)
    const ids = heads.map(idOf)
    expect(ids).not.toContain(undefined)
    expect(new Set(ids).size).toBe(2)
  },
)

test('error: beyond loopback so has one without the token', async () => {
  for (const path of ['/rpc/base', '/rpc/base?token=x', '/worlds/wld_1/rpc/base']) {
    const head = await ask(open, path, key + version)
    expect(head).toContain('HTTP/1.1 401 ')
    expect(idOf(head)).toBeDefined()
  }
})

test('behavior: one that is opened has a request id, too', async () => {
  const head = await ask(sim, '/rpc/base', key + version)
  expect(head).toContain('HTTP/1.1 101 ')
  expect(idOf(head)).toBeDefined()
})
