import { readFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { networkNames } from '../../src/deployments/networks.js'
import { type Exposition, readExposition } from '../kit/exposition.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { openUser } from '../kit/user.js'

/** What `GET /metrics` tells of a whole simulator. */

const recipient = '0x00000000000000000000000000000000000f41e7'
const transfer = { asset: 'USDC', amount: '1000000', network: 'base', recipient }
const earn = { asset: 'USDC', amount: '5000000', network: 'base', protocol: 'compound' }

let sim: SimulatorHandle
beforeAll(async () => {
  sim = await createSimulator({ clock: 'frozen', readTimeoutMs: 2_000 })
})
afterEach(() => sim.faults.clear())
afterAll(() => sim.close())

async function scrape(of: SimulatorHandle = sim): Promise<Exposition> {
  const response = await fetch(`${of.url}/metrics`)
  expect(response.status).toBe(200)
  return readExposition(await response.text())
}

/** The series of a name, without its prefix, by their labels. */
function labelled({ series }: Exposition, name: string): Record<string, number> {
  const found = [...series].flatMap(([key, value]) => {
    const [, labels] = new RegExp(`^svc_sim_${name}(?:\\{(.*)\\})?$`).exec(key) ?? [undefined, null]
    return labels === null ? [] : [[labels ?? '', value] as const]
  })
  return Object.fromEntries(found)
}

function value(of: Exposition, name: string, labels = ''): number | undefined {
  return labelled(of, name)[labels]
}

async function heightOf(network: (typeof networkNames)[number]): Promise<number> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] })
  const response = await fetch(sim.rpc(network), { method: 'POST', body })
  return Number(((await response.json()) as { result: string }).result)
}

test('default: a fresh simulator has five nodes, memory, and nothing else to tell', async () => {
  await using fresh = await createSimulator()
  const first = await scrape(fresh)
  for (const network of networkNames) {
    const of = `network="${network}"`
    expect(value(first, 'node_up', of)).toBe(1)
    expect(value(first, 'node_height', of)).toBeGreaterThan(0)
    expect(value(first, 'node_resident_memory_bytes', of)).toBeGreaterThan(1e6)
  }
  expect(value(first, 'resident_memory_bytes')).toBeGreaterThan(1e7)
  for (const name of ['accounts', 'plans', 'activities', 'events', 'executions_under_way'])
    expect(value(first, name), name).toBe(0)
  for (const name of ['requests_total', 'plan_duration_seconds_count', 'fault_rules'])
    expect(labelled(first, name), name).toEqual({})
  // The one that has just been answered.
  expect(labelled(await scrape(fresh), 'requests_total')).toEqual({
    'method="GET",route="/metrics",status="200",code=""': 1,
  })
})

test('behavior: docs/metrics.md lists all of them, and no others', async () => {
  const text = await readFile(new URL('../../docs/metrics.md', import.meta.url), 'utf8')
  const rows = [...text.matchAll(/^\| (`svc_sim_.*?) \|/gm)].flatMap(([, names]) =>
    names!.split(', '),
  )
  const { types } = await scrape()
  expect(rows.sort()).toEqual([...types.keys()].map((name) => `\`${name}\``).sort())
})

test('behavior: plans by kind and result, an execution, and the records that they leave', async () => {
  const before = await scrape()
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 9_000_000n)
  await user.run('transfer', transfer)
  expect((await user.plan('earn', earn)).status).toBe(201)
  expect((await user.plan('earn', { ...earn, amount: '900000000' })).status).toBe(400)
  const after = await scrape()
  const grown = (name: string, labels = '') =>
    (value(after, name, labels) ?? 0) - (value(before, name, labels) ?? 0)
  expect(grown('plan_duration_seconds_count', 'kind="transfer",result="ok"')).toBe(1)
  expect(grown('plan_duration_seconds_count', 'kind="earn",result="ok"')).toBe(1)
  expect(grown('plan_duration_seconds_count', 'kind="earn",result="plan_failed"')).toBe(1)
  expect(grown('plan_duration_seconds_sum', 'kind="earn",result="ok"')).toBeGreaterThan(0)
  expect(grown('execute_duration_seconds_count', 'result="ok"')).toBe(1)
  const ended = 'kind="transfer",result="confirmed"'
  expect(grown('execution_duration_seconds_count', ended)).toBe(1)
  const answered = 'method="POST",route="/accounts/:account_id/plan/earn"'
  expect(grown('requests_total', `${answered},status="201",code=""`)).toBe(1)
  expect(grown('requests_total', `${answered},status="400",code="plan_failed"`)).toBe(1)
  expect(grown('accounts')).toBe(1)
  expect(grown('plans')).toBe(1)
  expect(grown('activities')).toBe(1)
  expect(grown('events')).toBe(2)
  expect(value(after, 'executions_under_way')).toBe(0)
  expect(value(after, 'node_height', 'network="base"')).toBe(await heightOf('base'))
  expect(grown('node_height', 'network="base"')).toBeGreaterThan(0)
})

test('behavior: an execution that fails, and an execute that is refused', async () => {
  const before = await scrape()
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 9_000_000n)
  await sim.faults.add({ on: 'execute', effect: 'revert', times: 1 })
  const { activity, plan } = await user.run('transfer', transfer)
  expect(activity.activity_status).toBe('failed')
  expect((await user.execute(plan)).status).toBe(404)
  const after = await scrape()
  const grown = (name: string, labels: string) =>
    (value(after, name, labels) ?? 0) - (value(before, name, labels) ?? 0)
  expect(grown('execution_duration_seconds_count', 'kind="transfer",result="failed"')).toBe(1)
  expect(grown('execute_duration_seconds_count', 'result="plan_not_found"')).toBe(1)
})

test('behavior: what waits for a bridge is under way until it has come', async () => {
  const user = await openUser(sim)
  await user.fund('arbitrum', 'USDC', 20_000_000n)
  const { body } = await user.plan('earn', earn)
  await user.execute(body)
  await sim.clock.advance(0)
  const waiting = await scrape()
  expect(value(waiting, 'bridge_deposits_waiting')).toBe(1)
  expect(value(waiting, 'executions_under_way')).toBe(1)
  expect(labelled(waiting, 'background_tasks')['state="busy"']).toBe(0)
  expect(labelled(waiting, 'background_tasks')['state="waiting"']).toBeGreaterThanOrEqual(2)
  await sim.clock.advance(10)
  const done = await scrape()
  expect(value(done, 'bridge_deposits_waiting')).toBe(0)
  expect(value(done, 'executions_under_way')).toBe(0)
  expect(labelled(done, 'background_tasks')).toEqual({ 'state="busy"': 0, 'state="waiting"': 0 })
})

test('behavior: faults that there are, and how often they fired, also after they are gone', async () => {
  const fired = async (effect: string) =>
    value(await scrape(), 'faults_fired_total', `effect="${effect}"`) ?? 0
  const before = { respond: await fired('request.respond'), slow: await fired('quote.unavailable') }
  const user = await openUser(sim)
  const respond = { respond: { error: 'internal_error' } }
  await sim.faults.add({ on: 'request', match: { path: '/networks' }, effect: respond, times: 2 })
  await sim.faults.add({ on: 'quote', effect: 'unavailable' })
  await sim.faults.add({ id: 'second', on: 'quote', effect: 'unavailable' })
  for (let i = 0; i < 3; i++) await user.api.get('/networks')
  const during = await scrape()
  expect(labelled(during, 'fault_rules')).toEqual({
    'effect="request.respond"': 1,
    'effect="quote.unavailable"': 2,
  })
  await sim.faults.clear()
  expect(labelled(await scrape(), 'fault_rules')).toEqual({})
  const own = { 'x-svc-sim-fault': JSON.stringify({ on: 'request', effect: respond }) }
  await user.api.get('/networks', { headers: own })
  expect((await fired('request.respond')) - before.respond).toBe(3)
  expect((await fired('quote.unavailable')) - before.slow).toBe(0)
})

test('behavior: a reset takes nothing from what is counted, and the records away', async () => {
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 9_000_000n)
  await user.run('transfer', transfer)
  await sim.faults.add({ on: 'chain', effect: 'halt', match: { network: 'polygon' } })
  const before = await scrape()
  expect(value(before, 'faults_fired_total', 'effect="chain.halt"')).toBe(1)
  await sim.reset()
  const after = await scrape()
  const counted = [...before.types].filter(([, type]) => type !== 'gauge').map(([name]) => name)
  expect(counted.length).toBeGreaterThanOrEqual(5)
  for (const [key, was] of before.series)
    if (counted.some((name) => key.startsWith(name)))
      expect(after.series.get(key), key).toBeGreaterThanOrEqual(was)
  for (const name of ['accounts', 'plans', 'activities', 'events'])
    expect(value(after, name), name).toBe(0)
  expect(labelled(after, 'fault_rules')).toEqual({})
})

test('behavior: a node that mines nothing is up; one that does not answer is not, and holds nobody up', async () => {
  await sim.faults.add({ on: 'chain', effect: 'halt', match: { network: 'optimism' } })
  await sim.faults.add({ on: 'chain', effect: 'down', match: { network: 'base' } })
  // More than connections to the node: they must not pile up before it.
  const scrapes = await Promise.all(Array.from({ length: 20 }, () => scrape()))
  for (const figures of scrapes) {
    const up = labelled(figures, 'node_up')
    expect(up['network="base"']).toBe(0)
    expect(Object.values(up).reduce((sum, one) => sum + one)).toBe(4)
    expect(Object.keys(labelled(figures, 'node_height'))).toHaveLength(4)
    expect(labelled(figures, 'node_resident_memory_bytes')['network="base"']).toBeGreaterThan(1e6)
  }
  await sim.faults.clear()
  const healed = await scrape()
  expect(value(healed, 'node_up', 'network="base"')).toBe(1)
  expect(value(healed, 'node_height', 'network="base"')).toBe(await heightOf('base'))
})

test('behavior: whatever clients ask for, there are no more series', async () => {
  const user = await openUser(sim)
  const ask = (path: string, method = 'GET') =>
    fetch(sim.url + path, { method, headers: { authorization: `Bearer ${sim.apiKey}` } })
  await Promise.all([ask('/a'), ask(`${user.path}x`), ask('/b', 'PROPFIND'), ask('/docs/')])
  await ask('/metrics')
  const count = async () => Object.keys(labelled(await scrape(), 'requests_total')).length
  const before = await count()
  const paths = Array.from({ length: 30 }, (_, i) => [`/${i}`, `/docs/${i}`, `/accounts/acc_${i}`])
  for (const path of paths.flat()) await ask(path)
  for (const method of ['SEARCH', 'LINK', 'PURGE', 'M-SEARCH']) await ask('/b', method)
  await ask('/%0a%22%7D', 'GET')
  expect(await count()).toBe(before)
  const figures = await scrape()
  const unknown = 'method="OTHER",route="(none)",status="404",code="not_found"'
  expect(value(figures, 'requests_total', unknown)).toBeGreaterThanOrEqual(5)
})

test('behavior: what is cut off is told apart from what was answered', async () => {
  const cut = 'method="GET",route="/networks",status="0",code="cut"'
  const user = await openUser(sim)
  const before = value(await scrape(), 'requests_total', cut) ?? 0
  await sim.faults.add({ on: 'request', match: { path: '/networks' }, effect: 'hang', times: 1 })
  const leaving = new AbortController()
  const asked = user.api.get('/networks', { signal: leaving.signal })
  await expect.poll(() => sim.faults.list()[0]?.hits).toBe(1)
  leaving.abort()
  await expect(asked).rejects.toThrow()
  await expect.poll(async () => value(await scrape(), 'requests_total', cut)).toBe(before + 1)
})
