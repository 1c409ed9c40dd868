import { toHex } from 'viem/utils'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { loadAddressBook } from '../../src/deployments/addressBook.js'
import { type NetworkName, networkNames } from '../../src/deployments/networks.js'
import { createClient } from '../kit/client.js'
import { rpc } from '../kit/http.js'
import { type RpcTap, tapRpc } from '../kit/rpcTap.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { openUser, type PlanBody, type User } from '../kit/user.js'

/**
 * A network that has not changed since a folio was read is not asked again, and what is answered is what it would have said. Here
 * the clock is frozen, so that time changes nothing by itself.
 */

const asked = { of: [] as string[] }

const watch: RpcTap = ({ network, method }, proceed) => {
  if (method === 'eth_call') asked.of.push(network)
  return proceed()
}

let sim: SimulatorHandle
let user: User

const someone = '0x00000000000000000000000000000000000f41e7'
const ether = 10n ** 18n
const transfer = { asset: 'USDC', amount: '1000000', network: 'base', recipient: someone }

beforeAll(async () => {
  tapRpc(watch)
  sim = await createSimulator({
    clock: 'frozen',
    bridgeDelayMs: 20,
    readTimeoutMs: 2_000,
    rpcUnsafe: true,
  })
})
beforeEach(async () => {
  user = await openUser(sim)
  for (const network of networkNames) await user.fund(network, 'USDC', 5_000_000n)
})
afterAll(() => {
  tapRpc(undefined)
  return sim.close()
})

async function folioOf(who = user): Promise<Record<string, Record<string, string>>> {
  const { status, body } = await who.api.get(`${who.path}/folio`)
  expect(status).toBe(200)
  return body.folio
}

const request = <T = unknown>(network: NetworkName, method: string, ...params: unknown[]) =>
  rpc<T>(sim.rpc(network), method, params)

const control = (method: string, path: string, body?: unknown) =>
  createClient({ url: sim.url, apiKey: sim.apiKey }).send(
    method,
    `/_sim/${path}`,
    JSON.stringify(body),
    { headers: { 'content-type': 'application/json' } },
  )

/** The networks that are read for a folio, and the folio. */
async function reading() {
  // Nothing else may go on: blocks that were mined before are still being looked at.
  await sim.clock.advance(0)
  await folioOf()
  await folioOf()
  asked.of = []
}

/** What was kept before a change is not what is told after it; what is told is what the nodes say when all of them are asked. */
async function expectTrue(of: User = user): Promise<Record<string, Record<string, string>>> {
  const told = await folioOf(of)
  for (const network of networkNames) await request(network, 'anvil_setBalance', someone, '0x1')
  asked.of = []
  const anew = await folioOf(of)
  expect(new Set(asked.of)).toEqual(new Set(networkNames))
  expect(told).toEqual(anew)
  return told
}

const nativeOf = (folio: Record<string, Record<string, string>>, net = 'base') =>
  folio.balances![`token/${net}/ETH/${user.wallet}`]

test('default: a folio again with nothing changed asks no node', async () => {
  await reading()
  const before = await folioOf()
  expect(await folioOf()).toEqual(before)
  expect(asked.of).toEqual([])
  expect(await expectTrue()).toEqual(before)
})

test('behavior: after a change of one network that one alone is asked', async () => {
  await reading()
  await user.fund('arbitrum', 'USDC', 1_000_000n)
  asked.of = []
  const folio = await folioOf()
  expect(folio.balances![`token/arbitrum/USDC/${user.wallet}`]).toBe('6e6')
  expect(asked.of).toEqual(['arbitrum'])
  await folioOf()
  expect(asked.of).toEqual(['arbitrum'])
})

test('behavior: several at once are the same, and what one wallet has is not told another', async () => {
  const other = await openUser(sim)
  await other.fund('base', 'USDC', 7_000_000n)
  await reading()
  const users = Array.from({ length: 12 }, (_, i) => (i % 2 === 0 ? user : other))
  const folios = await Promise.all(users.map((each) => folioOf(each)))
  for (const [i, folio] of folios.entries())
    expect(folio.balances![`token/base/USDC/${users[i]!.wallet}`]).toBe(i % 2 === 0 ? '5e6' : '7e6')
})

test('behavior: a plan is made from what is, also right after a folio', async () => {
  await reading()
  const all = { ...transfer, amount: '5000000' }
  expect((await user.run('transfer', all)).activity.activity_status).toBe('confirmed')
  expect((await folioOf()).balances![`token/base/USDC/${user.wallet}`]).toBeUndefined()
  const { status } = await user.plan('transfer', { ...all, amount: '21000000' })
  expect(status).toBe(400)
})

const sendPlainly = async (times: number): Promise<void> => {
  await request('base', 'anvil_setBalance', someone, toHex(100n * ether))
  await request('base', 'anvil_impersonateAccount', someone)
  const transaction = {
    from: someone,
    to: user.wallet,
    value: toHex(ether),
    gas: toHex(10_000_000),
  }
  for (let i = 0; i < times; i++) await request('base', 'eth_sendTransaction', transaction)
}

/** What can change a chain, with the balance of ether on base that it leaves where that is what changes. */
const changes: Record<string, [change: () => Promise<unknown>, ether?: string]> = {
  'the faucet': [() => user.fund('base', 'ETH', 3n * ether), '3e18'],
  'a direct write over JSON-RPC': [
    () => request('base', 'anvil_setBalance', user.wallet, toHex(2n * ether)),
    '2e18',
  ],
  'a contract taken away over JSON-RPC': [
    async () => {
      const { address } = loadAddressBook().token('base', 'USDC')!
      await request('base', 'anvil_setCode', address, '0x')
      await request('base', 'evm_mine')
    },
  ],
  'a price': [() => control('PUT', 'prices/ETH', { usd: '1234.5' })],
  'time going by': [() => sim.clock.advance(86_400)],
  'time moved by a client': [
    async () => {
      const { timestamp } = await request<{ timestamp: string }>(
        'base',
        'eth_getBlockByNumber',
        'latest',
        false,
      )
      await request('base', 'evm_setNextBlockTimestamp', Number(timestamp) + 86_400)
      await request('base', 'evm_mine')
    },
  ],
  'an executed plan': [() => user.run('transfer', transfer)],
  'a snapshot of the node that is returned to': [
    async () => {
      const id = await request('base', 'evm_snapshot')
      await user.fund('base', 'ETH', ether)
      await folioOf()
      await request('base', 'evm_revert', id)
    },
  ],
}

test.each(Object.entries(changes))(
  'behavior: nothing stale is told after %s',
  async (name, [change, left]) => {
    const start = await sim.snapshot()
    await reading()
    const before = await folioOf()
    await change()
    const told = await expectTrue()
    if (left !== undefined) expect(nativeOf(told)).toBe(left)
    else if (!name.includes('returned')) expect(told).not.toEqual(before)
    await sim.restore(start)
    expect(await expectTrue()).toEqual(before)
  },
)

test('behavior: transactions that are mined after their answer are seen, each of them', async () => {
  await reading()
  await sendPlainly(12)
  for (let n = 0; n < 12; n = Number.parseInt(nativeOf(await folioOf()) ?? '0', 10));
  expect(nativeOf(await expectTrue())).toBe('12e18')
  asked.of = []
  await folioOf()
  expect(asked.of).toEqual([])
})

test('behavior: transactions that wait, and are mined in one block and then another', async () => {
  await reading()
  await request('base', 'evm_setAutomine', false)
  await sendPlainly(5)
  await folioOf()
  for (let i = 0; i < 2; i++) {
    await request('base', 'evm_mine')
    await expectTrue()
  }
  await request('base', 'evm_setAutomine', true)
  await request('base', 'evm_mine')
  expect(nativeOf(await expectTrue())).toBe('5e18')
})

test('behavior: nothing stale is told after a reorganisation', async () => {
  await reading()
  const { id } = await sim.faults.add({
    on: 'chain',
    effect: 'reorg',
    match: { account_id: user.id },
  })
  const plan = (await user.plan('transfer', transfer)).body as PlanBody
  await user.execute(plan)
  // Read all the way through: pending, confirmed, gone, pending, and confirmed again.
  const told = new Set<string | undefined>()
  for (let cursor = 0, seen = 0; seen < 4; ) {
    told.add((await folioOf()).balances![`token/base/USDC/${user.wallet}`])
    const { body } = await user.api.get(`${user.path}/events?since=${cursor}&poll=true`)
    cursor = body.cursor
    seen += body.events.length
  }
  expect([...told].every((amount) => amount === '5e6' || amount === '4e6')).toBe(true)
  await sim.faults.remove(id)
  expect((await expectTrue()).balances![`token/base/USDC/${user.wallet}`]).toBe('4e6')
})

test('behavior: nothing stale is told after a liquidation', async () => {
  await user.fund('base', 'WETH', ether)
  const loan = { amount: '2000000000', asset: 'USDC', network: 'base', protocol: 'compound' }
  const backing = { collateral_asset: 'WETH', collateral_amount: ether.toString() }
  await user.run('borrow', { ...loan, ...backing })
  await reading()
  const before = await folioOf()
  await control('PUT', 'prices/ETH', { usd: '1500' })
  const { body } = await control('POST', 'liquidations', { account_id: user.id })
  expect(body.liquidations).toMatchObject([{ protocol: 'compound' }])
  const told = await expectTrue()
  const debts = (folio: typeof told) =>
    Object.keys(folio.balances!).filter((key) => key.startsWith('borrow_market/'))
  expect([debts(before).length, debts(told).length]).toEqual([1, 0])
  await sim.reset()
})

test('behavior: nothing stale is told after a reset, nor of a wallet that is opened again', async () => {
  const key = user.key
  await reading()
  await sim.reset()
  user = await openUser(sim, key)
  const told = await expectTrue()
  expect(Object.keys(told.balances!)).toEqual([])
})

test('behavior: of a node that does not answer nothing is told, and a slow one is slow', async () => {
  await reading()
  const rule = await sim.faults.add({ on: 'chain', effect: { slow: { ms: 1 } } })
  await folioOf()
  expect(sim.faults.list()).toMatchObject([{ id: rule.id, hits: networkNames.length }])
  await sim.faults.clear()
  await sim.faults.add({ on: 'chain', effect: 'down', match: { network: 'optimism' } })
  expect((await user.api.get(`${user.path}/folio`)).status).toBe(408)
  await sim.faults.clear()
  await expectTrue()
})
