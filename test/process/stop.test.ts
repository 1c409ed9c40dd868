import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { createSimulator, type SimulatorHandle, type SimulatorOptions } from '../../src/index.js'
import { childrenOf, halt, waitUntilGone } from '../kit/processes.js'
import { type ActivityBody, openUser, type PlanBody, userAt } from '../kit/user.js'

/** A stop answers what was asked before, whatever holds it, and the next start goes on from there. */

const opened: SimulatorHandle[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((sim) => sim.close()))
})
async function start(options: SimulatorOptions) {
  const sim = await createSimulator(options)
  opened.push(sim)
  return sim
}

const newFolder = (): string => mkdtempSync(join(tmpdir(), 'svc-sim-stop-'))
const earn = { asset: 'USDC', amount: '5000000', network: 'base', protocol: 'compound' }

/** Resolves when the fault rules of a simulator have held so many calls. */
const untilHeld = (sim: SimulatorHandle, calls: number) =>
  vi.waitFor(() => expect(sim.faults.list().reduce((sum, { hits }) => sum + hits, 0)).toBe(calls), {
    timeout: 10_000,
    interval: 1,
  })

test('default: a plan and an execution under way are answered, and hold after the next start', async () => {
  const dataDir = newFolder()
  const first = await start({ dataDir })
  const user = await openUser(first)
  await user.fund('base', 'USDC', 12_000_000n)
  const planned = (await user.plan('earn', earn)).body as PlanBody
  await first.faults.add({ on: 'request', effect: { latency: { ms: 600_000 } } })
  const [executing, planning] = [user.execute(planned), user.plan('earn', earn)]
  await untilHeld(first, 2)
  await first.close()
  const [executed, made] = await Promise.all([executing, planning])
  expect(executed).toMatchObject({ status: 200, body: { status: 'executing' } })
  expect(made.status).toBe(201)
  const second = await start({ dataDir })
  expect(second.faults.list()).toMatchObject([{ on: 'request', hits: 2 }])
  await second.faults.clear()
  const again = userAt(second, user)
  const activity = await again.follow(executed.body.activity_id)
  expect(activity.activity_status).toBe('confirmed')
  // What the execution has done meanwhile may have made the plan stale; it is known in any case.
  expect([200, 409]).toContain((await again.execute(made.body as PlanBody)).status)
  await second.close()
  expect((await start({ dataDir })).faults.list()).toEqual([])
})

test.each([
  ['execute', 'stuck', { on: 'execute', effect: 'stuck' }],
  ['chain', 'halt', { on: 'chain', effect: 'halt' }],
  ['chain', 'down', { on: 'chain', effect: 'down', match: { network: 'arbitrum' } }],
] as const)(
  'behavior: %s.%s does not hold up the end; it stands again after the next start, and the execution ends when it goes',
  async (seam, effect, rule) => {
    const dataDir = newFolder()
    const first = await start({ dataDir })
    const user = await openUser(first)
    await user.fund('base', 'USDC', 5_000_000n)
    const planned = (await user.plan('earn', earn)).body as PlanBody
    await first.faults.add(rule)
    const { activity_id } = (await user.execute(planned)).body
    await first.close()
    expect(await first.closed).toEqual({ reason: 'stopped', exitCode: 0 })
    const second = await start({ dataDir })
    expect(second.faults.list()).toMatchObject([{ on: seam, effect }])
    await second.faults.clear()
    expect((await userAt(second, user).follow(activity_id)).activity_status).toBe('confirmed')
  },
)

test('behavior: bridge.stuck: a stop that takes its time fills nothing that the rule holds; it is held again after the next start', async () => {
  const dataDir = newFolder()
  const others = childrenOf(process.pid, 'anvil')
  const first = await start({ dataDir, bridgeDelayMs: 1 })
  const nodes = childrenOf(process.pid, 'anvil').filter((pid) => !others.includes(pid))
  const user = await openUser(first)
  for (const network of ['base', 'optimism'] as const) await user.fund(network, 'USDC', 5_000_000n)
  await first.faults.add({ on: 'bridge', effect: 'stuck' })
  const planned = (await user.plan('earn', { ...earn, amount: '7000000' })).body as PlanBody
  const { activity_id } = (await user.execute(planned)).body
  await untilHeld(first, 1)
  // A request that gets no answer holds up the stop, and the bridge could fill meanwhile.
  await halt(nodes.slice(-1))
  const asked = fetch(first.rpc('polygon'), {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_gasPrice', params: [] }),
  }).catch(() => {})
  await first.close()
  await asked
  const second = await start({ dataDir, bridgeDelayMs: 1 })
  const again = userAt(second, user)
  const waitsFor = async () => {
    const { bridges } = (await again.api.get('/_sim/overview')).body
    return (bridges as { waits_for: string | null }[]).map((each) => each.waits_for)
  }
  await vi.waitFor(async () => expect(`${await waitsFor()}`).toContain('bridge.stuck'), 10_000)
  expect(second.faults.list()).toMatchObject([{ hits: 1, earlier_hits: 1 }])
  const held = (await again.api.get(`/activities/${activity_id}`)).body as ActivityBody
  expect(held.activity_status).toBe('pending')
  await second.faults.clear()
  expect((await again.follow(activity_id)).activity_status).toBe('confirmed')
})

test('behavior: what cannot be written down at the end is in the log all the same', async () => {
  const dataDir = newFolder()
  const others = childrenOf(process.pid, 'anvil')
  const sim = await createSimulator({ dataDir })
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 5_000_000n)
  const { activity } = await user.run('earn', earn)
  const nodes = childrenOf(process.pid, 'anvil').filter((pid) => !others.includes(pid))
  expect(nodes).toHaveLength(5)
  await halt(nodes.slice(2, 3))
  await sim.close()
  await waitUntilGone(nodes)
  const again = userAt(await start({ dataDir }), user)
  expect((await again.api.get(`/activities/${activity.activity_id}`)).body).toEqual(activity)
  await again.run('withdraw', { ...earn, amount: 'max' })
})

test('behavior: a program that stood still while it closed goes on in the folder at once', async () => {
  const dataDir = newFolder()
  const sim = await createSimulator({ dataDir })
  const user = await openUser(sim)
  const closing = sim.close()
  // Every limit of the stop is over when its steps get their turn: the nodes end after the answer.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5_000)
  await closing
  const again = userAt(await start({ dataDir }), user)
  expect((await again.api.get(`/accounts/${user.id}`)).status).toBe(200)
})
