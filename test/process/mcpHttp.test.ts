import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { generatePrivateKey } from 'viem/accounts'
import { afterEach, expect, test, vi } from 'vitest'
import { killRuns, startReady } from '../kit/cli.js'

// `/_sim/mcp` of a started simulator, by the client of the official SDK. Needs `npm run build` before.

vi.setConfig({ testTimeout: 120_000 })

const clients: Client[] = []

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()))
  killRuns()
})

async function newAgent(url: string, headers: Record<string, string> = {}) {
  const options = { requestInit: { headers } }
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/_sim/mcp`), options)
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  clients.push(client)
  const call = async (name: string, args: Record<string, unknown> = {}): Promise<string> => {
    const result = (await client.callTool({ name, arguments: args })) as CallToolResult
    const text = result.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
    if (result.isError) throw new Error(text)
    return text
  }
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes.
  const ask = async (name: string, args?: Record<string, unknown>): Promise<any> =>
    JSON.parse((await call(name, args)).split('\n')[0]!)
  return { client, transport, call, ask }
}

const start = ['--clock', 'frozen', '--seed', '7']

test('default: two agents at once drive the simulator that serves them, across a reset and a restore', async () => {
  const { url } = (await startReady(...start)).ready
  const [one, other] = await Promise.all([newAgent(url), newAgent(url)])
  expect(one.transport.sessionId).not.toBe(other.transport.sessionId)
  const { tools } = await one.client.listTools()
  const simulator = tools.find(({ name }) => name === 'simulator')!
  const { enum: actions } = simulator.inputSchema.properties!.action as { enum: string[] }
  expect(actions).toEqual(['reset', 'snapshot', 'restore'])
  await expect(one.call('simulator', { action: 'start' })).rejects.toThrow('no action "start"')

  const key = generatePrivateKey()
  const { account_id } = await one.ask('accounts', { action: 'create', private_key: key })
  const { id } = await one.ask('simulator', { action: 'snapshot' })
  await one.call('fund', { account_id, asset: 'USDC', amount: '10000000', network: 'base' })
  const intent = { amount: '4000000', asset: 'USDC', network: 'base', protocol: 'compound' }
  // Each sees what the other has done, and may sign it.
  const plan = await other.ask('plan', { account_id, kind: 'earn', intent })
  const done = await other.ask('execute', { account_id, plan_id: plan.plan_id, private_key: key })
  expect(done.activity).toMatchObject({ activity_status: 'confirmed' })

  await other.call('simulator', { action: 'restore', id })
  const activities = { action: 'activities', account_id }
  expect((await one.ask('read_accounts', activities)).activities).toEqual([])
  await Promise.all([
    one.call('simulator', { action: 'reset' }),
    other.call('simulator', { action: 'reset' }),
  ])
  await expect(one.call('read_accounts', activities)).rejects.toThrow(/^404 /)
  await other.ask('accounts', { action: 'create' })
})

test('error: behind a control token, no agent gets in without it; with it, its tools have it too', async () => {
  const { url } = (
    await startReady(...start, '--host', '0.0.0.0', '--control-token', 'a-control-token')
  ).ready
  await expect(newAgent(url)).rejects.toThrow('missing_auth_header')
  await expect(newAgent(url, { authorization: 'Bearer another' })).rejects.toThrow(
    'invalid_api_key',
  )
  const refused = await fetch(`${url}/_sim/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  })
  expect(refused.status).toBe(401)
  expect(refused.headers.get('x-svc-sim-hint')).toContain('--control-token')
  const agent = await newAgent(url, { authorization: 'Bearer a-control-token' })
  const { account_id } = await agent.ask('accounts', { action: 'create' })
  await agent.call('fund', { account_id, asset: 'USDC', amount: '7', network: 'base' })
  await agent.call('simulator', { action: 'reset' })
})

test('behavior: calls during resets and restores succeed or say why, and the session goes on', async () => {
  const { url } = (await startReady(...start)).ready
  const [one, other] = await Promise.all([newAgent(url), newAgent(url)])
  const grant = { asset: 'USDC', amount: '10000000', network: 'base' }
  const intent = { amount: '4000000', asset: 'USDC', network: 'base', protocol: 'compound' }
  for (const action of ['reset', 'restore', 'reset']) {
    const { id } = await one.ask('simulator', { action: 'snapshot' })
    const key = generatePrivateKey()
    const { account_id } = await one.ask('accounts', { action: 'create', private_key: key })
    await one.call('fund', { account_id, ...grant })
    const [gone, planned] = await Promise.allSettled([
      other.call('simulator', { action, ...(action === 'restore' && { id }) }),
      one.ask('plan', { account_id, kind: 'earn', intent }),
    ])
    expect(gone).toMatchObject({ status: 'fulfilled' })
    // The plan was made before, or there is no such account any more.
    if (planned.status === 'fulfilled') expect(planned.value.plan_id).toMatch(/^pln_/)
    else expect(String(planned.reason)).toMatch(/404 .*account_not_found/)
    expect((await one.client.listTools()).tools.length).toBeGreaterThan(5)
  }
})

test('behavior: a world that another agent gives back, between calls and during one', async () => {
  const { url } = (await startReady(...start, '--worlds', '1')).ready
  const [one, other] = await Promise.all([newAgent(url), newAgent(url)])
  for (const isBusy of [false, true]) {
    const { id } = await one.ask('worlds', { action: 'lease' })
    const { account_id } = await one.ask('accounts', { action: 'create' })
    const grant = { account_id, asset: 'USDC', amount: '7', network: 'base' }
    const [given, during] = await Promise.allSettled([
      other.call('worlds', { action: 'give_back', id }),
      isBusy ? one.call('fund', grant) : undefined,
    ])
    expect(given.status).toBe('fulfilled')
    if (isBusy && during.status === 'rejected')
      expect(String(during.reason)).toMatch(/world|40[14]/)
    // It is told so, and how to go on; the agent that gave the world back was never in it.
    await expect(one.call('fund', grant)).rejects.toThrow(/is over|no world/i)
    await one.call('worlds', { action: 'use' })
    await one.ask('accounts', { action: 'create' })
    await other.ask('accounts', { action: 'create' })
  }
})

test('behavior: an agent goes to a world that it leased, and the first world sees nothing of it', async () => {
  const { url } = (await startReady(...start, '--worlds', '1')).ready
  const agent = await newAgent(url)
  const { id } = await agent.ask('worlds', { action: 'lease' })
  const { account_id } = await agent.ask('accounts', { action: 'create' })
  const activities = { action: 'activities', account_id }
  await agent.call('worlds', { action: 'use' })
  await expect(agent.call('read_accounts', activities)).rejects.toThrow(/^404 /)
  await agent.call('worlds', { action: 'use', id })
  expect((await agent.ask('read_accounts', activities)).activities).toEqual([])
})

test('error: foreign pages, ended sessions and bodies that are no JSON', async () => {
  const { url } = (await startReady(...start)).ready
  const agent = await newAgent(url)
  const { sessionId } = agent.transport
  await agent.transport.terminateSession()
  const ask = (headers: Record<string, string>, body: string) =>
    fetch(`${url}/_sim/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body,
    })
  const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  const ended = await ask({ 'mcp-session-id': sessionId! }, list)
  expect(ended.status).toBe(404)
  expect(ended.headers.get('x-svc-sim-hint')).toContain('Send initialize')
  expect((await ask({}, list)).status).toBe(400)
  expect((await ask({}, '{')).status).toBe(400)
  expect((await ask({ origin: 'https://example.com' }, list)).status).toBe(403)
  expect((await ask({}, ' '.repeat(1_100_000))).status).toBe(413)
  expect((await (await newAgent(url)).client.listTools()).tools.length).toBeGreaterThan(5)
})

test('behavior: an open stream does not hold up the end of the simulator', async () => {
  const { ready, run } = await startReady(...start)
  const { url } = ready
  const agent = await newAgent(url)
  await agent.client.listTools()
  const stream = await fetch(`${url}/_sim/mcp`, {
    headers: { accept: 'text/event-stream', 'mcp-session-id': agent.transport.sessionId! },
  })
  // The client of the SDK has the one stream that a session may have.
  expect(stream.status).toBe(409)
  run.kill('SIGTERM')
  expect((await run.ended).code).toBe(0)
  expect(run.stderr).not.toContain('did not come to its end')
})
