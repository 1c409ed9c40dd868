import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createPipelining } from './pipelining.js'

/** How many requests the server has read, those that wait among them, and those that have begun. */
let read = 0
let begun: { req: IncomingMessage; res: ServerResponse }[] = []
let heard: () => void = () => {}
let clients: Socket[] = []
let server: ReturnType<typeof createServer>
let port: number

beforeEach(async () => {
  read = 0
  begun = []
  clients = []
  const pipelining = createPipelining()
  server = createServer((req, res) => {
    read++
    pipelining.begin(req.socket, res, () => {
      if (req.url === '/other') return void res.end('other')
      begun.push({ req, res })
      heard()
    })
  })
  server.on('connection', (socket) => pipelining.watch(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterEach(() => {
  for (const client of clients) client.destroy()
  server.closeAllConnections()
  return new Promise((resolve) => server.close(resolve))
})

function open(): Socket {
  const client = connect(port, '127.0.0.1')
  clients.push(client)
  return client
}

const post = (i: number, body = `body ${i}`, last = false) =>
  `POST /${i} HTTP/1.1\r\nhost: a\r\ncontent-length: ${body.length}\r\n${last ? 'connection: close\r\n' : ''}\r\n${body}`

async function begins(count: number) {
  while (begun.length < count)
    await new Promise<void>((resolve) => {
      heard = resolve
    })
  return begun[count - 1]!
}

const askOther = async (): Promise<string> => {
  const [response] = await once(request({ port, path: '/other', agent: false }).end(), 'response')
  return text(response)
}

test('default: what is sent on one connection at once is done one by one, in its order; others are answered meanwhile', async () => {
  const client = open()
  const count = 1_500
  const all = Array.from({ length: count }, (_, i) => post(i + 1, `body ${i + 1}`, i + 1 === count))
  const answers = text(client)
  client.write(all.join(''))
  for (let i = 1; i <= count; i++) {
    const { req, res } = await begins(i)
    expect(req.url).toBe(`/${i}`)
    expect(await text(req)).toBe(`body ${i}`)
    if (i % 300 === 1) expect(await askOther()).toBe('other')
    expect(begun).toHaveLength(i)
    res.end(`answer ${i};`)
  }
  expect((await answers).match(/answer \d+;/g)).toEqual(
    Array.from({ length: count }, (_, i) => `answer ${i + 1};`),
  )
})

test('behavior: no more is read while many wait, though bodies are', async () => {
  const client = open()
  const padding = 'x'.repeat(1_000)
  client.write(Array.from({ length: 20_000 }, (_, i) => post(i + 1, padding)).join(''))
  for (let i = 1; i <= 20; i++) {
    const { req, res } = await begins(i)
    expect(await text(req)).toBe(padding)
    for (let round = 0; round < 5; round++) await askOther()
    // One piece of what a connection has brought has at most 64 KiB.
    expect(read - 5 * i).toBeLessThan(i + 2 * 64)
    res.end('x')
  }
  expect(client.writableLength).toBeGreaterThan(0)
})

test('behavior: a body that comes later is read although another request has come behind it', async () => {
  const client = open()
  const [begin, end] = [post(1, 'early late').slice(0, -4), 'late']
  client.write(begin)
  const first = await begins(1)
  client.write(end + post(2) + post(3, 'long body').slice(0, -4))
  expect(await text(first.req)).toBe('early late')
  first.res.end()
  const second = await begins(2)
  second.res.end()
  const third = await begins(3)
  client.write('body')
  expect(await text(third.req)).toBe('long body')
})

test('error: what waits when its connection closes is never begun', async () => {
  const client = open()
  client.write(post(1) + post(2) + post(3))
  const { req, res } = await begins(1)
  const closed = once(req.socket, 'close')
  res.destroy()
  await closed
  await askOther()
  expect(begun).toHaveLength(1)
  const again = open()
  again.write(post(4))
  expect((await begins(2)).req.url).toBe('/4')
})

test('error: nor is what comes behind an answer that is the last of its connection', async () => {
  const client = open()
  client.write(post(1) + post(2))
  const { res } = await begins(1)
  await askOther()
  const answer = text(client)
  res.shouldKeepAlive = false
  res.end('bye')
  expect(await answer).toMatch(/connection: close[\s\S]*bye$/i)
  await askOther()
  expect(begun).toHaveLength(1)
})

test.each([1, 15])(
  'error: a client that hangs up while %i of its requests wait is noticed before its first answer',
  async (waiting) => {
    const client = open()
    client.write(Array.from({ length: 1 + waiting }, (_, i) => post(i + 1)).join(''))
    const { req, res } = await begins(1)
    await text(req)
    const left = once(res, 'close')
    client.end()
    await left
    await askOther()
    expect(begun).toHaveLength(1)
    const again = open()
    again.write(post(99))
    expect((await begins(2)).req.url).toBe('/99')
  },
)
