import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { Agent, request } from 'node:https'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { runCli } from '../kit/cli.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { startTlsProxy } from '../kit/tlsProxy.js'
import { openUser } from '../kit/user.js'

let sim: SimulatorHandle
let proxy: Awaited<ReturnType<typeof startTlsProxy>>
let port: number
let agent: Agent

beforeAll(async () => {
  sim = await createSimulator({ allowedHosts: ['sim.lan'] })
  proxy = await startTlsProxy(sim.url)
  port = proxy.port
  agent = new Agent({ ca: await readFile(proxy.certificate), servername: 'sim.lan' })
})

afterAll(async () => {
  agent.destroy()
  await proxy[Symbol.asyncDispose]()
  await sim.close()
})

const host = () => `sim.lan:${port}`

async function send(path: string, headers: Record<string, string> = {}, body?: string) {
  const sent = request({
    host: '127.0.0.1',
    port,
    path,
    agent,
    method: body === undefined ? 'GET' : 'POST',
    headers: { host: host(), authorization: `Bearer ${sim.apiKey}`, ...headers },
  })
  sent.end(body)
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  return answer
}

const json = { 'content-type': 'application/json' }

test('default: the API and JSON-RPC', async () => {
  const networks = await send('/networks')
  expect(JSON.parse(await text(networks)).networks).toHaveLength(5)
  const rpc = await send('/rpc/base', json, '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}')
  expect(JSON.parse(await text(rpc)).result).toBe('0x2105')
})

test('behavior: WebSockets, with and without a slash at the end', async () => {
  for (const path of ['/rpc/base', '/rpc/base/']) {
    const socket = new WebSocket(`wss://127.0.0.1:${port}${path}`, {
      agent,
      headers: { host: host(), origin: `https://${host()}` },
    })
    await once(socket, 'open')
    socket.send('{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}')
    const [message] = await once(socket, 'message')
    expect(JSON.parse(String(message)).result, path).toBe('0x2105')
    socket.close()
    await once(socket, 'close')
  }
})

test('behavior: a stream sends its first part at once', async () => {
  const { id } = await openUser(sim)
  const answer = await send(`/accounts/${id}/folio/stream`)
  const [first] = (await once(answer, 'data')) as [Buffer]
  expect(first.toString()).toMatch(/^event: snapshot\n/)
  answer.destroy()
})

test('behavior: the dashboard and what its page calls; a page of another name may not', async () => {
  const ui = await send('/_sim/ui/')
  expect([ui.statusCode, ui.headers['content-type']]).toEqual([
    200,
    expect.stringContaining('text/html'),
  ])
  ui.resume()
  const clock = (origin: string) => send('/_sim/clock/freeze', { ...json, origin }, '{}')
  const own = await clock(`https://${host()}`)
  expect(JSON.parse(await text(own))).toMatchObject({ mode: 'frozen' })
  const foreign = await clock(`https://evil.lan:${port}`)
  expect(JSON.parse(await text(foreign))).toMatchObject({ error: 'forbidden' })
})

test('behavior: URLs have the scheme by which the caller came, as a proxy names it or as svc-sim was given it', async () => {
  const connect = async (headers: Record<string, string>) =>
    JSON.parse(await text(await send('/_sim/connect', headers)))
  const named = await connect({ 'x-forwarded-proto': 'https' })
  expect(named).toMatchObject({
    url: `https://${host()}`,
    controlUrl: `https://${host()}/_sim`,
    docsUrl: `https://${host()}/docs/`,
    rpc: { base: `https://${host()}/rpc/base` },
  })
  expect(JSON.stringify(named)).not.toContain(`http://${host()}`)
  expect((await connect({})).url).toBe(`http://${host()}`)
  // The proxy of the page names none.
  const url = `https://127.0.0.1:${port}`
  const { code, stdout } = await runCli(['env', '--base-url', url, '--format', 'json'], {
    env: { NODE_TLS_REJECT_UNAUTHORIZED: '0' },
  })
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ url, rpc: { base: `${url}/rpc/base` } })
  expect(stdout).not.toContain('http://127.0.0.1')
})
