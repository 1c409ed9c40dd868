import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type RequestListener, request, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, expect, test } from 'vitest'
import { createRelay } from './relay.js'

const folder = mkdtempSync(join(tmpdir(), 'relay-'))
const relay = createRelay()
const servers: Server[] = []
afterEach(() => {
  relay.close()
  for (const server of servers.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Resolves to the path of its socket. */
async function listening(listener: RequestListener): Promise<string> {
  const path = join(folder, `${servers.length}`)
  const server = createServer(listener).listen(path)
  servers.push(server)
  await once(server, 'listening')
  return path
}

/** A server that passes requests on to the socket. */
function front(socketPath: string): Promise<string> {
  return listening((req, res) => {
    relay.pass(req, res, { socketPath, url: req.url! }, () => {
      res.statusCode = 503
      res.end('unreached')
    })
  })
}

async function post(socketPath: string, body: string): Promise<[number, string]> {
  const sent = request({ socketPath, method: 'POST', agent: false })
  sent.end(body)
  const [response] = await once(sent, 'response')
  return [response.statusCode, await text(response)]
}

const echo: RequestListener = (req, res) => void req.pipe(res)

test('default: a request and its answer', async () => {
  expect(await post(await front(await listening(echo)), 'sent')).toEqual([200, 'sent'])
})

test('behavior: what lives and cuts the answer has it cut for the client', async () => {
  const cutting = await front(await listening((req) => void req.socket.destroy()))
  await expect(post(cutting, 'sent')).rejects.toThrow(/hang up|reset/i)
})

test('error: nobody takes connections', async () => {
  const there = join(folder, 'nobody')
  expect(await post(await front(there), 'sent')).toEqual([503, 'unreached'])
})
