import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { openChannel, readAnswer } from './nodeSocket.js'

let server: Server | undefined
afterEach(() => void server?.close())

/** A node that gives these answers, one after the other, and what it was sent. */
async function nodeWith(...answers: string[]) {
  const path = join(tmpdir(), `svc-sim-${process.pid}-${Math.random().toString(36).slice(2)}.ipc`)
  const sent: unknown[] = []
  server = createServer((socket) => {
    socket.setEncoding('utf8').on('data', (text: string) => {
      sent.push(JSON.parse(text))
      socket.write(`${answers.shift()}\n`)
    })
  }).listen(path)
  await new Promise((resolve) => server!.once('listening', resolve))
  return { sent, channel: openChannel(path) }
}

test('default: a request is one line of JSON-RPC, and its answer has the result', async () => {
  const { sent, channel } = await nodeWith(
    '{"jsonrpc":"2.0","id":1,"result":{"a":[1]}}',
    '{"jsonrpc":"2.0","id":1,"result":null}',
  )
  expect((await channel.request('eth_x', ['0x1'])).result).toEqual({ a: [1] })
  const nothing = await channel.request('eth_y')
  expect([nothing.result, nothing.error]).toEqual([null, undefined])
  expect(sent).toEqual([
    { jsonrpc: '2.0', id: 1, method: 'eth_x', params: ['0x1'] },
    { jsonrpc: '2.0', id: 1, method: 'eth_y' },
  ])
  channel.close()
})

test('behavior: a result can be passed on as it was written, and is read once', () => {
  const json = '{"gas":18446744073709551615,"ratio":1.0,"error":"none"}'
  const answer = readAnswer(`{"jsonrpc":"2.0","id":1,"result":${json}}`)
  expect(answer.json).toBe(json)
  expect(answer.error).toBeUndefined()
  expect(answer.result).toBe(answer.result)
  expect(answer.result).toMatchObject({ ratio: 1, error: 'none' })
})

test('behavior: an error is an answer, and so is a result whose members come in another order', () => {
  const error = { code: 3, message: 'execution reverted', data: '0x08c379a0' }
  expect(readAnswer(JSON.stringify({ jsonrpc: '2.0', id: 1, error }))).toMatchObject({ error })
  expect(readAnswer('{"id":1,"result":7,"jsonrpc":"2.0"}').result).toBe(7)
})

test('error: an answer that is not JSON-RPC', () => {
  for (const text of ['<html>', '', '[]', '7', '{"jsonrpc":"2.0","id":1}'])
    expect(() => readAnswer(text)).toThrow(`not JSON-RPC: ${text}`)
})
