import type { Address, Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readsOf } from '../kit/chainReads.js'
import { createClient } from '../kit/client.js'
import { openPayer } from '../kit/payer.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { type ActivityBody, openUser, type PlanBody, type User } from '../kit/user.js'

/** Executions of several accounts that wait for one network at the same moment, while the clock runs. */

const friend: Address = '0x00000000000000000000000000000000000f41e8'
const usdc = 1_000_000n
const transfer = { asset: 'USDC', amount: `${usdc}`, network: 'base', recipient: friend }
let sim: SimulatorHandle
let before: bigint

beforeAll(async () => {
  sim = await createSimulator({ bridgeDelayMs: 0 })
})
beforeEach(async () => {
  before = await balance(friend)
})
afterAll(() => sim.close())

const client = () => createClient({ url: sim.url, apiKey: sim.apiKey })
const request = <T = unknown>(method: string, ...params: unknown[]) =>
  readsOf(sim).request<T>('base', method, params)
const balance = (account: Address) => readsOf(sim).balance('base', 'USDC', account)

async function funded(count: number): Promise<User[]> {
  const users: User[] = []
  for (let i = 0; i < count; i++) {
    const user = await openUser(sim)
    await user.fund('base', 'USDC', 10n * usdc)
    users.push(user)
  }
  return users
}

async function planned(user: User): Promise<PlanBody> {
  const { status, body } = await user.plan('transfer', transfer)
  expect([status, body]).toEqual([201, expect.anything()])
  return body as PlanBody
}

/** So long that all others come while the first one is being sent. */
const slowSends = {
  on: 'chain',
  match: { network: 'base', method: 'eth_sendTransactionSync' },
  effect: { slow: { ms: 1_000 } },
}

/** Executes all at once; resolves to the activities when they have ended. */
async function together(all: readonly (readonly [User, PlanBody])[]): Promise<ActivityBody[]> {
  return Promise.all(
    all.map(async ([user, plan]) => {
      const { status, body } = await user.execute(plan)
      expect([status, body]).toEqual([200, expect.anything()])
      return user.follow(body.activity_id)
    }),
  )
}

const hashOf = ({ activity_metadata: [item] }: ActivityBody): Hex => item!.transaction_hash!

interface Mined {
  transactionHash: Hex
  blockHash: Hex
  transactionIndex: Hex
  status: Hex
}
const receiptsOf = (hashes: readonly Hex[]) =>
  Promise.all(hashes.map((hash) => request<Mined | null>('eth_getTransactionReceipt', hash)))

/** The transactions by block. */
function byBlock(receipts: readonly (Mined | null)[]): Hex[][] {
  const blocks = new Map<Hex, Hex[]>()
  for (const receipt of receipts)
    blocks.set(receipt!.blockHash, [
      ...(blocks.get(receipt!.blockHash) ?? []),
      receipt!.transactionHash,
    ])
  return [...blocks.values()]
}

test('default: ten activities of five accounts share blocks; taken back together, each is sent again, and money moves once', async () => {
  const users = await funded(5)
  // Of each account one after the other: a plan counts on what the one before has left.
  for (const round of [1, 2]) {
    const own: [User, PlanBody][] = []
    for (const user of users) own.push([user, await planned(user)])
    await sim.faults.set([slowSends])
    const activities = await together(own)
    await sim.faults.set([])
    expect(activities.map(({ activity_status }) => activity_status)).toEqual(
      users.map(() => 'confirmed'),
    )
    const receipts = await receiptsOf(activities.map(hashOf))
    const largest = byBlock(receipts).reduce((a, b) => (a.length > b.length ? a : b))
    expect(largest.length).toBeGreaterThan(1)
    const places = receipts.map((each) => `${each!.blockHash} ${each!.transactionIndex}`)
    expect(new Set(places).size).toBe(users.length)
    expect(await balance(friend)).toBe(before + BigInt(round * users.length) * usdc)
    for (const each of activities) {
      const why = (await client().send('GET', `/_sim/why/${each.activity_id}`)).body
      expect(JSON.stringify(why)).toContain(hashOf(each))
    }
    if (round === 1) continue
    await request('anvil_reorg', byBlock(receipts).length, [])
    for (const [i, user] of users.entries()) {
      const { activity_id } = activities[i]!
      await expect
        .poll(async () => {
          const { body } = await user.api.get(`/activities/${activity_id}`)
          const [receipt] = await receiptsOf([hashOf(body)])
          return [body.activity_status, receipt?.status]
        })
        .toEqual(['confirmed', '0x1'])
    }
    expect(await balance(friend)).toBe(before + 10n * usdc)
  }
})

test('behavior: one that reverts by a fault has a block for itself, and its neighbours are confirmed', async () => {
  const users = await funded(5)
  const [, victim] = users
  const plans: [User, PlanBody][] = []
  for (const user of users) plans.push([user, await planned(user)])
  await sim.faults.set([
    slowSends,
    { on: 'execute', match: { account_id: victim!.id }, effect: 'revert' },
  ])
  const activities = await together(plans)
  await sim.faults.set([])
  expect(activities.map(({ activity_status }) => activity_status)).toEqual(
    users.map((user) => (user === victim ? 'failed' : 'confirmed')),
  )
  const receipts = await receiptsOf(activities.map(hashOf))
  const blocks = byBlock(receipts)
  expect(blocks).toContainEqual([hashOf(activities[1]!)])
  expect(Math.max(...blocks.map(({ length }) => length))).toBeGreaterThan(1)
  expect(await balance(friend)).toBe(before + 4n * usdc)
})

test('behavior: a snapshot and a reset while shared blocks are under way', async () => {
  const users = await funded(5)
  const plans: [User, PlanBody][] = []
  for (const user of users) plans.push([user, await planned(user)])
  const answers = plans.map(([user, plan]) => user.execute(plan))
  const snapshot = await sim.snapshot()
  const all = await Promise.all(answers)
  const ends = await Promise.all(users.map((user, i) => user.follow(all[i]!.body.activity_id)))
  expect(ends.map(({ activity_status }) => activity_status)).toEqual(users.map(() => 'confirmed'))
  await sim.restore(snapshot)
  await sim.clock.advance(1)
  const moved = (await balance(friend)) - before
  let told = 0n
  for (const user of users) {
    const { activities } = (await user.api.get(`${user.path}/activities`)).body
    const own = activities.filter(({ plan_id }: ActivityBody) => plan_id !== null)
    expect(own.every((one: ActivityBody) => one.activity_status === 'confirmed')).toBe(true)
    told += BigInt(own.length)
  }
  expect(moved).toBe(told * usdc)
  const again = await funded(1)
  const sending = again[0]!.execute(await planned(again[0]!))
  await sim.reset()
  await sending
  const fresh = await openUser(sim)
  await fresh.fund('base', 'USDC', 2n * usdc)
  const { activity } = await fresh.run('transfer', transfer)
  expect(activity.activity_status).toBe('confirmed')
})

test('behavior: two plans of one wallet at once: each is refused or confirmed, and money moves once for each', async () => {
  const users = await funded(3)
  const pairs: [User, PlanBody][] = []
  for (const user of users) pairs.push([user, await planned(user)], [user, await planned(user)])
  await sim.faults.set([slowSends])
  const answers = await Promise.all(pairs.map(([user, plan]) => user.execute(plan)))
  await sim.faults.set([])
  const confirmed: Hex[] = []
  for (const [i, { status, body }] of answers.entries()) {
    // Both plans have one nonce: whoever comes second is told so, unless its operation was sent before that was known.
    if (status === 409) expect(body.error).toBe('plan_stale')
    else {
      expect(status).toBe(200)
      const ended = await pairs[i]![0].follow(body.activity_id)
      expect(ended.activity_status).toBe('confirmed')
      confirmed.push(hashOf(ended))
    }
  }
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(users.length)
  expect((await receiptsOf(confirmed)).map((each) => each?.status)).toEqual(
    confirmed.map(() => '0x1'),
  )
  expect(await balance(friend)).toBe(before + BigInt(confirmed.length) * usdc)
  // A plan that was refused left nothing behind: the next one goes through.
  for (const user of users) {
    const { activity } = await user.run('transfer', transfer)
    expect(activity.activity_status).toBe('confirmed')
  }
})

test('behavior: the clock is advanced while shared blocks are under way: all are confirmed, and no block is earlier than its parent', async () => {
  const users = await funded(6)
  const plans: [User, PlanBody][] = []
  for (const user of users) plans.push([user, await planned(user)])
  const first = Number(await request('eth_blockNumber'))
  const begun = Date.parse((await sim.clock.advance(0)).now)
  await sim.faults.set([slowSends])
  const answers = Promise.all(plans.map(([user, plan]) => user.execute(plan)))
  const moves = [await sim.clock.advance(40), await sim.clock.advance(2)]
  const activities = await Promise.all(
    (await answers).map(({ body }, i) => users[i]!.follow(body.activity_id)),
  )
  await sim.faults.set([])
  expect(activities.map(({ activity_status }) => activity_status)).toEqual(
    users.map(() => 'confirmed'),
  )
  expect(await balance(friend)).toBe(before + BigInt(users.length) * usdc)
  expect(Date.parse(moves[1]!.now) - begun).toBeGreaterThanOrEqual(42_000)
  const last = Number(await request('eth_blockNumber'))
  const times: number[] = []
  for (let number = first; number <= last; number++) {
    const block = await request<{ timestamp: Hex }>(
      'eth_getBlockByNumber',
      `0x${number.toString(16)}`,
      false,
    )
    times.push(Number(block.timestamp))
  }
  expect(times).toEqual([...times].sort((a, b) => a - b))
  expect(times.at(-1)! - times[0]!).toBeGreaterThanOrEqual(40)
})

/** `FilledRelay` of the spoke pool. */
const filled = '0x44b559f101f8fbcc8a0ea43fa91a05a729a5ea6e14a7c75aa750374690137208'

test('behavior: fills, faucet and executions share blocks, and so do refunds; each arrives once', async () => {
  const users: User[] = []
  for (let i = 0; i < 6; i++) {
    const user = await openUser(sim)
    await user.fund('optimism', 'USDC', 10n * usdc)
    users.push(user)
  }
  const first = await request<Hex>('eth_blockNumber')
  const plans: [User, PlanBody][] = []
  for (const user of users) plans.push([user, await planned(user)])
  await sim.faults.set([{ ...slowSends, times: 1 }])
  const fresh = Array.from(
    { length: 5 },
    (_, i) => `0x${(0xfa0ce7 + i).toString(16).padStart(40, '0')}`,
  )
  const funds = fresh.map((address) =>
    sim.fund({ address: address as Address, asset: 'USDC', amount: `${usdc}`, network: 'base' }),
  )
  const ended = await together(plans)
  await Promise.all(funds)
  await sim.faults.set([])
  expect(ended.map(({ activity_status }) => activity_status)).toEqual(users.map(() => 'confirmed'))
  expect(await balance(friend)).toBe(before + BigInt(users.length) * usdc)
  for (const address of fresh) expect(await balance(address as Address)).toBe(usdc)
  const logs = await request<{ blockHash: Hex }[]>('eth_getLogs', {
    fromBlock: first,
    topics: [filled],
  })
  expect(logs).toHaveLength(users.length)
  const counts = await Promise.all(
    logs.map(({ blockHash }) => request<Hex>('eth_getBlockTransactionCountByHash', blockHash)),
  )
  expect(Math.max(...counts.map(Number))).toBeGreaterThan(1)
  const again: [User, PlanBody][] = []
  for (const user of users) again.push([user, await planned(user)])
  const held = () =>
    Promise.all(users.map(({ wallet }) => readsOf(sim).balance('optimism', 'USDC', wallet)))
  const owned = await held()
  await sim.faults.set([{ on: 'bridge', effect: 'refund' }])
  const refused = await together(again)
  await sim.faults.set([])
  expect(refused.map(({ activity_status }) => activity_status)).toEqual(users.map(() => 'failed'))
  expect(await held()).toEqual(owned)
  expect(await balance(friend)).toBe(before + BigInt(users.length) * usdc)
})

test('behavior: 700 transactions at once over /rpc beside executions: all stay known, and after a reorganisation of one empty block confirmed stays confirmed', async () => {
  const users = await funded(4)
  const payer = await openPayer(sim, ['base'])
  const payments = await Promise.all(
    Array.from({ length: 700 }, (_, nonce) => payer.sign('base', { to: friend, value: 1n }, nonce)),
  )
  const sending = Promise.all(
    payments.map((signed) => request<Hex>('eth_sendRawTransaction', signed)),
  )
  const activities: ActivityBody[] = []
  for (let round = 0; round < 3; round++) {
    const plans: [User, PlanBody][] = []
    for (const user of users) plans.push([user, await planned(user)])
    activities.push(...(await together(plans)))
  }
  const hashes = [...(await sending), ...activities.map(hashOf)]
  const unknown = async () =>
    (await receiptsOf(hashes)).filter((receipt) => receipt?.status !== '0x1').length
  await expect.poll(unknown).toBe(0)
  await request('evm_mine')
  await request('anvil_reorg', 1, [])
  // A frozen clock has let everything that was noticed be done.
  await sim.clock.freeze()
  expect(await unknown()).toBe(0)
  for (const [i, { activity_id }] of activities.entries()) {
    const { body } = await users[i % users.length]!.api.get(`/activities/${activity_id}`)
    expect(body.activity_status).toBe('confirmed')
  }
  await sim.clock.resume()
}, 120_000)
