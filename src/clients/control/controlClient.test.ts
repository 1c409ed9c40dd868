import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createControl } from './controlClient.js'

/** A server that answers as the path says: `/STATUS/ours` with the id of a request, else without. */
const server = createServer((req, res) => {
  const [, status, whose, kind] = req.url!.split('/')
  if (whose === 'ours') res.setHeader('x-svc-sim-request-id', 'req_1')
  res.writeHead(Number(status), { 'content-type': 'application/json' })
  res.end(kind === 'text' ? 'hello' : JSON.stringify({ error: kind, message: 'why' }))
})
let url: string
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

const ask = (path: string) => createControl(`${url}${path}`, undefined).GET('/clock')

test('default: a refusal has the call, the code and the words of the simulator', async () => {
  await expect(ask('/409/ours/conflict')).rejects.toMatchObject({
    ...{ name: 'RefusedError', status: 409, code: 'conflict' },
    message: 'GET /clock: conflict: why',
  })
})

test('behavior: a front that stops answers without an id, and is a simulator all the same', async () => {
  await expect(ask('/503/none/world_lost')).rejects.toMatchObject({ code: 'world_lost' })
})

test.each(['/200/none/text', '/404/none/text', '/404/none/nobody_knows'])(
  'error: what answers %s is not a simulator',
  async (path) => {
    await expect(ask(path)).rejects.toThrow(/is not a simulator \(status (200|404)\)/)
  },
)
