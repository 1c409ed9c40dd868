import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAccount, type HttpWorld, keys, startHttpWorld } from '../../../test/kit/httpWorld.js'

let world: HttpWorld
beforeAll(async () => {
  world = await startHttpWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

/** An answer as it comes over the wire; `fetch` would unpack it. */
async function raw(path: string, accept?: string, method = 'GET') {
  const headers = {
    authorization: `Bearer ${keys.first.key}`,
    ...(accept === undefined ? {} : { 'accept-encoding': accept }),
  }
  const sent = request(new URL(path, world.client.url), { method, headers })
  sent.end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  return { headers: answer.headers, bytes: await buffer(answer) }
}

const document = '/openapi.json'

test('default: a long answer is compressed for who asks', async () => {
  const plain = await raw(document)
  expect(plain.headers['content-encoding']).toBeUndefined()
  const text = plain.bytes.toString()
  const br = await raw(document, 'br, gzip')
  expect(br.headers['content-encoding']).toBe('br')
  expect(brotliDecompressSync(br.bytes).toString()).toBe(text)
  const gzip = await raw(document, 'gzip')
  expect(gzip.headers['content-encoding']).toBe('gzip')
  expect(gunzipSync(gzip.bytes).toString()).toBe(text)
  for (const { headers, bytes } of [plain, br, gzip]) {
    expect(Number(headers['content-length'])).toBe(bytes.length)
    expect(headers.vary).toBe('Origin, accept-encoding')
  }
  expect(br.bytes.length).toBeLessThan(plain.bytes.length / 5)
})

test('behavior: a client that wants none of it gets the plain text', async () => {
  for (const accept of ['identity', 'br;q=0, gzip;q=0', 'zstd', ''])
    expect((await raw(document, accept)).headers['content-encoding'], accept).toBeUndefined()
})

test('behavior: short answers are sent as they are', async () => {
  const { headers, bytes } = await raw('/networks', 'gzip, br')
  expect(headers['content-encoding']).toBeUndefined()
  expect(JSON.parse(bytes.toString()).networks).toHaveLength(5)
})

test('behavior: HEAD says what GET would', async () => {
  const [get, head] = [await raw(document, 'gzip'), await raw(document, 'gzip', 'HEAD')]
  expect(head.bytes).toHaveLength(0)
  for (const name of ['content-encoding', 'content-length', 'content-type'])
    expect(head.headers[name], name).toBe(get.headers[name])
})

test('behavior: a stream is never compressed, so that each event arrives at once', async () => {
  const { id } = await createAccount(world)
  const sent = request(new URL(`/accounts/${id}/folio/stream`, world.client.url), {
    headers: { authorization: `Bearer ${keys.first.key}`, 'accept-encoding': 'gzip, br' },
  })
  sent.end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  expect(answer.headers['content-encoding']).toBeUndefined()
  const [chunk] = (await once(answer, 'data')) as [Buffer]
  expect(chunk.toString()).toMatch(/^event: snapshot\n/)
  sent.destroy()
})
