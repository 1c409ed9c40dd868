import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { cliFile, emptyFolder, killRuns, startCli, startReady } from '../kit/cli.js'
import {
  isAlive,
  markedBy,
  markVariable,
  waitUntilGone,
  waitUntilNothingCarries,
} from '../kit/processes.js'

// `svc-sim mcp` as a coding agent uses it: by the client of the official SDK. Needs `npm run build` before.

// Each starts processes of its own, and the longest make the whole journey.
vi.setConfig({ testTimeout: 180_000 })

/** An agent, and all that the server wrote beside the protocol. */
interface Agent {
  client: Client
  pid: number
  mark: string
  log: () => string
  /** The text of a tool's answer; throws it when it is an error. */
  call(name: string, args?: Record<string, unknown>): Promise<string>
  /** The answer as JSON; what is said beside it is left out. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes.
  ask(name: string, args?: Record<string, unknown>): Promise<any>
}

const agents: Client[] = []

afterEach(async () => {
  await Promise.all(agents.splice(0).map((client) => client.close()))
  killRuns()
})

async function newAgent(env: NodeJS.ProcessEnv = {}, ...args: string[]): Promise<Agent> {
  const mark = generatePrivateKey()
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [cliFile, 'mcp', ...args],
    cwd: emptyFolder(),
    stderr: 'pipe',
    env: { ...process.env, ...env, [markVariable]: mark } as Record<string, string>,
  })
  let log = ''
  transport.stderr!.on('data', (text) => {
    log += text
  })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  agents.push(client)
  const call: Agent['call'] = async (name, args = {}) => {
    const result = (await client.callTool({ name, arguments: args })) as CallToolResult
    const text = result.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
    if (result.isError) throw new Error(text)
    return text
  }
  const ask: Agent['ask'] = async (name, args) =>
    JSON.parse((await call(name, args)).split('\n')[0]!)
  return { client, pid: transport.pid!, mark, log: () => log, call, ask }
}

const earn = { amount: '4000000', asset: 'USDC', network: 'base', protocol: 'compound' }

test('default: an agent creates, plans, breaks and explains', async () => {
  const { client, mark, log, call, ask } = await newAgent()
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['start_simulator', 'plan', 'explain']),
  )
  const { url, apiKey } = await ask('start_simulator', { clock: 'frozen', seed: '7' })

  const key = generatePrivateKey()
  const account = await ask('create_account', { private_key: key })
  expect(account.signer_address.toLowerCase()).toBe(privateKeyToAddress(key).toLowerCase())
  const { account_id } = account
  await call('fund_wallet', { account_id, asset: 'USDC', amount: '10000000', network: 'base' })

  const plan = await ask('plan', { account_id, kind: 'earn', intent: earn })
  const done = await ask('execute', { account_id, plan_id: plan.plan_id, private_key: key })
  expect(done.activity).toMatchObject({ activity_status: 'confirmed' })
  const { folio } = await ask('get_folio', { account_id, matching: 'comet/base' })
  expect(JSON.stringify(folio.balances)).toContain('yield_market/comet/base/')

  // Break: the world changes under the next plan.
  await call('add_fault', {
    id: 'moved',
    on: 'plan',
    effect: { stale: { by: 'nonce' } },
    times: 1,
  })
  const doomed = await ask('plan', {
    account_id,
    kind: 'earn',
    intent: { ...earn, amount: '1000000' },
  })
  const refused = call('execute', { account_id, plan_id: doomed.plan_id, private_key: key })
  await expect(refused).rejects.toThrow(/^409 plan_stale: .+\nhint: /)
  expect((await ask('list_faults')).faults).toMatchObject([{ id: 'moved', hits: 1 }])

  // Explain.
  const why = await call('explain', { id: doomed.plan_id })
  expect(why).toContain('plan_stale')
  expect(why).toContain('moved')
  const coverage = await ask('get_coverage')
  expect(coverage.met_cells).toContain('409:plan_stale@execute')
  expect(coverage.never_met).toContain('408:timeout@folio')

  // The client under test reaches the same simulator.
  const headers = { authorization: `Bearer ${apiKey}` }
  expect((await fetch(`${url}/accounts/${account_id}`, { headers })).status).toBe(200)
  // The key was used, and told to nobody.
  const journal = await (await fetch(`${url}/_sim/journal?limit=1000`)).text()
  for (const text of [log(), journal, why]) expect(text).not.toContain(key.slice(2))

  await client.close()
  await waitUntilNothingCarries(mark)
})

test('behavior: two things tried side by side, each in a world of its own', async () => {
  const { client, mark, call, ask } = await newAgent()
  await call('start_simulator', { clock: 'frozen@2026-03-01T09:00:00Z' })
  const key = generatePrivateKey()
  const begin = async (world?: { world: string }) => {
    const { account_id } = await ask('create_account', { private_key: key, ...world })
    const funds = { account_id, asset: 'USDC', amount: '10000000', network: 'base' }
    await call('fund_wallet', { ...funds, ...world })
    return account_id as string
  }
  const listAccounts = { operation: 'listAccounts' }
  const first = await begin()

  const { id: world } = await ask('lease_world', { lease_seconds: 600 })
  expect((await ask('call', { ...listAccounts, world })).accounts).toEqual([])
  const second = await begin({ world })
  await call('advance_clock', { seconds: 60, world })
  await call('add_fault', { id: 'dry', on: 'quote', effect: 'unavailable', world })
  const plan = await ask('plan', { account_id: second, kind: 'earn', intent: earn, world })
  const signed = { account_id: second, plan_id: plan.plan_id, private_key: key, world }
  const done = await ask('execute', signed)
  expect(done.activity).toMatchObject({ activity_status: 'confirmed' })

  // The default world shows nothing of it.
  expect((await ask('call', listAccounts)).accounts).toMatchObject([{ account_id: first }])
  expect((await ask('list_faults')).faults).toEqual([])
  expect((await ask('call', { operation: 'listWorlds' })).worlds).toMatchObject([{ id: world }])
  await expect(call('explain', { id: plan.plan_id })).rejects.toThrow(/^404 /)
  expect(await call('explain', { id: plan.plan_id, world })).toContain('confirmed')

  // Released: no tool finds the world again.
  await call('release_world', { id: world })
  expect((await ask('call', listAccounts)).accounts).toMatchObject([{ account_id: first }])
  await expect(call('explain', { id: plan.plan_id, world })).rejects.toThrow(
    `There is no world ${world}`,
  )
  await expect(call('release_world', { id: world })).rejects.toThrow(/^404 /)

  await client.close()
  await waitUntilNothingCarries(mark)
})

test('behavior: time, prices and scenarios, and everything back', async () => {
  const { call, ask } = await newAgent()
  await call('start_simulator', { clock: 'frozen@2026-03-01T09:00:00Z' })
  const { id } = await ask('take_snapshot', { name: 'begin' })
  expect((await ask('advance_clock', { seconds: 60 })).now).toBe('2026-03-01T09:01:00Z')
  await call('set_price', { asset: 'ETH', usd: '1500' })
  await call('restore_snapshot', { id })
  expect((await ask('call', { operation: 'getClock' })).now).toBe('2026-03-01T09:00:00Z')
  expect((await ask('call', { operation: 'listPrices' })).prices.ETH).toBe('3000')

  const shipped = await ask('call', { operation: 'listScenarios' })
  expect(shipped.scenarios.length).toBeGreaterThan(20)
  const { yaml: ofAccounts } = await ask('call', {
    operation: 'getScenario',
    arguments: { name: 'accounts' },
  })
  expect(ofAccounts).toContain('name: ')
  expect(
    await ask('call', { operation: 'runScenario', arguments: { name: 'accounts' } }),
  ).toMatchObject({ passed: true })
  const yaml = 'name: mine\nwhen:\n  - call: { path: /networks, expect: { status: 404 } }\n'
  expect(await ask('run_scenario_text', { yaml })).toMatchObject({
    passed: false,
    failure: { where: 'when.0 (call)' },
  })
  await expect(call('run_scenario_text', { yaml: 'nam: mine' })).rejects.toThrow(
    /^400 invalid_params: yaml:1:1 /,
  )
  expect((await ask('call', { operation: 'listAccounts' })).accounts).toEqual([])

  await call('reset_simulator')
  expect((await ask('call', { operation: 'listSnapshots' })).snapshots).toEqual([])
})

test('behavior: with a signature of its own, a made key, and a clock that has to be moved', async () => {
  const { call, ask } = await newAgent()
  await call('start_simulator', { clock: 'frozen' })
  const { account_id, signer_private_key: key } = await ask('create_account')
  await call('fund_wallet', { account_id, asset: 'USDC', amount: '9000000', network: 'mainnet' })
  // The funds are elsewhere: a bridge delivers them when the clock has moved.
  const { plan_id } = await ask('plan', { account_id, kind: 'earn', intent: earn })
  const wrong = call('execute', { account_id, plan_id, signature: `0x${'11'.repeat(65)}` })
  await expect(wrong).rejects.toThrow(/^500 internal_error/)
  const { activity, activity_id } = await ask('execute', { account_id, plan_id, private_key: key })
  expect(activity).toMatchObject({
    activity_status: 'pending',
    note: expect.stringContaining('clock'),
  })
  await call('advance_clock', { seconds: 60 })
  const later = await ask('call', { operation: 'getActivity', arguments: { activity_id } })
  expect(later.activity_status).toBe('confirmed')
  const again = call('execute', { account_id, plan_id, private_key: key })
  await expect(again).rejects.toThrow(/^404 plan_not_found/)
})

test('behavior: two starts at once are one; stopped, it starts again', async () => {
  const { mark, call, ask } = await newAgent()
  const starts = await Promise.allSettled([ask('start_simulator'), ask('start_simulator')])
  expect(starts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const refused = starts.find((each) => each.status === 'rejected')!
  expect(String(refused.reason)).toContain('starting already')
  await expect(call('start_simulator')).rejects.toThrow('running already, at http://')
  await expect(call('attach_simulator', { url: 'http://127.0.0.1:1' })).rejects.toThrow(
    'Stop it first',
  )
  const nodes = markedBy(mark, 'anvil')
  expect(nodes).toHaveLength(5)
  expect(await call('stop_simulator')).toBe('stopped')
  await waitUntilGone(nodes)
  await expect(call('call', { operation: 'getClock' })).rejects.toThrow(
    'No simulator is running here',
  )
  await call('start_simulator')
  expect(await ask('call', { operation: 'getReadiness' })).toMatchObject({
    status: 'ready',
  })
})

test('behavior: attached to one that runs, it leaves it running; gone, it says so', async () => {
  const { run, ready } = await startReady('--api-key', 'qk_other0_00000000000000000000')
  const { client, mark, call, ask } = await newAgent()
  const attach = { url: ready.url }
  await expect(call('attach_simulator', attach)).rejects.toThrow('does not accept this API key')
  await call('attach_simulator', { ...attach, key: ready.apiKey })
  await ask('create_account')
  expect(await call('stop_simulator')).toBe(`left ${ready.url} running`)
  await call('attach_simulator', { ...attach, key: ready.apiKey })
  expect((await ask('call', { operation: 'listAccounts' })).accounts).toHaveLength(1)
  run.kill('SIGTERM')
  await run.ended
  await expect(call('call', { operation: 'listAccounts' })).rejects.toThrow(
    `the simulator at ${ready.url}`,
  )
  await expect(call('attach_simulator', { ...attach, key: ready.apiKey })).rejects.toThrow(
    'No simulator answers at',
  )
  // From there the agent helps itself.
  await call('stop_simulator')
  await call('start_simulator')
  await client.close()
  await waitUntilNothingCarries(mark)
})

test('behavior: inside of exec the simulator is there from the beginning', async () => {
  const { run, ready } = await startReady()
  const { ask } = await newAgent({ SVC_BASE_URL: ready.url, SVC_API_KEY: ready.apiKey })
  expect((await ask('call', { operation: 'listNetworks' })).networks).toHaveLength(5)
  run.kill('SIGTERM')
  await run.ended
})

test.runIf(process.platform === 'linux')(
  'behavior: its own simulator that dies is told with its last words, and another can be started',
  async () => {
    const { mark, call } = await newAgent()
    await call('start_simulator')
    const [node] = markedBy(mark, 'anvil')
    process.kill(node!, 'SIGKILL')
    await waitUntilGone(markedBy(mark, 'anvil'))
    await expect
      .poll(() => call('call', { operation: 'getClock' }).catch(({ message }) => message), {
        timeout: 20_000,
      })
      .toMatch(/has ended \(.*the \w+ node ended \(SIGKILL\)\)\. No simulator is running here/s)
    await call('start_simulator')
    await call('call', { operation: 'getClock' })
  },
)

describe('behavior: whoever ends it, no process is left', () => {
  const lines = [
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 't', version: '1' },
      },
    },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    {
      jsonrpc: '2.0',
      id: 2,
      method: 'tools/call',
      params: { name: 'start_simulator', arguments: {} },
    },
  ]
  const begin = () => {
    const run = startCli(['mcp'], { stdin: 'pipe' })
    for (const line of lines) run.write(`${JSON.stringify(line)}\n`)
    return run
  }

  test('the client closes its end', async () => {
    const run = begin()
    await run.saying('stdout', /"id":2.*\n/)
    run.closeInput()
    expect(await run.ended).toEqual({ code: 0, signal: null })
    await waitUntilNothingCarries(run.mark)
    // Standard output is the protocol's, line by line; what was said went elsewhere.
    for (const line of run.stdout.trim().split('\n')) expect(JSON.parse(line).jsonrpc).toBe('2.0')
    expect(run.stderr).toContain('ready at http://')
  })

  test('the client closes its end while a simulator starts', async () => {
    const run = begin()
    await run.saying('stderr', /starting 5 nodes/)
    run.closeInput()
    expect(await run.ended).toMatchObject({ code: 0 })
    await waitUntilNothingCarries(run.mark)
  })

  test.runIf(process.platform === 'linux').each(['SIGTERM', 'SIGKILL'] as const)(
    '%s',
    async (signal) => {
      const run = begin()
      await run.saying('stdout', /"id":2.*\n/)
      run.kill(signal)
      await run.ended
      await waitUntilNothingCarries(run.mark)
    },
  )

  test('lines that are no messages are passed over, and not repeated', async () => {
    const run = startCli(['mcp'], { stdin: 'pipe' })
    run.write('0xdeadbeef is no message\n')
    await run.saying('stderr', /cannot be used/)
    for (const line of lines.slice(0, 2)) run.write(`${JSON.stringify(line)}\n`)
    run.write(`${JSON.stringify({ jsonrpc: '2.0', id: 3, method: 'tools/list' })}\n`)
    await run.saying('stdout', /"id":3.*\n/)
    expect(run.stderr).not.toContain('deadbeef')
    run.closeInput()
    expect(await run.ended).toMatchObject({ code: 0 })
  })
})

describe('error', () => {
  test('bad input is answered by who knows better: the service, with its hint', async () => {
    const { call, ask, client } = await newAgent()
    await call('start_simulator')
    const { account_id } = await ask('create_account')
    const fund = { account_id, asset: 'USDC', amount: 'ten', network: 'base' }
    await expect(call('fund_wallet', fund)).rejects.toThrow(/^400 invalid_params: amount /)
    const plan = { account_id, kind: 'earn', intent: earn }
    await expect(call('plan', plan)).rejects.toThrow(/^400 plan_failed: .+\nhint: /)
    await expect(call('add_fault', { on: 'nowhere', effect: 'x' })).rejects.toThrow(/^400 /)
    await expect(call('explain', { id: 'pln_nothing00000' })).rejects.toThrow(/^404 /)
    await expect(call('nonsense')).rejects.toThrow(
      'There is no tool nonsense. Existing tools: start_simulator,',
    )
    await expect(call('call', { operation: 'stopClock' })).rejects.toThrow('Give one of: ')
    await expect(client.readResource({ uri: 'svc-sim://x' })).rejects.toThrow(
      'resources/list has them all',
    )
    // It goes on as if nothing had been.
    await call('fund_wallet', { ...fund, amount: '5000000' })
    await call('plan', plan)
  })

  test('a start that fails says why, and the next one works', async () => {
    const { call, mark } = await newAgent()
    const failing = call('start_simulator', { clock: 'yesterday' })
    await expect(failing).rejects.toThrow(
      '--clock is "yesterday", but it must be real, auto, frozen',
    )
    await expect(call('start_simulator', { host: '0.0.0.0' })).rejects.toThrow(
      'has no argument host',
    )
    expect(markedBy(mark, 'anvil').filter(isAlive)).toEqual([])
    await call('start_simulator')
  })
})

test('behavior: the documents that a person reads are there to be read', async () => {
  const { client } = await newAgent()
  const { resources } = await client.listResources()
  const texts = await Promise.all(
    resources.map(async ({ name, uri }) => {
      const { contents } = await client.readResource({ uri })
      return [name, (contents[0] as { text: string }).text] as const
    }),
  )
  const text = new Map(texts)
  expect(text.get('readme')).toContain('# svc-sim')
  expect(text.get('interface')).toContain('`POST /accounts/{account_id}/plan/execute`: ')
  expect(text.get('faults')).toContain('serve_stale')
  expect(text.get('ledger')).toContain('judgement')
  expect(text.get('skill')).toContain('name: svc-sim')
  expect(JSON.parse(text.get('openapi')!).openapi).toBe('3.1.0')
})

test('default: pages of the documentation, templates and prompts; the list of tools is short', async () => {
  const { client } = await newAgent()
  expect(JSON.stringify((await client.listTools()).tools).length).toBeLessThan(20_000)
  const { resourceTemplates } = await client.listResourceTemplates()
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
    'svc-sim://docs/{+page}',
  ])
  const page = await client.readResource({ uri: 'svc-sim://docs/guides/time' })
  expect((page.contents[0] as { text: string }).text).toMatch(/^# /)
  const outside = client.readResource({ uri: 'svc-sim://docs/../package' })
  await expect(outside).rejects.toThrow('There is no svc-sim://docs/../package')
  const { prompts } = await client.listPrompts()
  expect(prompts.map(({ name }) => name)).toEqual(['test_my_client', 'explain'])
  const { messages } = await client.getPrompt({ name: 'explain', arguments: { id: 'pln_1' } })
  expect(JSON.stringify(messages)).toContain('pln_1')
  await expect(client.getPrompt({ name: 'explain' })).rejects.toThrow('explain needs id')
})
