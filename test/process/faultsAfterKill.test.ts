import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Hex } from 'viem'
import { afterAll, expect, test, vi } from 'vitest'
import { loadAddressBook } from '../../src/deployments/addressBook.js'
import { createSimulator, type SimulatorHandle } from '../../src/index.js'
import { readsOf } from '../kit/chainReads.js'
import { cutLog, imageOf, logOf } from '../kit/dataFolders.js'
import { executed, openUser, type PlanBody, type User, userAt } from '../kit/user.js'

/** What fault rules have changed of the exchange when the process is killed: at the next start, again, and without the rules. */

const { exchange } = loadAddressBook().on('base')
const usual = { spread: 5n }
const swap = { sell_asset: 'USDC', buy_asset: 'WETH', network: 'base', sell_amount: '1000000' }
const slippage = { id: 'worse', on: 'quote', effect: { slippage: { bps: 50 } } } as const
const drain = { id: 'empty', on: 'quote', effect: 'drain' } as const

const dirs: string[] = []
afterAll(() => Promise.all(dirs.map((dir) => rm(dir, { recursive: true, force: true }))))

async function folder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'svc-sim-killed-'))
  dirs.push(dir)
  return dir
}

/** What is on the disk now, as a kill would leave it. */
async function killed(dir: string): Promise<string> {
  const image = await imageOf(dir)
  dirs.push(image)
  return image
}

/** The exchange on chain: its spread in basis points, and what it has of what is bought, in the smallest unit. */
async function exchangeOf(sim: SimulatorHandle, symbol = 'WETH') {
  const chain = readsOf(sim)
  const slot = await chain.request<Hex>('base', 'eth_getStorageAt', [exchange, '0x0', 'latest'])
  return { spread: BigInt(slot), inventory: await chain.balance('base', symbol, exchange) }
}

const height = async (sim: SimulatorHandle) =>
  BigInt(await readsOf(sim).request<Hex>('base', 'eth_blockNumber'))

/** What the swap brings, in the bought asset's smallest unit. */
async function swapped(sim: SimulatorHandle, user: User, symbol = 'WETH'): Promise<bigint> {
  const balance = () => readsOf(sim).balance('base', symbol, user.wallet)
  const before = await balance()
  const { activity } = await user.run('swap', { ...swap, buy_asset: symbol })
  expect(activity.activity_status).toBe('confirmed')
  return (await balance()) - before
}

test.each([
  ['slippage', [slippage], 201, { spread: usual.spread + 50n }],
  [
    'both, each twice',
    [slippage, drain, { ...slippage, id: 'w' }, { ...drain, id: 'e' }],
    422,
    {
      spread: usual.spread + 100n,
      inventory: 0n,
    },
  ],
] as const)(
  'behavior: %s: as ever at the start, there again at the next quote, gone with the rules; killed twice',
  async (_, rules, met, changed) => {
    let dir = await folder()
    const first = await createSimulator({ dataDir: dir })
    const user = await openUser(first)
    await user.fund('base', 'USDC', 9_000_000n)
    const fair = await swapped(first, user)
    const before = await exchangeOf(first)
    await first.faults.set(rules)
    expect((await user.plan('swap', swap)).status).toBe(met)
    expect(await exchangeOf(first)).toMatchObject(changed)
    dir = await killed(dir)
    await first.close()
    for (let life = 0; life < 2; life++) {
      await using sim = await createSimulator({ dataDir: dir })
      expect(await exchangeOf(sim)).toEqual(before)
      expect((await sim.faults.list()).map(({ id }) => id)).toEqual(rules.map(({ id }) => id))
      expect((await userAt(sim, user).plan('swap', swap)).status).toBe(met)
      expect(await exchangeOf(sim)).toMatchObject(changed)
      dir = await killed(dir)
    }
    await using sim = await createSimulator({ dataDir: dir })
    expect((await userAt(sim, user).plan('swap', swap)).status).toBe(met)
    const id = await sim.snapshot()
    for (const rule of rules) await sim.faults.remove(rule.id)
    expect(await exchangeOf(sim)).toEqual(before)
    await sim.restore(id)
    expect(await exchangeOf(sim)).toMatchObject(changed)
    await sim.reset()
    expect(await exchangeOf(sim)).toEqual(before)
    expect(await swapped(sim, userAt(sim, user))).toBe(fair)
  },
)

test('behavior: killed while the rule of a request holds it: no rule is left, and nothing of what it did', async () => {
  const dir = await folder()
  await using sim = await createSimulator({ dataDir: dir })
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 9_000_000n)
  const fair = await swapped(sim, user)
  const before = await exchangeOf(sim)
  await sim.faults.set([{ on: 'quote', effect: 'timeout', times: 1 }])
  const headers = { 'x-svc-sim-fault': 'quote.drain' }
  const waiting = user.api.post(`${user.path}/plan/swap`, swap, { headers })
  await expect.poll(() => exchangeOf(sim)).toMatchObject({ inventory: 0n })
  const image = await killed(dir)
  await waiting
  await using again = await createSimulator({ dataDir: image })
  expect(await exchangeOf(again)).toEqual(before)
  await again.faults.clear()
  expect(await swapped(again, userAt(again, user))).toBe(fair)
})

test('behavior: the native token comes back as well, and what was sold to an empty exchange stays there', async () => {
  let dir = await folder()
  const first = await createSimulator({ dataDir: dir })
  const user = await openUser(first)
  await user.fund('base', 'USDC', 9_000_000n)
  await user.fund('base', 'ETH', 10n ** 18n)
  const fair = await swapped(first, user, 'ETH')
  const [ether, dollars] = [await exchangeOf(first, 'ETH'), await exchangeOf(first, 'USDC')]
  await first.faults.set([drain])
  const native = { ...swap, buy_asset: 'ETH' }
  expect((await user.plan('swap', native)).status).toBe(422)
  const sale = { sell_asset: 'ETH', buy_asset: 'USDC', network: 'base', sell_amount: '1000000000' }
  expect((await user.plan('swap', sale)).status).toBe(422)
  expect(await exchangeOf(first, 'ETH')).toMatchObject({ inventory: 0n })
  expect(await exchangeOf(first, 'USDC')).toMatchObject({ inventory: 0n })
  dir = await killed(dir)
  await first.close()
  await using sim = await createSimulator({ dataDir: dir })
  expect(await exchangeOf(sim, 'ETH')).toEqual(ether)
  expect(await exchangeOf(sim, 'USDC')).toEqual(dollars)
  await sim.faults.clear()
  expect(await swapped(sim, userAt(sim, user), 'ETH')).toBe(fair)
})

test('behavior: where nothing is left, a start after a kill mines one block, as every start', async () => {
  const dir = await folder()
  await using first = await createSimulator({ dataDir: dir })
  const user = await openUser(first)
  await user.fund('base', 'USDC', 9_000_000n)
  await first.faults.set([drain])
  expect((await user.plan('swap', swap)).status).toBe(422)
  await first.faults.clear()
  const before = await height(first)
  await using sim = await createSimulator({ dataDir: await killed(dir) })
  expect(await height(sim)).toBe(before + 1n)
})

test('error: where no blocks are mined it starts all the same, and says what stays; when they are mined again, the next start takes it back', async () => {
  const dir = await folder()
  const first = await createSimulator({ dataDir: dir, rpcUnsafe: true })
  const user = await openUser(first)
  await user.fund('base', 'USDC', 9_000_000n)
  const before = await exchangeOf(first)
  await first.faults.set([drain])
  expect((await user.plan('swap', swap)).status).toBe(422)
  await readsOf(first).request('base', 'evm_setAutomine', [false])
  const image = await killed(dir)
  await readsOf(first).request('base', 'evm_setAutomine', [true])
  await first.close()
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const still = await createSimulator({ dataDir: image, rpcUnsafe: true })
  const words = said.mock.calls.join('')
  said.mockRestore()
  expect(words).toContain('The base network mines no blocks')
  expect(words).toContain('the changes of a fault there are not reverted')
  expect(await exchangeOf(still)).toMatchObject({ inventory: 0n })
  await readsOf(still).request('base', 'evm_setAutomine', [true])
  const next = await killed(image)
  await still.close()
  await using sim = await createSimulator({ dataDir: next })
  expect(await exchangeOf(sim)).toEqual(before)
})

test.each(['lifted before', 'in force'])(
  'behavior: a reset after a start in a halt that is %s: the network mines again',
  async (moment) => {
    const dir = await folder()
    const first = await createSimulator({ dataDir: dir })
    await first.faults.add({ on: 'chain', effect: 'halt', match: { network: 'base' } })
    const image = await killed(dir)
    await first.close()
    await using sim = await createSimulator({ dataDir: image })
    expect(sim.faults.list()).toHaveLength(1)
    if (moment === 'lifted before') await sim.faults.clear()
    for (let round = 0; round < 2; round++) {
      await sim.reset()
      // Refused where nothing is mined.
      const user = await openUser(sim)
      await user.fund('base', 'USDC', 9_000_000n)
    }
  },
)

const mines = (sim: SimulatorHandle) => readsOf(sim).request('base', 'anvil_getAutomine')
const switchMining = (sim: SimulatorHandle, isOn: boolean) =>
  readsOf(sim).request('base', 'evm_setAutomine', [isOn])
const transfer = { asset: 'USDC', amount: '1000000', network: 'base', recipient: exchange }

test('behavior: killed at any command while a stuck transaction holds its network: it mines again, and the plan is confirmed', async () => {
  const dir = await folder()
  await using first = await createSimulator({ dataDir: dir, clock: 'frozen' })
  const user = await openUser(first)
  await user.fund('base', 'USDC', 9_000_000n)
  await first.faults.set([{ on: 'execute', effect: { stuck: { seconds: 60 } }, times: 1 }])
  const activity = await executed(first, user, 'transfer', transfer)
  await first.clock.advance(60)
  const records = await logOf(await killed(dir))
  const changes = records.map(
    (record) => ('change' in record && record.part === 'base' ? record.change : {}) as Logged,
  )
  const off = changes.findLastIndex((change) => sets(change, false))
  const on = changes.findLastIndex((change) => sets(change, true))
  // The transaction that fills the gap, and the block of both.
  const held = changes.flatMap(({ method }, i) => (method && i >= off && i < on ? [i] : []))
  expect(held.map((i) => changes[i]!.method)).toEqual([
    ...['evm_setAutomine', 'eth_sendRawTransaction', 'evm_mine'],
  ])
  for (const last of held) {
    const image = await killed(dir)
    await cutLog(image, last + 1)
    await using sim = await createSimulator({ dataDir: image })
    expect(await mines(sim)).toBe(true)
    const again = userAt(sim, user)
    await sim.clock.advance(60)
    expect((await again.api.get(`/activities/${activity}`)).body).toMatchObject({
      activity_status: 'confirmed',
    })
    await again.fund('base', 'USDC', 1n)
  }
})

type Logged = { method?: string; params?: unknown[] }
const sets = ({ method, params }: Logged, isOn: boolean) =>
  method === 'evm_setAutomine' && params?.[0] === isOn

test('behavior: killed in a halt: what waits waits on, and is mined with the rule; a client’s own switch outlives both', async () => {
  const dir = await folder()
  const first = await createSimulator({ dataDir: dir, rpcUnsafe: true })
  const user = await openUser(first)
  await user.fund('base', 'USDC', 9_000_000n)
  await first.faults.set([{ on: 'chain', effect: 'halt', match: { network: 'base' } }])
  const { body } = await user.plan('transfer', transfer)
  expect((await user.execute(body as PlanBody)).status).toBe(200)
  const pool = (sim: SimulatorHandle) => readsOf(sim).request('base', 'txpool_status')
  await expect.poll(() => pool(first)).toMatchObject({ pending: '0x1' })
  const halted = await killed(dir)
  await first.faults.clear()
  await switchMining(first, false)
  await first.faults.set([{ on: 'chain', effect: 'halt', match: { network: 'base' } }])
  const both = await killed(dir)
  await first.close()
  await using sim = await createSimulator({ dataDir: halted, rpcUnsafe: true })
  expect(await pool(sim)).toMatchObject({ pending: '0x1' })
  await sim.faults.clear()
  expect(await mines(sim)).toBe(true)
  expect(await pool(sim)).toMatchObject({ pending: '0x0' })
  await using other = await createSimulator({ dataDir: both, rpcUnsafe: true })
  expect(await mines(other)).toBe(false)
})

test('behavior: killed beyond the deadline of a bridge in a halt: the next run says what stopped it and what holds it now', async () => {
  const halt = (id: string, network: 'arbitrum' | 'base') =>
    ({ id, on: 'chain', effect: 'halt', match: { network } }) as const
  const dir = await folder()
  const first = await createSimulator({ dataDir: dir, clock: 'frozen' })
  const user = await openUser(first)
  await user.fund('arbitrum', 'USDC', 9_000_000n)
  await first.faults.set([halt('before', 'base')])
  const activity = await executed(first, user, 'transfer', transfer)
  await first.clock.advance(700)
  const halted = await killed(dir)
  await first.faults.add(halt('later', 'arbitrum'))
  await first.faults.remove('before')
  const refunding = await killed(dir)
  await first.close()
  const stopped = 'because before (chain.halt) kept base from mining the fill before its deadline'
  for (const [image, holder] of [
    [halted, 'before'],
    [refunding, 'later'],
  ] as const) {
    await using sim = await createSimulator({ dataDir: image })
    const why = async () =>
      (await (await fetch(`${sim.controlUrl}/why/${activity}`)).json()) as { now: string }
    // A fill is sent 2 s after the relayer has seen the deposit again.
    await sim.clock.advance(2)
    const still = `${stopped}; it still waits, because ${holder} (chain.halt) is in force`
    await expect.poll(async () => (await why()).now).toContain(still)
    await sim.faults.remove(holder)
    await sim.clock.advance(0)
    const { now } = await why()
    expect(now).toMatch(/^failed: /)
    expect(now).toContain(stopped)
    expect(now).not.toContain('later')
  }
})
