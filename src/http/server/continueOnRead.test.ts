import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { type Face, type Listening, listen } from './listen.js'

const opened: (Listening | Socket)[] = []
afterEach(async () => {
  for (const each of opened.splice(0).reverse())
    await ('destroy' in each ? each.destroy() : each.close())
})

/** Reads bodies sent to `/read`, and refuses all others by their head. */
const face: Face = {
  async handle(req, res) {
    if (req.url === '/read') res.end(`<${await text(req)}>`)
    else res.writeHead(413).end('<refused>')
  },
  upgrade: () => false,
  requestId: () => 'req_1',
}

/** A connection, and what comes on it until `mark` has come, or the end. */
async function dial() {
  const listening = await listen({ host: '127.0.0.1', port: 0 }, () => false)
  opened.push(listening)
  listening.serve(face)
  const socket = connect(Number(new URL(listening.url).port), '127.0.0.1').setEncoding('utf8')
  opened.push(socket)
  await once(socket, 'connect')
  let heard = ''
  const until = async (mark?: string): Promise<string> => {
    while (mark === undefined || !heard.includes(mark)) {
      const [chunk] = (await Promise.race([once(socket, 'data'), once(socket, 'close')])) as [
        string | boolean,
      ]
      if (typeof chunk !== 'string') return heard
      heard += chunk
    }
    return heard
  }
  return { socket, until }
}

const head = (path: string) =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: 5\r\n\r\n`

test('default: a body that is wanted is asked for, and the connection goes on', async () => {
  const { socket, until } = await dial()
  socket.write(head('/read'))
  expect(await until('\r\n\r\n')).toBe('HTTP/1.1 100 Continue\r\n\r\n')
  socket.write('hello')
  expect(await until('<hello>')).toContain('200 OK')
  socket.write(head('/read'))
  socket.write('again')
  expect(await until('<again>')).not.toContain('connection: close')
})

test('behavior: one that is not wanted is refused at once, and the connection ends', async () => {
  const { socket, until } = await dial()
  socket.write(head('/refuse'))
  const heard = await until()
  expect(heard).not.toContain('100 Continue')
  expect(heard).toMatch(/^HTTP\/1\.1 413 [^<]*connection: close[^<]*<refused>/i)
})
