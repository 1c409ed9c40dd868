import { once } from 'node:events'
import { createServer, type RequestListener, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { createRelay, type RelayAddress } from './relay.js'

const relay = createRelay()
const servers: Server[] = []
afterEach(() => {
  relay.close()
  for (const server of servers.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
})

async function listening(listener: RequestListener): Promise<AddressInfo> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return server.address() as AddressInfo
}

/** Somebody in front of this address; `also` is called when a request has been passed on. */
function front({ port }: AddressInfo, also = (): void => {}): Promise<AddressInfo> {
  const address: RelayAddress = { host: '127.0.0.1', port }
  return listening((req, res) => {
    relay.pass(req, res, { address, url: req.url! }, (how) => {
      res.statusCode = 503
      res.end(how)
    })
    also()
  })
}

async function post({ port }: AddressInfo, body: string): Promise<[number, string]> {
  const sent = request({ host: '127.0.0.1', port, method: 'POST', agent: false })
  sent.end(body)
  const [answer] = await once(sent, 'response')
  return [answer.statusCode, await text(answer)]
}

const echo: RequestListener = (req, res) => void req.pipe(res)

test('default: a request and its answer', async () => {
  expect(await post(await front(await listening(echo)), 'sent')).toEqual([200, 'sent'])
})

test('behavior: a process that stood still while it connected passes the request on all the same', async () => {
  const standStill = (): void => {
    const end = performance.now() + 1_200 // longer than a connection may take
    while (performance.now() < end);
  }
  // Once it waits for the connection, and before it hears of it.
  const stalled = await front(await listening(echo), () => setImmediate(standStill))
  expect(await post(stalled, 'sent')).toEqual([200, 'sent'])
})

test('behavior: what lives and cuts the answer has it cut for the client', async () => {
  const cutting = await front(await listening((req) => void req.socket.destroy()))
  await expect(post(cutting, 'sent')).rejects.toThrow(/hang up|reset/i)
})

test('error: nobody takes connections', async () => {
  const there = await listening(echo)
  servers.pop()!.close()
  expect(await post(await front(there), 'sent')).toEqual([503, 'refused'])
})
