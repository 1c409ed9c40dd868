import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { type HttpHandler, type Listening, listen } from './listen.js'

/** What clients offer, and what is no request at all, as bytes on a socket. */

const opened: (Listening | Socket)[] = []
afterEach(async () => {
  for (const each of opened.splice(0).reverse())
    await ('destroy' in each ? each.destroy() : each.close())
})

/** Answers what it was sent, to `/slow` when `release` is called, and cuts `/half` after its head. */
function echo() {
  const waiting: (() => void)[] = []
  const handle = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    if (req.url === '/half') return void res.writeHead(200).write('half')
    const body = await text(req).catch(() => undefined)
    if (req.url === '/slow') await new Promise<void>((resolve) => waiting.push(resolve))
    const { host, connection, upgrade, 'http2-settings': settings } = req.headers
    const rest = { host, connection, upgrade, settings }
    res.end(`<${req.method} ${req.url} ${body} ${JSON.stringify(rest)}>`)
  }
  const handler: HttpHandler = {
    handle: (req, res) => void handle(req, res),
    upgrade(req, socket) {
      if (req.url !== '/rpc/base') return false
      socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n<WEBSOCKET>')
      return true
    },
    requestId: () => 'req_of_bytes',
  }
  return { handler, release: () => waiting.splice(0).map((go) => go()) }
}

async function start(starting: (req: IncomingMessage, res: ServerResponse) => boolean) {
  const listening = await listen({ host: '127.0.0.1', port: 0 }, starting)
  opened.push(listening)
  return listening
}

async function ready() {
  const listening = await start(() => false)
  const { handler, release } = echo()
  listening.serve(handler)
  return { ...(await dial(listening)), release, listening }
}

/** A connection, and how to read what comes on it. */
async function dial({ url }: Listening) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  opened.push(socket)
  socket.on('error', () => {})
  await once(socket, 'connect')
  let heard = ''
  let closed = false
  let wake = (): void => {}
  socket.on('close', () => {
    closed = true
    wake()
  })
  socket.on('data', (chunk) => {
    heard += chunk.toString('latin1')
    wake()
  })
  const change = () =>
    new Promise<void>((resolve) => {
      wake = resolve
    })
  /** Reads until that many answers have come, or the other side hangs up. */
  const answers = async (count: number): Promise<string[]> => {
    const found = () => [...heard.matchAll(/<([^>]*)>/g)].map(([, answer]) => answer!)
    while (found().length < count && !closed) await change()
    return found()
  }
  const end = async (): Promise<string> => {
    while (!closed) await change()
    return heard
  }
  return { socket, answers, end }
}

const offer =
  'host: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n'
const get = (path: string, headers = offer): string => `GET ${path} HTTP/1.1\r\n${headers}\r\n`
const post = (path: string, body: string, headers = offer): string =>
  `POST ${path} HTTP/1.1\r\n${headers}content-length: ${body.length}\r\n\r\n${body}`
const chunked = (path: string, body: string): string =>
  `POST ${path} HTTP/1.1\r\n${offer}transfer-encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
const plain = '{"host":"x"}'

test('default: an offer of HTTP/2 is answered as if it had not been made, with and without a body', async () => {
  const { socket, answers } = await ready()
  socket.write(get('/a'))
  expect(await answers(1)).toEqual([`GET /a  ${plain}`])
  socket.write(post('/b', 'hello'))
  expect((await answers(2))[1]).toBe(`POST /b hello ${plain}`)
  socket.write(chunked('/c', 'in chunks'))
  expect((await answers(3))[2]).toBe(`POST /c in chunks ${plain}`)
  socket.write(get('/d', 'host: x\r\n'))
  expect((await answers(4))[3]).toBe(`GET /d  ${plain}`)
})

test('behavior: requests in one packet, and a body that comes in pieces', async () => {
  const { socket, answers } = await ready()
  socket.write(get('/a') + post('/b', 'one') + chunked('/c', 'two') + get('/d', 'host: x\r\n'))
  expect((await answers(4)).map((answer) => answer.slice(0, 11))).toEqual([
    ...['GET /a  {"h', 'POST /b one', 'POST /c two', 'GET /d  {"h'],
  ])
  const request = post('/e', 'x'.repeat(200_000)) + get('/f')
  for (let i = 0; i < request.length; i += 50_001) {
    socket.write(request.slice(i, i + 50_001))
    await new Promise((resolve) => setImmediate(resolve))
  }
  const [big, last] = (await answers(6)).slice(4)
  expect(big).toHaveLength('POST /e '.length + 200_000 + 1 + plain.length)
  expect(last).toBe(`GET /f  ${plain}`)
})

test('behavior: an offer behind an answer that is not out yet waits for it', async () => {
  const { socket, answers, release, listening } = await ready()
  socket.write(get('/slow', 'host: x\r\n') + get('/b') + post('/c', 'hello'))
  const other = await dial(listening)
  other.socket.write(get('/other'))
  await other.answers(1)
  release()
  expect((await answers(3)).map((answer) => answer.split(' ')[1])).toEqual(['/slow', '/b', '/c'])
})

test('behavior: hundreds of offers on one connection leave nothing on it', async () => {
  const warnings: Error[] = []
  const warn = (warning: Error): void => void warnings.push(warning)
  process.on('warning', warn)
  const { socket, answers } = await ready()
  for (let i = 1; i <= 300; i++) {
    socket.write(i % 2 ? get(`/${i}`) : post(`/${i}`, 'x'))
    await answers(i)
  }
  await new Promise((resolve) => setImmediate(resolve))
  process.off('warning', warn)
  expect(warnings).toEqual([])
})

test('behavior: other headers of the offer are kept as they came, "close" too', async () => {
  const { socket, end } = await ready()
  const headers =
    'host: x\r\nx-name: caf\u00e9\r\nconnection: close, upgrade\r\nupgrade: TLS/1.0\r\n'
  socket.write(Buffer.from(get('/a', headers), 'latin1'))
  expect(await end()).toContain('<GET /a  {"host":"x","connection":"close"}>')
})

test.each([
  ['of something else for /rpc', '/rpc/base', 'h2c'],
  ['of a WebSocket elsewhere', '/accounts', 'websocket'],
  ['of a WebSocket that nobody takes', '/rpc/nowhere', 'websocket'],
])('behavior: an upgrade %s is a plain request', async (_what, path, protocol) => {
  const { socket, answers } = await ready()
  const request = get(path, `host: x\r\nconnection: upgrade\r\nupgrade: ${protocol}\r\n`)
  socket.write(request)
  expect(await answers(1)).toEqual([`GET ${path}  ${plain}`])
  socket.write(request)
  expect(await answers(2)).toHaveLength(2)
})

test('behavior: a WebSocket for /rpc is handed over, however it is spelled', async () => {
  const { socket, answers } = await ready()
  socket.write(get('/rpc/base', 'host: x\r\nconnection: Upgrade\r\nupgrade: WebSocket\r\n'))
  expect(await answers(1)).toEqual(['WEBSOCKET'])
})

test('behavior: while starting, an offer is answered like any request', async () => {
  const listening = await start((req, res) => {
    if (req.url !== '/live') return false
    res.end('<live>')
    return true
  })
  const first = await dial(listening)
  first.socket.write(get('/live'))
  expect(await first.answers(1)).toEqual(['live'])
  first.socket.write(get('/b'))
  listening.serve(echo().handler)
  expect((await first.answers(2))[1]).toContain('GET /b')
})

test('behavior: who leaves while a WebSocket waits for the start does no harm, and closing drops it', async () => {
  const listening = await start(() => false)
  const websocket = get('/rpc/base', 'host: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n')
  const leaving = await dial(listening)
  leaving.socket.write(websocket)
  const staying = await dial(listening)
  staying.socket.write(websocket)
  leaving.socket.resetAndDestroy()
  const third = await dial(listening)
  third.socket.write('x\r\n\r\n')
  expect(await third.end()).toContain('400 Bad Request')
  await listening.close()
  expect(await staying.end()).toBe('')
})

/** An answer of the error body: its status, its headers and the body. */
function problemIn(heard: string) {
  const [head = '', body = ''] = heard.split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), head: head.toLowerCase(), body: JSON.parse(body) }
}

test.each([
  ['no request line', 'GARBAGE\r\n\r\n', 400, 'invalid_params', /not valid HTTP\/1\.1: .*method/],
  [
    'another version',
    get('/', 'host: x\r\n').replace('1.1', '9.9'),
    400,
    'invalid_params',
    /version/,
  ],
  ['a broken header', get('/', 'host: x\r\nbad header\r\n'), 400, 'invalid_params', /header/],
  ['a head of 100 kB', get('/', `x: ${'a'.repeat(1e5)}\r\n`), 431, 'headers_too_large', /16 KiB/],
  [
    'a broken chunk',
    'POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
    ...([400, 'invalid_params', /chunk/] as const),
  ],
  ['a tunnel', 'CONNECT x:1 HTTP/1.1\r\nhost: x\r\n\r\n', 405, 'method_not_allowed', /no proxy/],
])('error: %s has the error body and a request id', async (_what, bytes, status, code, message) => {
  const { socket, end } = await ready()
  socket.write(bytes)
  const problem = problemIn(await end())
  expect(problem).toMatchObject({ status, body: { error: code } })
  expect(problem.body).toEqual({ error: code, message: expect.stringMatching(message) })
  expect(problem.head).toContain('x-svc-sim-request-id: req_of_bytes')
  expect(problem.head).toContain('connection: close')
})

test('error: garbage behind a request is refused after its answer; behind half an answer it cuts', async () => {
  const { socket, end, release, listening } = await ready()
  socket.write(`${get('/slow', 'host: x\r\n')}GARBAGE\r\n\r\n`)
  const half = await dial(listening)
  half.socket.write('POST /half HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n')
  await once(half.socket, 'data')
  half.socket.write('zz\r\n')
  expect(await half.end()).not.toContain('400')
  release()
  const heard = await end()
  expect(heard.indexOf('GET /slow')).toBeGreaterThan(0)
  expect(heard.indexOf('HTTP/1.1 400')).toBeGreaterThan(heard.indexOf('GET /slow'))
})

test('error: while starting there is no id yet', async () => {
  const listening = await start(() => false)
  const { socket, end } = await dial(listening)
  socket.write('GARBAGE\r\n\r\n')
  const problem = problemIn(await end())
  expect(problem.status).toBe(400)
  expect(problem.head).not.toContain('x-svc-sim-request-id')
})

test('behavior: a request in absolute form is the same request, under the name in it', async () => {
  const { socket, answers } = await ready()
  socket.write(get('http://sim.lan:4477/a?b=http://c/d', 'host: other\r\n'))
  socket.write(post('http://sim.lan', 'hello', 'host: other\r\n'))
  socket.write(get('HTTPS://SIM.LAN?x=1', 'host: other\r\n'))
  socket.write(get('/http://e/f', 'host: x\r\n'))
  expect(await answers(4)).toEqual([
    'GET /a?b=http://c/d  {"host":"sim.lan:4477"}',
    'POST / hello {"host":"sim.lan"}',
    'GET /?x=1  {"host":"SIM.LAN"}',
    'GET /http://e/f  {"host":"x"}',
  ])
})

test('behavior: so is one that offers an upgrade, taken or not', async () => {
  const { socket, answers } = await ready()
  socket.write(
    get('http://sim.lan/rpc/nowhere', 'host: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n'),
  )
  expect(await answers(1)).toEqual(['GET /rpc/nowhere  {"host":"sim.lan"}'])
  socket.write(
    get('http://sim.lan/rpc/base', 'host: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n'),
  )
  expect((await answers(2))[1]).toBe('WEBSOCKET')
})
