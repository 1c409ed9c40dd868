import type { Address } from 'viem'
import { createPublicClient, erc20Abi, formatUnits, http } from 'viem'
import { sign } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { loadAddressBook } from '../../src/deployments/addressBook.js'
import type { NetworkName } from '../../src/deployments/networks.js'
import { bridgeHint, bridgeInput } from '../../src/service/bridge/hints.js'
import { createClient } from '../kit/client.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { type ActivityBody, openUser, type PlanBody } from '../kit/user.js'

/** Money that is debited on one network and does not arrive as it should on the other. */

const book = loadAddressBook()
const friend: Address = '0x00000000000000000000000000000000000f41e7'
const own = 5_000_000n
/** More than base has: 2 USDC must come from optimism. */
const transfer = { asset: 'USDC', amount: '7000000', network: 'base', recipient: friend }
const output = 2_000_000n
const input = bridgeInput(bridgeHint('optimism', 'base', 'USDC')!, output)
let sim: SimulatorHandle

beforeAll(async () => {
  sim = await createSimulator({ bridgeDelayMs: 20 })
})
afterEach(() => sim.faults.clear())
afterAll(() => sim.close())

type User = Awaited<ReturnType<typeof openUser>>

async function funded(): Promise<User> {
  const user = await openUser(sim)
  await user.fund('base', 'USDC', own)
  await user.fund('optimism', 'USDC', own)
  return user
}

function usdcOf(network: NetworkName, account: Address): Promise<bigint> {
  const client = createPublicClient({ transport: http(sim.rpc(network)) })
  const { address } = book.token(network, 'USDC')!
  return client.readContract({ address, abi: erc20Abi, functionName: 'balanceOf', args: [account] })
}

/** Executes, and waits until the deposit has landed: the second event says so. */
async function deposited(user: User): Promise<string> {
  const plan = (await user.plan('transfer', transfer)).body as PlanBody
  const { body } = await user.execute(plan)
  for (let seen = 0, cursor = 0; seen < 2; ) {
    const page = (await user.api.get(`${user.path}/events?since=${cursor}&poll=true`)).body
    cursor = page.cursor
    seen += page.events.length
  }
  return body.activity_id
}

/** What the control API tells. */
// biome-ignore lint/suspicious/noExplicitAny: JSON of several routes
const control = async (path: string): Promise<any> =>
  (await fetch(`${sim.controlUrl}/${path}`)).json()

async function bridgeOf(activityId: string) {
  const { bridges } = await control('overview')
  return bridges.find(({ activity_id }: { activity_id: string }) => activity_id === activityId)
}

function itemsOf(activity: ActivityBody) {
  return activity.activity_metadata.map(({ action_type, chain_id, success }) => [
    action_type,
    chain_id,
    success,
  ])
}

/** What the service says the wallet has. */
async function folioOf(user: User): Promise<Record<string, string>> {
  return (await user.api.get(`${user.path}/folio`)).body.folio.balances
}

test('behavior: refund: the activity fails with the reason, and the folio shows the money back', async () => {
  const user = await funded()
  await sim.faults.add({ on: 'bridge', effect: 'refund', match: { account_id: user.id } })
  const { activity } = await user.run('transfer', transfer)
  expect(activity.activity_status).toBe('failed')
  expect(itemsOf(activity)).toEqual([
    ['BRIDGE', 10, true],
    ['BRIDGE_MINT', 8453, false],
    ['BRIDGE_REFUND', 10, true],
    ['TRANSFER', 8453, false],
  ])
  expect(activity.activity_metadata[1]!.revert_reason).toBe(
    `the bridge refused the deposit; ${formatUnits(BigInt(input), 6)} USDC refunded on optimism at once`,
  )
  const told = (await user.api.get(`/_sim/why/${activity.activity_id}`)).body
  const refund = activity.activity_metadata[2]!.transaction_hash
  const bridge = told.timeline.find(({ type }: { type: string }) => type === 'bridge')
  expect(bridge.details).toMatchObject({ status: 'failed', refund })
  expect(bridge.title).toContain(`refunded in ${refund}`)
  expect(await usdcOf('optimism', user.wallet)).toBe(own)
  expect(await usdcOf('base', user.wallet)).toBe(own)
  const balances = await folioOf(user)
  expect(balances[`token/optimism/USDC/${user.wallet}`]).toBe('5e6')
  await sim.faults.clear()
  expect((await user.run('transfer', transfer)).activity.activity_status).toBe('confirmed')
})

test('behavior: stuck: debited, not arrived, pending; removing the rule fills it', async () => {
  const user = await funded()
  const { id } = await sim.faults.add({ on: 'bridge', effect: 'stuck', match: { network: 'base' } })
  const activityId = await deposited(user)
  const waiting = (await user.api.get(`/activities/${activityId}`)).body as ActivityBody
  expect(waiting.activity_status).toBe('pending')
  expect(itemsOf(waiting)).toEqual([
    ['BRIDGE', 10, true],
    ['BRIDGE_MINT', 8453, null],
    ['TRANSFER', 8453, null],
  ])
  expect(await usdcOf('optimism', user.wallet)).toBe(own - input)
  expect(await usdcOf('base', user.wallet)).toBe(own)
  await sim.faults.remove(id)
  expect((await user.follow(activityId)).activity_status).toBe('confirmed')
  expect(await usdcOf('base', user.wallet)).toBe(0n)
})

test('behavior: stuck past the deadline: refunded on the origin network, never filled', async () => {
  const user = await funded()
  await sim.faults.add({ on: 'bridge', effect: 'stuck' })
  const activityId = await deposited(user)
  await sim.clock.advance(500)
  const waiting = (await user.api.get(`/activities/${activityId}`)).body as ActivityBody
  expect(waiting.activity_status).toBe('pending')
  expect(await usdcOf('optimism', user.wallet)).toBe(own - input)
  await sim.clock.advance(200)
  const activity = (await user.api.get(`/activities/${activityId}`)).body as ActivityBody
  expect(activity.activity_status).toBe('failed')
  expect(activity.activity_metadata[1]!.revert_reason).toBe(
    `no relayer filled the deposit; ${formatUnits(BigInt(input), 6)} USDC refunded on optimism after the fill deadline`,
  )
  // The refund stands beside it with its transaction; what waited for the fill never ran.
  const refund = activity.activity_metadata.find((item) => item.action_type === 'BRIDGE_REFUND')!
  expect(refund.transaction_hash).toMatch(/^0x[0-9a-f]{64}$/)
  const waited = activity.activity_metadata.find((item) => item.action_type === 'TRANSFER')!
  expect(waited.transaction_hash).toBeNull()
  expect(await usdcOf('optimism', user.wallet)).toBe(own)
  expect(await usdcOf('base', user.wallet)).toBe(own)
})

test('behavior: delay: pending for the time, then filled; past the deadline the deposit goes back instead', async () => {
  const user = await funded()
  await sim.faults.add({ on: 'bridge', effect: { delay: { seconds: 300 } }, times: 1 })
  const tooLong = { on: 'bridge', effect: { delay: { seconds: 3600 } }, after: 1 } as const
  await sim.faults.add({ id: 'late', ...tooLong })
  const activityId = await deposited(user)
  const first = await bridgeOf(activityId)
  expect(first).toMatchObject({ status: 'in flight', arrived: null, waits_for: null })
  expect(Date.parse(first.fills_at) - Date.parse(first.since)).toBeGreaterThanOrEqual(300_000)
  await sim.clock.advance(100)
  expect(await bridgeOf(activityId)).toEqual(first)
  const waiting = (await user.api.get(`/activities/${activityId}`)).body as ActivityBody
  expect(waiting.activity_status).toBe('pending')
  await sim.clock.advance((Date.parse(first.fills_at) - sim.clock.now().getTime()) / 1000)
  const filled = (await user.api.get(`/activities/${activityId}`)).body as ActivityBody
  expect(filled.activity_status).toBe('confirmed')
  const late = await funded()
  const lateId = await deposited(late)
  const open = await bridgeOf(lateId)
  expect(open).toMatchObject({ fills_at: null, waits_for: 'late (bridge.delay)' })
  const now = async () => (await control(`why/${lateId}`)).now
  const { deadline, until } = open
  expect(await now()).toContain(
    `; that ends after its deadline, ${deadline}, so ${formatUnits(BigInt(input), 6)} USDC goes back on optimism at ${until} and the activity fails`,
  )
  // Beyond the deadline, and still not over: it goes back when the delay ends.
  await sim.clock.advance(3500)
  expect(await now()).toMatch(/^pending: it waits for 2\.\S+ USDC to go back on optimism at /)
  const still = (await late.api.get(`/activities/${lateId}`)).body as ActivityBody
  expect(still.activity_status).toBe('pending')
  expect(await usdcOf('optimism', late.wallet)).toBe(own - input)
  await sim.clock.advance(101)
  const activity = (await late.api.get(`/activities/${lateId}`)).body as ActivityBody
  expect(activity.activity_status).toBe('failed')
  expect(activity.activity_metadata[1]!.revert_reason).toContain('refunded on optimism')
  expect(await usdcOf('optimism', late.wallet)).toBe(own)
})

test.each([0, -1, 0.0009, 86_401, 1e300, '5', null, true, undefined])(
  'error: a delay of %o seconds is refused with what is allowed, and no rule is added',
  async (seconds) => {
    const api = createClient({ url: sim.url, apiKey: sim.apiKey })
    const answer = await api.post('/_sim/faults', { on: 'bridge', effect: { delay: { seconds } } })
    const allowed =
      'settings of bridge.delay do not fit: seconds: must be a number from 0.001 to 86400, such as 2.5; received '
    expect(answer).toMatchObject({
      status: 400,
      body: { error: 'invalid_params', message: expect.stringContaining(allowed) },
    })
    expect(sim.faults.list()).toEqual([])
  },
)

test.each([0.001, 0.5, 86_400])('behavior: a delay of %d seconds is taken', async (seconds) => {
  const user = await funded()
  const match = { account_id: user.id }
  const { id } = await sim.faults.add({ on: 'bridge', effect: { delay: { seconds } }, match })
  const activityId = await deposited(user)
  await sim.clock.advance(1)
  if (seconds > 1) await sim.faults.remove(id)
  expect((await user.follow(activityId)).activity_status).toBe('confirmed')
})

test('behavior: a rule counts a deposit once, however often the relayer is interrupted', async () => {
  const user = await funded()
  const { id } = await sim.faults.add({ on: 'bridge', effect: 'stuck', times: 1 })
  const activityId = await deposited(user)
  const held = { fills_at: null, waits_for: `${id} (bridge.stuck)` }
  expect(await bridgeOf(activityId)).toMatchObject(held)
  await sim.snapshot('stuck')
  await sim.restore('stuck')
  expect(await bridgeOf(activityId)).toMatchObject(held)
  expect(sim.faults.list()).toMatchObject([{ seen: 1, hits: 1 }])
  const waiting = (await user.api.get(`/activities/${activityId}`)).body as ActivityBody
  expect(waiting.activity_status).toBe('pending')
  await sim.faults.remove(id)
  expect((await user.follow(activityId)).activity_status).toBe('confirmed')
})

test('behavior: the rule in the header of an execute is for the bridges of that plan alone', async () => {
  const [user, other] = [await funded(), await funded()]
  const plan = (await user.plan('transfer', transfer)).body as PlanBody
  const headers = { 'x-svc-sim-fault': 'bridge.refund' }
  const hash = plan.details.eip712_data.digest
  const signature = await sign({ hash, privateKey: user.key, to: 'hex' })
  const body = { plan_id: plan.plan_id, signature }
  const executed = await user.api.post(`${user.path}/plan/execute`, body, { headers })
  expect(executed.status).toBe(200)
  expect((await other.run('transfer', transfer)).activity.activity_status).toBe('confirmed')
  const activity = await user.follow(executed.body.activity_id)
  expect(activity.activity_status).toBe('failed')
  expect(activity.activity_metadata[1]!.revert_reason).toContain('refunded on optimism at once')
})

test('behavior: partial: what arrived stays, what waited for the rest reverts on chain', async () => {
  const user = await funded()
  const before = await usdcOf('base', friend)
  await sim.faults.add({ id: 'mean', on: 'bridge', effect: { partial: { percent: 33 } } })
  const { activity } = await user.run('transfer', transfer)
  expect(activity.activity_status).toBe('failed')
  expect(itemsOf(activity)).toEqual([
    ['BRIDGE', 10, true],
    ['BRIDGE_MINT', 8453, true],
    ['TRANSFER', 8453, false],
  ])
  const [, mint, last] = activity.activity_metadata
  const arrived = (output * 33n) / 100n
  expect(mint!.semantic_events).toMatchObject([
    { event_type: 'bridge_receive', event_metadata: { amount: arrived.toString() } },
  ])
  const asArrived = { output_amount: `${arrived}`, max_fee: `${input - arrived}` }
  expect(mint!.action_context).toMatchObject(asArrived)
  const { executions } = (await user.api.get(`/activities/${activity.activity_id}`)).body
  expect(executions[1].actions[0]).toMatchObject({
    ...{ action_type: 'BRIDGE_MINT', observed_values: asArrived },
    expected_values: { output_amount: `${output}` },
  })
  const { bridges } = await control('overview')
  expect(bridges[0]).toMatchObject({
    ...{ activity_id: activity.activity_id, status: 'filled in part' },
    ...{ amount: `${output}`, arrived: `${arrived}` },
  })
  const why = await control(`why/${activity.activity_id}`)
  const shown = (units: bigint) => `${formatUnits(units, 6)} USDC`
  const amounts = {
    ...{ sent: shown(input), expected: shown(output) },
    ...{ arrived: shown(arrived), missing: shown(output - arrived) },
  }
  expect(why.verdict).toMatchObject({ amounts, fault: { effect: 'bridge.partial' } })
  expect(why.now).toContain(
    `; the bridge from optimism to base took ${amounts.sent} and delivered ${amounts.arrived} of ${amounts.expected} (${amounts.missing} missing)`,
  )
  const moment = why.timeline.find(({ type }: { type: string }) => type === 'bridge')
  expect(moment.title).toContain(
    `: filled in part, ${amounts.arrived} of ${amounts.expected}, because mean (bridge.partial) let only 33 % of the bridged amount arrive`,
  )
  expect(moment.details).toMatchObject({ output_amount: `${arrived}`, partial: amounts })
  expect(last!.revert_reason).toContain('ERC20: transfer amount exceeds balance')
  expect(last!.transaction_hash).toMatch(/^0x[0-9a-f]{64}$/)
  expect(await usdcOf('optimism', user.wallet)).toBe(own - input)
  expect(await usdcOf('base', user.wallet)).toBe(own + arrived)
  expect(await usdcOf('base', friend)).toBe(before)
})

test('behavior: a bridge that is stuck does not hold up a snapshot or the end', async () => {
  await using other = await createSimulator({ bridgeDelayMs: 20 })
  const user = await openUser(other)
  await user.fund('base', 'USDC', own)
  await user.fund('optimism', 'USDC', own)
  await other.faults.add({ on: 'bridge', effect: 'stuck' })
  const activityId = await deposited(user)
  const id = await other.snapshot()
  await other.restore(id)
  const { body } = await user.api.get(`/activities/${activityId}`)
  expect(body.activity_status).toBe('pending')
  await other.close()
})
