import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { networkNames, networkOf } from '../../src/deployments/networks.js'
import { createSimulator, type SimulatorHandle } from '../../src/index.js'
import { readsOf } from '../kit/chainReads.js'
import { type Client, createClient } from '../kit/client.js'
import { storeIn } from '../kit/dataFolders.js'
import { openUser, type PlanBody } from '../kit/user.js'

let sim: SimulatorHandle
let control: Client
let dir: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'svc-sim-snapshots-'))
  sim = await createSimulator({ dataDir: dir, bridgeDelayMs: 20 })
  control = createClient({ url: sim.url, apiKey: sim.apiKey })
})
afterAll(async () => {
  await sim.close()
  await rm(dir, { recursive: true, force: true })
})

const earn = { amount: '2000000', asset: 'USDC', network: 'base', protocol: 'compound' }

test('behavior: requests during restores see the one world or the other, never half of each', async () => {
  await sim.reset()
  const user = await openUser(sim)
  const { wallet } = user
  /** USDC on all networks, as the folio has it. */
  const look = async (): Promise<string> => {
    const { folio } = (await user.api.get(`${user.path}/folio`)).body
    return networkNames
      .map(
        (network) =>
          folio.balances[`token/${networkOf(network).folioName}/USDC/${wallet}`] ?? '0e6',
      )
      .join(' ')
  }
  const fundAll = async (): Promise<void> => {
    for (const network of networkNames) await user.fund(network, 'USDC', 3_000_000n)
  }
  await fundAll()
  await sim.snapshot('few')
  // Funds come in the order of the networks, so these are the only worlds there can be. Half a restore is none of them,
  // unless it happens to have left out the first networks only.
  const worlds = networkNames.map((_, funded) =>
    networkNames.map((_, i) => (i < funded ? '6e6' : '3e6')).join(' '),
  )
  worlds.push(networkNames.map(() => '6e6').join(' '))
  const seen: string[] = []
  let going = true
  const readers = [1, 2, 3, 4].map(async () => {
    while (going) seen.push(await look())
  })
  for (let round = 0; round < 6; round++) {
    await fundAll()
    await sim.restore('few')
  }
  going = false
  await Promise.all(readers)
  expect(seen.filter((world) => !worlds.includes(world))).toEqual([])
  expect(seen).toContain(worlds[0])
  expect(seen).toContain(worlds.at(-1))
})

test('behavior: plans and executions that come during a restore run whole, before it or after it', async () => {
  await sim.reset()
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 50_000_000n)
  const plan = (await user.plan('earn', earn)).body as PlanBody
  await sim.snapshot('planned')
  const reads = readsOf(sim)
  for (let round = 0; round < 4; round++) {
    const [executed] = await Promise.all([user.execute(plan), sim.restore('planned')])
    expect(executed.status).toBe(200)
    const activities = (await user.api.get(`${user.path}/activities`)).body.activities
    // Executed before the restore it is undone with all its traces; after it, it is carried out.
    const undone = activities.length === 0
    if (!undone) await user.follow(executed.body.activity_id)
    expect(await reads.balance('base', 'USDC', user.wallet)).toBe(
      undone ? 50_000_000n : 48_000_000n,
    )
    await sim.restore('planned')
  }
})

test('behavior: a waiting long poll answers without events, or that the account is gone', async () => {
  await sim.reset()
  const user = await openUser(sim)
  await sim.snapshot('opened')
  const late = await openUser(sim)
  const polls = [user, late].map(({ api, path }) => api.get(`${path}/events?since=7&poll=true`))
  // A read that came after the polls has been answered, so they have been read too.
  await Promise.all([user, late].map(({ api, path }) => api.get(path)))
  await sim.restore('opened')
  const [stays, gone] = await Promise.all(polls)
  expect(stays).toMatchObject({ status: 200, body: { events: [], cursor: 7 } })
  expect(gone).toMatchObject({ status: 404, body: { error: 'account_not_found' } })
})

test('behavior: a folio stream goes on with what is different, and ends when the account is gone', async () => {
  await sim.reset()
  await sim.snapshot('before')
  const user = await openUser(sim)
  await sim.snapshot('opened')
  await user.fund('base', 'USDC', 5_000_000n)
  const headers = { authorization: `Bearer ${sim.apiKey}` }
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${sim.url}${user.path}/folio/stream`, { headers }, resolve).on('error', reject)
  })
  const chunks = response.setEncoding('utf8')[Symbol.asyncIterator]()
  const key = `balances/token/base/USDC/${user.wallet}`
  let text = ''
  /** Reads on until the stream has said this. */
  const until = async (what: string): Promise<void> => {
    while (!text.includes(what)) {
      const { value, done } = await chunks.next()
      if (done) throw new Error(`the stream ended before ${what}: ${text.slice(-500)}`)
      text += value
    }
  }
  await until(`["${key}","5e6"]`)
  await sim.restore('opened')
  await until(`["${key}",null]`)
  await sim.restore('before')
  for (;;) if ((await chunks.next()).done) break
})

/** Resident memory of the nodes together, in kB: they are the children of this process that are named anvil. */
function nodesMemory(): number {
  const lines = execFileSync('ps', ['-A', '-o', 'ppid=,rss=,comm='], { encoding: 'utf8' })
  return lines
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([parent, , name]) => Number(parent) === process.pid && name?.includes('anvil'))
    .reduce((sum, [, rss]) => sum + Number(rss), 0)
}

test('behavior: twenty resets in a row leave the nodes as they were', async () => {
  await sim.reset()
  const reads = readsOf(sim)
  const resources = () =>
    process.getActiveResourcesInfo().filter((name) => name !== 'Timeout').length
  const before = { resources: resources(), memory: nodesMemory() }
  const blocks = new Map<string, unknown>()
  for (const network of networkNames)
    blocks.set(network, await reads.request(network, 'eth_blockNumber'))
  for (let round = 0; round < 20; round++) {
    const user = await openUser(sim)
    await user.fund('base', 'USDC', 9_000_000n)
    if (round % 5 === 0) await user.run('earn', earn)
    await sim.snapshot()
    await sim.reset()
  }
  // Held, each snapshot would take its node a copy of all accounts and storage (0.2 MB and more), and its blocks.
  expect(nodesMemory() - before.memory).toBeLessThan(100 * 1024)
  for (const network of networkNames)
    expect(await reads.request(network, 'eth_blockNumber')).toBe(blocks.get(network))
  // Connections to the nodes come and go with each reset; they must not pile up.
  expect(resources() - before.resources).toBeLessThan(20)
  expect((await control.get('/_sim/snapshots')).body).toEqual({ snapshots: [] })
})

test('behavior: a restore is written to the data folder', async () => {
  await sim.reset()
  const user = await openUser(sim)
  await sim.snapshot('one')
  await openUser(sim)
  const accounts = async () => [...(await storeIn(dir)).accounts.keys()]
  expect(await accounts()).toHaveLength(2)
  await sim.restore('one')
  expect(await accounts()).toEqual([user.id])
})

test('error: one whose block a node has taken back is refused, before any chain has changed', async () => {
  await sim.reset()
  const user = await openUser(sim)
  const reads = readsOf(sim)
  await reads.request('polygon', 'evm_mine')
  const id = await sim.snapshot()
  await user.fund('base', 'USDC', 1_000_000n)
  await reads.request('polygon', 'anvil_rollback', [1])
  for (let round = 0; round < 2; round++) {
    const refused = await control.post(`/_sim/snapshots/${id}/restore`)
    expect(refused).toMatchObject({ status: 409, body: { error: 'conflict' } })
    expect(refused.body.message).toContain('or its block was taken back. Nothing was changed')
    expect(await reads.balance('base', 'USDC', user.wallet)).toBe(1_000_000n)
  }
  // Everything runs on, and an older state can still be reached.
  expect((await user.run('earn', { ...earn, amount: '500000' })).activity.activity_status).toBe(
    'confirmed',
  )
  await sim.reset()
  expect((await user.api.get(user.path)).status).toBe(404)
})

test('error: bad names, taken names, unknown and deleted snapshots', async () => {
  await sim.reset()
  for (const name of ['', 'a/b', 'snp_1', 'x'.repeat(65), 7, null])
    expect(await control.post('/_sim/snapshots', { name })).toMatchObject({
      status: 400,
      body: { error: 'invalid_params', message: expect.stringContaining('1 to 64 letters') },
    })
  expect((await control.get('/_sim/snapshots')).body.snapshots).toEqual([])
  const taken = await control.post('/_sim/snapshots', { name: 'once' })
  expect(taken).toMatchObject({ status: 201, body: { name: 'once', at: expect.any(String) } })
  expect(await control.post('/_sim/snapshots', { name: 'once' })).toMatchObject({
    status: 409,
    body: { message: `Snapshot ${taken.body.id} has the name once already` },
  })
  const unknown = await control.post('/_sim/snapshots/snp_999999/restore')
  expect(unknown).toMatchObject({
    status: 404,
    body: { message: 'There is no snapshot snp_999999' },
  })
  expect(unknown.headers.get('x-svc-sim-hint')).toContain(`${taken.body.id} (once)`)
  expect(await control.send('DELETE', '/_sim/snapshots/once')).toMatchObject({ body: taken.body })
  for (const key of ['once', taken.body.id])
    expect(await control.post(`/_sim/snapshots/${key}/restore`)).toMatchObject({
      status: 404,
      body: { message: `There is no snapshot ${key} any more: it was deleted` },
    })
  expect((await control.send('DELETE', '/_sim/snapshots/once')).status).toBe(404)
})

test('error: no more than a hundred, deleted ones counted; a reset makes room', async () => {
  await sim.reset()
  const first = await sim.snapshot('first')
  for (let count = 1; count < 100; count++) await sim.snapshot()
  const full = await control.post('/_sim/snapshots')
  expect(full).toMatchObject({
    status: 409,
    body: { message: 'Too many snapshots: 100 (the limit is 100)' },
  })
  await control.send('DELETE', `/_sim/snapshots/${first}`)
  expect((await control.post('/_sim/snapshots')).status).toBe(409)
  await sim.reset()
  expect((await control.post('/_sim/snapshots')).status).toBe(201)
})

test('behavior: closing while snapshots are restored waits for the one under way and refuses the others', async () => {
  const other = await createSimulator()
  await other.snapshot('one')
  const restores = [1, 2, 3].map(() => other.restore('one').then(() => 'restored', String))
  await other.close()
  const ends = await Promise.all(restores)
  for (const end of ends)
    expect(end).toMatch(/^restored$|the simulator is being stopped|Nothing was changed/)
})
