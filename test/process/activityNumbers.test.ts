import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { createSimulator, type SimulatorHandle } from '../../src/index.js'
import { type ActivityBody, openUser, type PlanBody } from '../kit/user.js'

// The integers of activities and the newer form of them, through all that can happen to a simulator meanwhile.

const earn = { amount: '2000000', asset: 'USDC', network: 'base', protocol: 'compound' }
const open: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close()
})

async function simulator(options: Parameters<typeof createSimulator>[0] = {}) {
  const sim = await createSimulator({ bridgeDelayMs: 20, ...options })
  open.push(sim)
  return sim
}

type User = Awaited<ReturnType<typeof openUser>>
interface Action {
  action_type: string
  expected_values: Record<string, unknown>
  observed_values: Record<string, unknown>
}
interface Done extends ActivityBody {
  id: number
  svc_intent: { id: number }
  executions: { execution_type: string; status: string; actions: Action[] }[]
}

async function funded(sim: SimulatorHandle, network: 'base' | 'optimism' = 'base'): Promise<User> {
  const user = await openUser(sim)
  await user.fund(network, 'USDC', 9_000_000n)
  return user
}

async function ended(user: User, kind = 'earn', body: object = earn): Promise<Done> {
  return (await user.run(kind, body)).activity as unknown as Done
}

async function listed(user: User): Promise<Done[]> {
  return (await user.api.get(`${user.path}/activities`)).body.activities
}

const idsOf = ({ activity_metadata: items }: Done) =>
  (['svc_wallet_id', 'svc_operation_id', 'svc_execution_id'] as const).map((field) =>
    items.map((item) => item[field]),
  )

test('default: two accounts in turn; one has a bridge that is refunded: what ran is observed, what did not is not', async () => {
  const sim = await simulator()
  const [bridging, local] = [await funded(sim, 'optimism'), await funded(sim)]
  await sim.faults.add({ on: 'bridge', effect: 'refund' })
  const plan = (await bridging.plan('earn', earn)).body as PlanBody
  const executed = await bridging.execute(plan)
  const [first, second] = await Promise.all([
    bridging.follow(executed.body.activity_id) as unknown as Promise<Done>,
    ended(local),
  ])
  const third = await ended(bridging, 'transfer', {
    asset: 'USDC',
    amount: 'max',
    network: 'optimism',
    recipient: local.wallet,
  })
  expect([first.id, second.id, third.id]).toEqual([1, 2, 3])
  expect([first, second, third].map((each) => each.svc_intent.id)).toEqual([1, 2, 3])
  expect(idsOf(first)).toEqual([
    [1, 1, 1, 1],
    [1, null, null, 2],
    [1, null, null, 2],
  ])
  expect(idsOf(second)).toEqual([[2], [3], [3]])
  expect(idsOf(third)).toEqual([[1], [4], [4]])
  expect(first.activity_status).toBe('failed')
  const shown = first.executions.map(({ execution_type, status, actions: [action] }) => [
    execution_type,
    status,
    action!.action_type,
    Object.keys(action!.observed_values).length > 0,
  ])
  expect(shown).toEqual([
    ['transaction', 'executed', 'BRIDGE', true],
    ['external', 'failed', 'BRIDGE_MINT', false],
    ['external', 'executed', 'BRIDGE_REFUND', true],
    ['transaction', 'failed', 'COMET_SUPPLY', false],
  ])
  const [bridge, , refund] = first.executions.map(({ actions }) => actions[0]!)
  expect(refund!.observed_values.amount).toBe(bridge!.observed_values.input_amount)
  const [event] = first.activity_metadata[2]!.semantic_events as { log_indices: number[] }[]
  expect(event!.log_indices).toHaveLength(1)
})

test('behavior: a restart changes nothing, and numbers go on', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-sim-numbers-'))
  open.push({ close: () => rm(dataDir, { recursive: true }) })
  const first = await createSimulator({ dataDir })
  const user = await funded(first)
  await ended(user)
  await ended(user)
  const before = await listed(user)
  await first.close()

  const again = await simulator({ dataDir })
  const { body } = await openUser(again).then(({ api }) =>
    api.get(`/accounts/${user.id}/activities`),
  )
  expect(body.activities).toEqual(before)
  const other = await funded(again)
  const third = await ended(other)
  expect(third).toMatchObject({ id: 3, svc_intent: { id: 3 } })
  expect(idsOf(third)).toEqual([[2], [3], [3]])
  expect((await other.api.get('/activities/1')).body).toEqual(before.at(-1))
})

test.each([
  ['never repeat a number, not after a reset either', {}, [3, 4]],
  ['repeat all numbers with a seed and a frozen clock', { seed: 5n, clock: 'frozen' }, [2, 1]],
] as const)('behavior: restores %s', async (_name, options, [restored, reset]) => {
  const sim = await simulator(options)
  const user = await funded(sim)
  const first = await ended(user)
  const id = await sim.snapshot()
  const second = await ended(user)
  await sim.restore(id)
  expect((await user.api.get(`/activities/${second.id}`)).status).toBe(404)
  expect(await listed(user)).toEqual([first])
  expect((await ended(user)).id).toBe(restored)
  await sim.reset()
  expect((await ended(await funded(sim))).id).toBe(reset)
})

test('behavior: a reorganisation that takes the transaction away leaves the numbers as they are', async () => {
  const sim = await simulator()
  const user = await funded(sim)
  await sim.faults.add({ on: 'chain', effect: 'reorg', times: 1 })
  const plan = (await user.plan('earn', earn)).body as PlanBody
  await user.execute(plan)
  let [statuses, cursor] = [[] as string[], 0]
  while (statuses.filter((status) => status === 'confirmed').length < 2) {
    const { body } = await user.api.get(`${user.path}/events?since=${cursor}&poll=true`)
    const { events } = body as { events: { data: { activity_status: string } }[] }
    statuses = [...statuses, ...events.map(({ data }) => data.activity_status)]
    cursor = body.cursor
  }
  const [activity] = await listed(user)
  expect(activity).toMatchObject({ id: 1, activity_status: 'confirmed', svc_intent: { id: 1 } })
  expect(idsOf(activity!)).toEqual([[1], [1], [1]])
  expect(activity!.executions).toMatchObject([
    { status: 'executed', actions: [{ observed_values: { amount: '2000000', chain_id: 8453 } }] },
  ])
})
