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
  // No sessions: a request is served whatever came before it.
  expect(one.transport.sessionId).toBeUndefined()
  const { tools } = await one.client.listTools()
  const names = tools.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['reset_simulator', 'take_snapshot']))
  expect(names).not.toContain('start_simulator')
  await expect(one.call('start_simulator')).rejects.toThrow('There is no tool start_simulator')

  const key = generatePrivateKey()
  const { account_id } = await one.ask('create_account', { private_key: key })
  const { id } = await one.ask('take_snapshot')
  await one.call('fund_wallet', { account_id, asset: 'USDC', amount: '10000000', network: 'base' })
  const intent = { amount: '4000000', asset: 'USDC', network: 'base', protocol: 'compound' }
  // Each sees what the other has done, and may sign it.
  const plan = await other.ask('plan', { account_id, kind: 'earn', intent })
  const done = await other.ask('execute', { account_id, plan_id: plan.plan_id, private_key: key })
  expect(done.activity).toMatchObject({ activity_status: 'confirmed' })

  await other.call('restore_snapshot', { id })
  const activities = { account_id }
  expect((await one.ask('list_activities', activities)).activities).toEqual([])
  await Promise.all([one.call('reset_simulator'), other.call('reset_simulator')])
  await expect(one.call('list_activities', activities)).rejects.toThrow(/^404 /)
  await other.ask('create_account')
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
  const { account_id } = await agent.ask('create_account')
  await agent.call('fund_wallet', { account_id, asset: 'USDC', amount: '7', network: 'base' })
  await agent.call('reset_simulator')
})

test('behavior: calls during resets and restores succeed or say why, and the session goes on', async () => {
  const { url } = (await startReady(...start)).ready
  const [one, other] = await Promise.all([newAgent(url), newAgent(url)])
  const grant = { asset: 'USDC', amount: '10000000', network: 'base' }
  const intent = { amount: '4000000', asset: 'USDC', network: 'base', protocol: 'compound' }
  for (const tool of ['reset_simulator', 'restore_snapshot', 'reset_simulator']) {
    const { id } = await one.ask('take_snapshot')
    const key = generatePrivateKey()
    const { account_id } = await one.ask('create_account', { private_key: key })
    await one.call('fund_wallet', { account_id, ...grant })
    const [gone, planned] = await Promise.allSettled([
      other.call(tool, { ...(tool === 'restore_snapshot' && { id }) }),
      one.ask('plan', { account_id, kind: 'earn', intent }),
    ])
    expect(gone).toMatchObject({ status: 'fulfilled' })
    // The plan was made before, or there is no such account any more.
    if (planned.status === 'fulfilled') expect(planned.value.plan_id).toMatch(/^pln_/)
    else expect(String(planned.reason)).toMatch(/404 .*account_not_found/)
    expect((await one.client.listTools()).tools.length).toBeGreaterThan(5)
  }
})

test('behavior: a world that another agent releases, between calls and during one', async () => {
  const { url } = (await startReady(...start, '--worlds', '1')).ready
  const [one, other] = await Promise.all([newAgent(url), newAgent(url)])
  for (const isBusy of [false, true]) {
    const { id: world } = await one.ask('lease_world')
    const { account_id } = await one.ask('create_account', { world })
    const grant = { account_id, asset: 'USDC', amount: '7', network: 'base', world }
    const [given, during] = await Promise.allSettled([
      other.call('release_world', { id: world }),
      isBusy ? one.call('fund_wallet', grant) : undefined,
    ])
    expect(given.status).toBe('fulfilled')
    if (isBusy && during.status === 'rejected')
      expect(String(during.reason)).toMatch(/world|40[14]/)
    // The next call says so; the default world goes on.
    await expect(one.call('fund_wallet', grant)).rejects.toThrow(/is over|no world/i)
    await one.ask('create_account')
    await other.ask('create_account')
  }
})

test('behavior: a tool reaches the world that it names, and the default world shows nothing of it', async () => {
  const { url } = (await startReady(...start, '--worlds', '1')).ready
  const agent = await newAgent(url)
  const { id: world } = await agent.ask('lease_world')
  const { account_id } = await agent.ask('create_account', { world })
  await expect(agent.call('list_activities', { account_id })).rejects.toThrow(/^404 /)
  expect((await agent.ask('list_activities', { account_id, world })).activities).toEqual([])
  await expect(agent.call('list_activities', { account_id, world: '../x' })).rejects.toThrow(
    '404 There is no world ../x',
  )
})

test('error: foreign pages, other methods and bodies that are no JSON', async () => {
  const { url } = (await startReady(...start)).ready
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
  // A client that remembers a session of an older server is served like any other.
  expect((await ask({ 'mcp-session-id': 'of-yesterday' }, list)).status).toBe(200)
  for (const method of ['GET', 'DELETE']) {
    const refused = await fetch(`${url}/_sim/mcp`, { method })
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'POST'])
  }
  expect((await ask({}, '{')).status).toBe(400)
  expect((await ask({ origin: 'https://example.com' }, list)).status).toBe(403)
  expect((await ask({}, ' '.repeat(1_100_000))).status).toBe(413)
  expect((await (await newAgent(url)).client.listTools()).tools.length).toBeGreaterThan(5)
})

test('behavior: a call that waits does not hold up the end of the simulator', async () => {
  const { ready, run } = await startReady(...start)
  const { url } = ready
  const agent = await newAgent(url)
  await agent.call('add_fault', { on: 'folio', effect: { latency: { ms: 60_000 } } })
  const { account_id } = await agent.ask('create_account')
  const waiting = agent.call('get_folio', { account_id }).catch(({ message }) => message)
  run.kill('SIGTERM')
  expect((await run.ended).code).toBe(0)
  expect(run.stderr).not.toContain('did not come to its end')
  await waiting
})
