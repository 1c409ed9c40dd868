import type { AddressInfo } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { bareApp } from '../../http/core/bareApp.js'
import { agentsOverHttp, maxSessions, sessionIdleMs } from './overHttp.js'

afterEach(() => void vi.useRealTimers())

/** Serves agents of a simulator that nobody asks, on a port of its own. */
async function serving() {
  const stopping = new AbortController()
  const app = bareApp()
  const target = { url: 'http://127.0.0.1:1', apiKey: 'key' }
  app.all('/', agentsOverHttp({ version: '1', log: () => {} }, target, stopping.signal))
  const server = app.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const accept = 'application/json, text/event-stream'
  const send = (message: object, session?: string) =>
    fetch(url, {
      method: 'POST',
      headers: {
        ...{ 'content-type': 'application/json', accept },
        ...(session && { 'mcp-session-id': session }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
    })
  return {
    stopping,
    async begin(): Promise<string> {
      const clientInfo = { name: 'test', version: '1' }
      const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
      const answer = await send({ method: 'initialize', params })
      await answer.text()
      return answer.headers.get('mcp-session-id')!
    },
    /** The status of a session's list of tools. */
    async list(session: string): Promise<number> {
      const answer = await send({ method: 'tools/list' }, session)
      await answer.text()
      return answer.status
    },
    stream: (session: string) => fetch(url, { headers: { accept, 'mcp-session-id': session } }),
    async [Symbol.asyncDispose]() {
      stopping.abort()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

test('default: the session that was used longest ago ends when there are too many', async () => {
  await using agents = await serving()
  const [first, second] = [await agents.begin(), await agents.begin()]
  for (let open = 2; open < maxSessions; open++) await agents.begin()
  expect(await agents.list(first)).toBe(200)
  await agents.begin()
  expect(await agents.list(second)).toBe(404)
  expect(await agents.list(first)).toBe(200)
})

test('behavior: an idle session ends; one whose stream is open does not', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await using agents = await serving()
  const [idle, followed] = [await agents.begin(), await agents.begin()]
  expect((await agents.stream(followed)).status).toBe(200)
  vi.advanceTimersByTime(sessionIdleMs + 1)
  expect(await agents.list(idle)).toBe(404)
  expect(await agents.list(followed)).toBe(200)
})

test('behavior: a stop ends streams and sessions, and no other begins', async () => {
  await using agents = await serving()
  const session = await agents.begin()
  const stream = await agents.stream(session)
  agents.stopping.abort()
  expect(await stream.text()).toBe('')
  expect(await agents.list(session)).toBe(404)
  expect(await agents.begin()).toBeNull()
})
