import type { Address } from 'viem'
import { expect } from 'vitest'
import type { NetworkName } from '../../src/deployments/networks.js'
import type { SimulatorHandle } from '../../src/index.js'
import { bridgeHint, bridgeOutput } from '../../src/service/bridge/hints.js'
import { readsOf } from './chainReads.js'
import { askControl, rpc } from './http.js'
import { openPayer } from './payer.js'
import { type ActivityBody, executed, openUser, type PlanBody, type User, userAt } from './user.js'

/** What can be under way when a simulator with a frozen clock ends, and what must hold after the next start. */

/** Looks at the simulator that was started again. `isSudden`: no end was a clean stop, which lifts a halt and sends what was stuck. */
export type Check = (sim: SimulatorHandle, isSudden: boolean) => Promise<void>

interface Situation {
  name: string
  begin(sim: SimulatorHandle): Promise<Check>
}

const stranger: Address = '0x00000000000000000000000000000000000a11ce'
const friend: Address = '0x00000000000000000000000000000000000f41e7'
const earn = { amount: '2000000', asset: 'USDC', network: 'base', protocol: 'compound' }

const activityOf = async (user: User, id: string): Promise<ActivityBody> =>
  (await user.api.get(`/activities/${id}`)).body as ActivityBody

const statusOf = async (user: User, id: string) => (await activityOf(user, id)).activity_status

interface Page {
  events: { data: { activity_id: string; activity_status: string } }[]
  cursor: number
}

const eventsOf = async ({ api, path }: User, query = ''): Promise<Page> =>
  (await api.get(`${path}/events${query}`)).body as Page

const statuses = ({ events }: Page) => events.map(({ data }) => data.activity_status)

/** The cursor of each event: where it was delivered, not only in which order. */
async function cursorsOf(user: User, { events, cursor }: Page): Promise<number[]> {
  const found: number[] = []
  for (let since = cursor; found.length < events.length; since--) {
    const { length } = (await eventsOf(user, `?since=${since}`)).events
    if (length > found.length) found.unshift(since + 1)
  }
  return found
}

/** All that the service knows of an account, without what others change in the same markets. */
async function everything({ api, path }: User) {
  const [account, activities, events, whole] = await Promise.all(
    ['', '/activities', '/events', '/folio'].map(async (of) => (await api.get(path + of)).body),
  )
  const { balances, hex_data, prices, completion_statuses } = whole.folio
  return { account, activities, events, folio: { balances, hex_data, prices, completion_statuses } }
}

const clockAndPrices: Situation = {
  name: 'the clock, its time, and a price that was set',
  async begin(sim) {
    await sim.clock.advance(100.5)
    const prices = await askControl(sim, 'PUT', '/prices/COMP', { usd: '61.25' })
    expect(prices.status).toBe(200)
    const time = sim.clock.time()
    return async (again) => {
      expect(again.clock.time()).toEqual(time)
      expect(JSON.stringify((await askControl(again, 'GET', '/prices')).body)).toContain('61.25')
    }
  },
}

const account: Situation = {
  name: 'an account, its position, an open plan and a used one',
  async begin(sim) {
    const user = await openUser(sim)
    for (const network of ['base', 'arbitrum'] as const)
      await user.fund(network, 'USDC', 9_000_000n)
    const used = (await user.plan('earn', earn)).body as PlanBody
    expect((await user.execute(used)).status).toBe(200)
    await sim.clock.advance(0)
    const open = (await user.plan('earn', { ...earn, network: 'arbitrum' })).body as PlanBody
    const before = await everything(user)
    return async (sim) => {
      const again = userAt(sim, user)
      expect(await everything(again)).toEqual(before)
      expect((await again.execute(used)).status).toBe(404)
      const executed = await again.execute(open)
      expect(executed.status).toBe(200)
      await sim.clock.advance(0)
      expect(await statusOf(again, executed.body.activity_id)).toBe('confirmed')
    }
  },
}

const bridge: Situation = {
  name: 'a bridge that waits for its fill, and the operation behind it',
  async begin(sim) {
    const user = await openUser(sim)
    for (const network of ['base', 'arbitrum'] as const)
      await user.fund(network, 'USDC', 5_000_000n)
    const recipient = '0x00000000000000000000000000000000000f41e8'
    const body = { asset: 'USDC', amount: '7000000', network: 'base', recipient }
    const id = await executed(sim, user, 'transfer', body)
    const [deposit] = (await activityOf(user, id)).activity_metadata
    expect(deposit).toMatchObject({ action_type: 'BRIDGE', success: true })
    const balance = (sim: SimulatorHandle, network: NetworkName, of: Address = user.wallet) =>
      readsOf(sim).balance(network, 'USDC', of)
    const left = await balance(sim, 'arbitrum')
    return async (sim) => {
      const again = userAt(sim, user)
      await sim.clock.advance(120)
      const activity = await activityOf(again, id)
      expect(activity.activity_metadata.map((item) => [item.action_type, item.success])).toEqual([
        ['BRIDGE', true],
        ['BRIDGE_MINT', true],
        ['TRANSFER', true],
      ])
      // The deposit was made once: the same transaction, and nothing more has left its network.
      expect(activity.activity_metadata[0]).toEqual(deposit)
      expect(await balance(sim, 'arbitrum')).toBe(left)
      const { input_amount } = deposit!.action_context as { input_amount: string }
      const filled = bridgeOutput(bridgeHint('arbitrum', 'base', 'USDC')!, BigInt(input_amount))
      expect(await balance(sim, 'base', recipient)).toBe(7_000_000n)
      expect(await balance(sim, 'base')).toBe(5_000_000n + filled - 7_000_000n)
    }
  },
}

const haltedNetwork: Situation = {
  name: 'executions and a fill that wait for a halted network',
  async begin(sim) {
    const users = await Promise.all([1, 2, 3].map(() => openUser(sim)))
    const [bridged, ...direct] = users as [User, ...User[]]
    await bridged.fund('optimism', 'USDC', 100_000_000n)
    for (const user of direct) await user.fund('polygon', 'USDC', 10_000_000n)
    const match = { network: 'polygon' } as const
    const { id: rule } = await sim.faults.add({ on: 'chain', effect: 'halt', match })
    const body = { asset: 'USDC', amount: '1000000', recipient: stranger, network: 'polygon' }
    const ids: string[] = []
    for (const user of users) ids.push(await executed(sim, user, 'transfer', body))
    return async (sim, isSudden) => {
      const again = users.map((user) => userAt(sim, user))
      const now = () => Promise.all(again.map((user, i) => statusOf(user, ids[i]!)))
      await sim.clock.advance(60)
      if (isSudden) expect(await now()).toEqual(['pending', 'pending', 'pending'])
      await sim.faults.remove(rule)
      await sim.clock.advance(60)
      expect(await now()).toEqual(['confirmed', 'confirmed', 'confirmed'])
      const reads = readsOf(sim)
      expect(await reads.balance('polygon', 'USDC', stranger)).toBe(3_000_000n)
      for (const { wallet } of direct)
        expect(await reads.balance('polygon', 'USDC', wallet)).toBe(9_000_000n)
      expect(await reads.balance('polygon', 'USDC', bridged.wallet)).toBe(0n)
    }
  },
}

const haltedPool: Situation = {
  name: 'transactions of a client in the pool of a halted network',
  async begin(sim) {
    const from = '0x00000000000000000000000000000000000a11cf'
    const height = async (of: SimulatorHandle, network: NetworkName) =>
      Number(await rpc<string>(of.rpc(network), 'eth_blockNumber'))
    const url = sim.rpc('mainnet')
    await rpc(url, 'anvil_setBalance', [from, '0xde0b6b3a7640000'])
    await rpc(url, 'anvil_impersonateAccount', [from])
    const match = { network: 'mainnet' } as const
    const { id: rule } = await sim.faults.add({ on: 'chain', effect: 'halt', match })
    const hashes: string[] = []
    for (const value of ['0x1', '0x2', '0x3'])
      hashes.push(await rpc<string>(url, 'eth_sendTransaction', [{ from, to: from, value }]))
    const before = await height(sim, 'mainnet')
    return async (sim, isSudden) => {
      if (isSudden) {
        const pool = await rpc(sim.rpc('mainnet'), 'txpool_status')
        expect(pool).toEqual({ pending: '0x3', queued: '0x0' })
        expect(await height(sim, 'mainnet')).toBe(before)
      }
      await sim.faults.remove(rule)
      for (const hash of hashes) {
        const receipt = await rpc(sim.rpc('mainnet'), 'eth_getTransactionReceipt', [hash])
        expect(receipt).toMatchObject({ status: '0x1' })
      }
    }
  },
}

const stuckAndDropped: Situation = {
  name: 'executions that fault rules hold: they are sent the usual way, and the rules stay for the next',
  async begin(sim) {
    const held: { user: User; id: string; hash: unknown; rule: string }[] = []
    for (const effect of ['stuck', 'dropped'] as const) {
      const user = await openUser(sim)
      await user.fund('base', 'USDC', 10_000_000n)
      const match = { account_id: user.id }
      const { id: rule } = await sim.faults.add({ on: 'execute', effect, match })
      const id = await executed(sim, user, 'earn', earn)
      const { activity_status, activity_metadata } = await activityOf(user, id)
      expect(activity_status).toBe('pending')
      held.push({ user, id, hash: activity_metadata[0]!.transaction_hash, rule })
    }
    return async (sim) => {
      await sim.clock.advance(0)
      const hits = (id: string) => sim.faults.list().find((rule) => rule.id === id)!.hits
      for (const { user, id, hash, rule } of held) {
        const again = userAt(sim, user)
        const activity = await activityOf(again, id)
        expect(activity.activity_status).toBe('confirmed')
        // Neither mined nor given up by the end, but sent again, by another account of the relayer.
        expect(activity.activity_metadata[0]!.transaction_hash).not.toBe(hash)
        expect(hits(rule)).toBe(1)
        expect(await statusOf(again, await executed(sim, again, 'earn', earn))).toBe('pending')
        expect(hits(rule)).toBe(2)
        await sim.faults.remove(rule)
      }
    }
  },
}

const countedRule: Situation = {
  name: 'a fault rule that has fired once of twice',
  async begin(sim) {
    const user = await openUser(sim)
    const match = { account_id: user.id }
    const { id } = await sim.faults.add({ on: 'folio', effect: 'timeout', times: 2, match })
    expect((await user.api.get(`${user.path}/folio`)).status).toBe(408)
    await openUser(sim) // written after the count
    const rule = sim.faults.list().find((one) => one.id === id)
    expect(rule).toMatchObject({ hits: 1 })
    return async (sim) => {
      const after = sim.faults.list().find((one) => one.id === id)
      expect(after).toEqual({ ...rule, earlier_hits: 1 })
      const { api, path } = userAt(sim, user)
      const read = async () => (await api.get(`${path}/folio`)).status
      expect([await read(), await read()]).toEqual([408, 200])
    }
  },
}

const heldDeposits: Situation = {
  name: 'deposits that fault rules hold stay held, with the moments that were announced, and are counted once; no id of a rule comes again',
  async begin(sim) {
    const why = async (of: SimulatorHandle, id: string) =>
      ((await (await fetch(`${of.controlUrl}/why/${id}`)).json()) as { now: string }).now
    /** The rule that is named, and the moments. */
    const told = async (of: SimulatorHandle, id: string) => {
      const now = await why(of, id)
      return now.match(/\S+ \(bridge\.\w+\)|\d{4}-\S+Z/g)
    }
    const removed = await sim.faults.add({ on: 'folio', effect: 'timeout', times: 1 })
    await sim.faults.remove(removed.id)
    const held: { user: User; id: string; rule: string; before: unknown }[] = []
    for (const each of [{ effect: 'stuck', times: 1 }, { effect: { delay: { seconds: 180 } } }]) {
      const user = await openUser(sim)
      await user.fund('optimism', 'USDC', 9_000_000n)
      const { id: rule } = await sim.faults.add({
        on: 'bridge',
        match: { account_id: user.id },
        ...each,
      } as never)
      const id = await executed(sim, user, 'transfer', { ...transferOne, amount: '1000000' })
      const before = await told(sim, id)
      expect(before).toContainEqual(expect.stringContaining(rule))
      held.push({ user, id, rule, before })
    }
    return async (sim) => {
      const now = () => Promise.all(held.map(({ user, id }) => statusOf(userAt(sim, user), id)))
      for (const { id, rule, before } of held) {
        expect(await told(sim, id)).toEqual(before)
        const view = sim.faults.list().find((each) => each.id === rule)
        expect(view).toMatchObject({ seen: 1, hits: 1 })
      }
      const [stuck] = held
      expect(await why(sim, stuck!.rule)).toContain(`but still holds activity ${stuck!.id};`)
      // 100.5 s had passed at the end.
      await sim.clock.advance(79)
      expect(await now()).toEqual(['pending', 'pending'])
      await sim.clock.advance(1)
      expect(await now()).toEqual(['pending', 'confirmed'])
      for (const { rule } of held) await sim.faults.remove(rule)
      await sim.clock.advance(0)
      expect(await now()).toEqual(['confirmed', 'confirmed'])
      const { id } = await sim.faults.add({ on: 'folio', effect: 'timeout', times: 1 })
      expect(id).not.toBe(removed.id)
      await sim.faults.remove(id)
    }
  },
}

const transferOne = { asset: 'USDC', amount: '1', network: 'base', recipient: friend }

const heldEvents: Situation = {
  name: 'events that were delayed, doubled, dropped and out of order: cursors stay, and clients resume from theirs',
  async begin(sim) {
    const user = await openUser(sim)
    await user.fund('base', 'USDC', 9_000_000n)
    const match = { account_id: user.id }
    const under = async (rule: object) => {
      const { id } = await sim.faults.add({ on: 'events', match, ...rule } as never)
      await executed(sim, user, 'transfer', transferOne)
      return id
    }
    const reorder = await under({ effect: 'reorder', times: 1 })
    await sim.faults.remove(reorder)
    const duplicate = await under({ effect: 'duplicate', times: 2 })
    await sim.faults.remove(duplicate)
    const rules = [
      await under({ effect: { delay: { seconds: 36_000 } }, times: 1 }),
      await under({ effect: 'drop', times: 1 }),
    ]
    const before = await eventsOf(user)
    const doubled = ['pending', 'pending', 'confirmed', 'confirmed']
    expect(statuses(before)).toEqual(['confirmed', 'pending', ...doubled, 'confirmed', 'confirmed'])
    const cursors = await cursorsOf(user, before)
    return async (sim) => {
      const again = userAt(sim, user)
      const after = await eventsOf(again)
      // The process that held the delayed event is gone: it comes at the start.
      expect(after.events.slice(0, -1)).toEqual(before.events)
      expect(statuses(after).at(-1)).toBe('pending')
      expect((await cursorsOf(again, after)).slice(0, -1)).toEqual(cursors)
      for (const rule of rules) await sim.faults.remove(rule)
      await executed(sim, again, 'transfer', transferOne)
      // Time is frozen: only cursors say what is new.
      const next = await eventsOf(again, `?since=${after.cursor}&poll=true`)
      expect(statuses(next)).toEqual(['pending', 'confirmed'])
    }
  },
}

const eventAgain: Situation = {
  name: 'an event that was sent again',
  async begin(sim) {
    const user = await openUser(sim)
    await user.fund('base', 'USDC', 9_000_000n)
    await executed(sim, user, 'transfer', transferOne)
    const { cursor } = await eventsOf(user)
    const sent = await askControl(sim, 'POST', '/events/again', { account_id: user.id, cursor })
    expect(sent.status).toBe(200)
    const before = await eventsOf(user)
    return async (sim) => {
      const again = userAt(sim, user)
      expect(await eventsOf(again)).toEqual(before)
      await executed(sim, again, 'transfer', transferOne)
      const next = await eventsOf(again, `?since=${before.cursor}`)
      expect(statuses(next)).toEqual(['pending', 'confirmed'])
    }
  },
}

const inbound: Situation = {
  name: 'transfers from outside: each is there once, and the next one is reported',
  async begin(sim) {
    const user = await openUser(sim)
    const payer = await openPayer(sim, ['base', 'optimism'])
    await payer.sendNative('base', user.wallet, 1n)
    await payer.sendToken('optimism', 'USDC', user.wallet, 2n)
    return async (sim) => {
      const again = userAt(sim, user)
      const received = async () => {
        const { activities } = (await again.api.get(`${again.path}/activities`)).body as {
          activities: ActivityBody[]
        }
        return activities
          .flatMap((one) => one.activity_metadata)
          .map(({ action_context }) => (action_context as { amount: string }).amount)
          .reverse()
      }
      expect(await received()).toEqual(['1', '2'])
      expect((await eventsOf(again)).events).toHaveLength(2)
      await (await openPayer(sim, ['base'])).sendNative('base', user.wallet, 3n)
      expect(await received()).toEqual(['1', '2', '3'])
      expect((await eventsOf(again)).events).toHaveLength(3)
    }
  },
}

/** In the order in which they are looked at: those that need the time as it was come first. */
export const situations: readonly Situation[] = [
  clockAndPrices,
  account,
  countedRule,
  eventAgain,
  inbound,
  heldEvents,
  stuckAndDropped,
  haltedPool,
  heldDeposits,
  bridge,
  haltedNetwork,
]

/** In the order in which they begin: time passes with the second. */
export const beginnings: readonly Situation[] = [
  heldDeposits,
  ...situations.filter((each) => each !== heldDeposits),
]
