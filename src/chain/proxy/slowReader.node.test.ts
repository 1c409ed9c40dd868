import { once } from 'node:events'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { type Front, post, startFront } from '../../../test/kit/rpcFront.js'
import { actors } from '../../deployments/actors.js'
import { startNodes } from '../process/nodes.js'
import type { Nodes } from '../rpc/node.js'

/** WebSockets whose clients do not read. */

let nodes: Nodes
let front: Front
/** Calls that the node has answered. */
let answered = 0
beforeAll(async () => {
  nodes = await startNodes({ networks: ['base'] })
  front = await startFront(nodes, {
    maxUnreadBytes: 1024 * 1024,
    async intercept({ requests }, proceed) {
      const answer = await proceed()
      if (requests.some(({ method }) => method === 'eth_call')) answered++
      return answer
    },
  })
})
afterAll(async () => {
  await front.close()
  await nodes.stop()
})

const call = (method: string, ...params: unknown[]) => ({ jsonrpc: '2.0', id: 1, method, params })

async function open() {
  const socket = new WebSocket(`${front.url.replace('http', 'ws')}/rpc/base`)
  const told: string[] = []
  socket.on('message', (data) => told.push(String(data)))
  await once(socket, 'open')
  return { socket, told }
}

/** Each transaction to it leaves a log of 100,000 bytes: PUSH3 100000, PUSH1 0, LOG0. */
const loud = '0x00000000000000000000000000000000000010ad'
const pay = () =>
  post(
    `${front.url}/rpc/base`,
    call('eth_sendTransaction', { from: actors.admin, to: loud, gas: '0x1e8480' }),
  )

async function follow() {
  const opened = await open()
  opened.socket.send(JSON.stringify(call('eth_subscribe', 'logs', { address: loud })))
  await once(opened.socket, 'message')
  return opened
}

/** Reads on; resolves to how it was closed, or to `open` when it answers. */
function readOn(socket: WebSocket): Promise<unknown> {
  const closed = once(socket, 'close').then(([code, reason]) => ({ code, reason: String(reason) }))
  const answered = once(socket, 'pong').then(() => 'open')
  socket.resume()
  socket.ping()
  return Promise.race([closed, answered])
}

const tooSlow = {
  code: 1013,
  reason: 'more than 1 MiB wait to be read: read faster, and connect again',
}

const connections = () =>
  process.getActiveResourcesInfo().filter((name) => name === 'PipeWrap').length

test('error: who subscribes and does not read is closed with 1013, and its subscription ends; others are told all', async () => {
  await nodes.get('base').rpc.request('anvil_setCode', [loud, '0x620186a06000a000'])
  const reader = await follow()
  const before = connections()
  const slow = [await follow(), await follow()]
  for (const { socket } of slow) socket.pause()
  const count = 100
  for (let i = 0; i < count; i++) expect(await (await pay()).json()).not.toHaveProperty('error')
  await vi.waitFor(() => expect(reader.told).toHaveLength(count + 1), { timeout: 30_000 })
  // Before they have heard of it.
  await vi.waitFor(() => expect(connections()).toBeLessThanOrEqual(before), { timeout: 30_000 })
  for (const { socket, told } of slow) {
    expect(await readOn(socket)).toEqual(tooSlow)
    expect(told.length).toBeLessThan(count)
  }
  // Again, and this time it reads.
  const again = await follow()
  await pay()
  await vi.waitFor(() => expect(again.told).toHaveLength(2), { timeout: 30_000 })
  for (const { socket } of [reader, again]) {
    expect(await readOn(socket)).toBe('open')
    socket.close()
  }
})

/** Asks the identity precompile: the answer is as long as the question, 1.4 MB. */
const input = `0x${'00'.repeat(700_000)}`
const identity = `0x${'0'.repeat(39)}4`
const echo = JSON.stringify(call('eth_call', { to: identity, input }, 'latest'))

test('error: so is who asks on and on and does not read the answers', async () => {
  const { socket } = await open()
  socket.pause()
  for (let i = 0; i < 40; i++) socket.send(echo)
  await vi.waitFor(() => expect(answered).toBe(40), { timeout: 30_000 })
  expect(await readOn(socket)).toEqual(tooSlow)
})

test('behavior: one answer may be larger than that', async () => {
  const { socket } = await open()
  socket.send(echo)
  const [answer] = await once(socket, 'message')
  expect(JSON.parse(String(answer)).result).toBe(input)
  socket.close()
})
