import { once } from 'node:events'
import { createServer, IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { bareApp } from '../app.js'
import { createMessages } from './messages.js'

test('default: requests and responses have the prototypes of their app before it sees them', async () => {
  const messages = createMessages()
  const app = bareApp()
  app.post('/', (req, res) => void req.pipe(res.type('text')))
  const seen: unknown[] = []
  const server = createServer(messages.classes, (req, res) => {
    seen.push([Object.getPrototypeOf(req), Object.getPrototypeOf(res)])
    app(req, res)
    seen.push([Object.getPrototypeOf(req), Object.getPrototypeOf(res)])
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const ask = async () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return (await fetch(url, { method: 'POST', body: 'echo' })).text()
  }
  try {
    expect(await ask()).toBe('echo')
    messages.serveBy(app)
    expect(await ask()).toBe('echo')
  } finally {
    server.closeAllConnections()
    server.close()
  }
  const ofApp = [app.request, app.response]
  const ofNode = [IncomingMessage.prototype, ServerResponse.prototype]
  expect(seen).toEqual([ofNode, ofApp, ofApp, ofApp])
  expect(seen[2]).toStrictEqual(ofApp)
  expect((seen[2] as unknown[]).every((each, i) => each === ofApp[i])).toBe(true)
})
