import { once } from 'node:events'
import {
  createServer,
  get,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { type HttpHandler, type Listening, listen, PortInUseError } from './listen.js'

const opened: Listening[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()))
})

/** While starting, `/live` is answered and everything else waits. */
function live(req: IncomingMessage, res: ServerResponse): boolean {
  if (req.url !== '/live') return false
  res.end('starting')
  return true
}

async function start(host: string, port = 0): Promise<Listening> {
  const listening = await listen({ host, port }, live)
  opened.push(listening)
  return listening
}

const switching =
  'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'

const handler: HttpHandler = {
  handle: (_req, res) => void res.end('ready'),
  upgrade(_req, socket) {
    socket.end(switching)
    return true
  },
  requestId: () => 'req_1',
}

/** `127.0.0.1` and `::1` at the same port. */
const both = (url: string) => {
  const { port } = new URL(url)
  return [`http://127.0.0.1:${port}`, `http://[::1]:${port}`]
}

const textOf = async (url: string) => (await fetch(url)).text()

test('default: liveness is answered at once, what else comes waits until the handler is there', async () => {
  const { url, serve } = await start('127.0.0.1')
  const waiting = textOf(`${url}/other`)
  expect(await textOf(`${url}/live`)).toBe('starting')
  serve(handler)
  expect(await waiting).toBe('ready')
  expect(await textOf(`${url}/live`)).toBe('ready')
})

test('behavior: an upgrade waits too', async () => {
  const { url, serve } = await start('127.0.0.1')
  const upgraded = new Promise<number | undefined>((resolve, reject) => {
    const headers = { connection: 'upgrade', upgrade: 'websocket' }
    get(`${url}/rpc/base`, { headers })
      .on('upgrade', (res, socket) => {
        socket.destroy()
        resolve(res.statusCode)
      })
      .on('error', reject)
  })
  await textOf(`${url}/live`)
  serve(handler)
  expect(await upgraded).toBe(101)
})

test('behavior: localhost listens on both families, an address on itself alone', async () => {
  const { url } = await start('localhost')
  for (const place of both(url)) expect(await textOf(`${place}/live`)).toBe('starting')
  const v4 = await start('127.0.0.1')
  const [, v6] = both(v4.url)
  await expect(fetch(`${v6}/live`)).rejects.toThrow()
})

test('behavior: the URL of an IPv6 address has brackets', async () => {
  const { url } = await start('::1')
  expect(url).toMatch(/^http:\/\/\[::1\]:\d+$/)
  expect(await textOf(`${url}/live`)).toBe('starting')
})

test('behavior: close drops what waits, and frees the port', async () => {
  const { url, close } = await start('127.0.0.1')
  const waiting = fetch(`${url}/other`)
  waiting.catch(() => {})
  await textOf(`${url}/live`)
  await close()
  await expect(waiting).rejects.toThrow()
  const again = await start('127.0.0.1', Number(new URL(url).port))
  expect(again.url).toBe(url)
})

/** A handler whose answers come when they are told to. */
function slowHandler() {
  const waiting: ServerResponse[] = []
  let heard: () => void = () => {}
  return {
    handler: {
      ...handler,
      handle(_req: IncomingMessage, res: ServerResponse) {
        waiting.push(res)
        heard()
      },
    },
    waiting,
    /** Resolves when so many requests are inside. */
    async inside(count: number): Promise<void> {
      while (waiting.length < count)
        await new Promise<void>((resolve) => {
          heard = resolve
        })
    },
  }
}

/** Long beyond any test. */
const patience = 1e6

test('behavior: drain answers what is inside, refuses who comes then, and does not wait for idle connections', async () => {
  const { url, serve, drain, close } = await start('127.0.0.1')
  const { handler, waiting, inside } = slowHandler()
  serve(handler)
  // One that has sent nothing, one that waits between two requests, and one whose answer is on its way.
  const silent = connect(Number(new URL(url).port), '127.0.0.1')
  silent.on('error', () => {}) // a reset is one way to be closed
  await once(silent, 'connect')
  const requests = [fetch(`${url}/1`), fetch(`${url}/2`), fetch(`${url}/3`)]
  await inside(3)
  waiting[0]!.end('first')
  expect(await (await requests[0]!).text()).toBe('first')
  waiting[2]!.write('thi')
  const drained = drain(patience)
  await refusal(url)
  waiting[1]!.end('second')
  waiting[2]!.end('rd')
  await drained
  const second = await requests[1]!
  expect(second.headers.get('connection')).toBe('close')
  expect(await second.text()).toBe('second')
  expect(await (await requests[2]!).text()).toBe('third')
  await close()
})

/** Resolves when nobody takes connections there any more. */
async function refusal(url: string): Promise<void> {
  const { port } = new URL(url)
  for (;;) {
    const socket = connect(Number(port), '127.0.0.1')
    try {
      await once(socket, 'connect')
      socket.destroy()
    } catch {
      return
    }
  }
}

test('behavior: what drain cannot wait for is answered 408; half an answer is cut', async () => {
  const { url, serve, drain, close } = await start('127.0.0.1')
  const { handler, waiting, inside } = slowHandler()
  serve(handler)
  const [unanswered, half] = [fetch(`${url}/1`), fetch(`${url}/2`)]
  await inside(2)
  const begun = waiting.find(({ req }) => req.url === '/2')!
  begun.write('half')
  const body = (await half).text()
  body.catch(() => {})
  await drain(1)
  const refused = await unanswered
  expect(refused.status).toBe(408)
  expect(await refused.json()).toEqual({
    error: 'timeout',
    message: 'The simulator is being stopped; this request did not come to its end in time',
  })
  await close()
  await expect(body).rejects.toThrow()
})

test('behavior: drain does not wait for what waits for the handler', async () => {
  const { url, drain } = await start('127.0.0.1')
  const waiting = fetch(`${url}/other`)
  await textOf(`${url}/live`)
  await drain(patience)
  expect((await waiting).status).toBe(408)
})

test('error: a port in use names itself and the cure', async () => {
  const { url } = await start('127.0.0.1')
  const { port } = new URL(url)
  const failed = await start('127.0.0.1', Number(port)).catch((error: unknown) => error)
  expect(failed).toBeInstanceOf(PortInUseError)
  expect((failed as Error).message).toMatch(
    new RegExp(`^port ${port} on 127.0.0.1 is in use; .*--port`),
  )
})

test('error: localhost whose port is taken on ::1 alone is refused, and nothing stays behind', async () => {
  const other = await occupy('::1')
  const { port } = other.address() as AddressInfo
  try {
    await expect(start('localhost', port)).rejects.toThrow(`port ${port} on ::1 is in use`)
    await expect(fetch(`http://127.0.0.1:${port}/live`)).rejects.toThrow()
  } finally {
    await new Promise((resolve) => other.close(resolve))
  }
})

test('error: a host that is not of this machine', async () => {
  await expect(start('192.0.2.1')).rejects.toMatchObject({ code: 'EADDRNOTAVAIL' })
})

/** A server of somebody else on a free port. */
function occupy(host: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, host, () => resolve(server))
  })
}

/** The same handler, which answers `/other` at once. */
const answeringOther = (slow: HttpHandler): HttpHandler => ({
  ...slow,
  handle: (req, res) => (req.url === '/other' ? void res.end('other') : slow.handle(req, res)),
})

test('error: requests whose client hangs up while they wait behind another answer end with it', async () => {
  const { url, serve } = await start('127.0.0.1')
  const { handler, waiting, inside } = slowHandler()
  serve(handler)
  const client = connect(Number(new URL(url).port), '127.0.0.1')
  client.write('GET /plan HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(3))
  await inside(3)
  const ended = Promise.all(waiting.map((res) => once(res, 'close')))
  client.destroy()
  await ended
})

test('behavior: a WebSocket that is asked for behind other requests is taken over when those are answered', async () => {
  const { url, serve } = await start('127.0.0.1')
  const { handler, waiting, inside } = slowHandler()
  serve(answeringOther(handler))
  const client = connect(Number(new URL(url).port), '127.0.0.1')
  const received = text(client)
  const plain = 'GET /plan HTTP/1.1\r\nhost: a\r\n\r\n'
  const upgrade = 'GET /rpc/base HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket'
  client.write(`${plain}${plain}${upgrade}\r\n\r\n`)
  await inside(2)
  expect(await textOf(`${url}/other`)).toBe('other')
  for (const i of [2, 1]) waiting[i - 1]!.end(`answer ${i}`)
  expect(await received).toMatch(/answer 1[\s\S]*answer 2[\s\S]*101 Switching/)
})

test('behavior: idle connections are kept for longer than Go keeps them, which is 90 seconds', async () => {
  const { url, serve } = await start('127.0.0.1')
  serve(handler)
  expect((await fetch(url)).headers.get('keep-alive')).toBe('timeout=95')
})
