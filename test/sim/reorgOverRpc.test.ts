import { once } from 'node:events'
import type { Address, Hex } from 'viem'
import { getWebSocketRpcClient } from 'viem/utils'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { loadAddressBook } from '../../src/deployments/addressBook.js'
import type { NetworkName } from '../../src/deployments/networks.js'
import { replacedReason } from '../../src/service/activities/outside.js'
import { readsOf } from '../kit/chainReads.js'
import { openPayer } from '../kit/payer.js'
import { tapRpc } from '../kit/rpcTap.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { type ActivityBody, openUser } from '../kit/user.js'

/** Clients that take blocks back over `/rpc`: what was confirmed in them is noticed, on a frozen clock before the next answer. */

const friend: Address = '0x00000000000000000000000000000000000f41e7'
const transfer = { asset: 'USDC', amount: '1000000', network: 'base', recipient: friend }
let sim: SimulatorHandle

beforeAll(async () => {
  sim = await createSimulator({ clock: 'frozen', seed: 8n, bridgeDelayMs: 0 })
})
afterAll(() => sim.close())

type User = Awaited<ReturnType<typeof openUser>>

const request = <T = unknown>(
  method: string,
  params: unknown[] = [],
  network: NetworkName = 'base',
) => readsOf(sim).request<T>(network, method, params)

async function funded(amount = 5_000_000n): Promise<User> {
  const user = await openUser(sim)
  await user.fund('base', 'USDC', amount)
  return user
}

/** A log, as far as tests look at it. */
interface SeenLog {
  transactionHash: Hex
  removed: boolean
}

/** What the account was told of its activities, in order. */
async function told({ api, path }: User): Promise<string[]> {
  const { events } = (await api.get(`${path}/events`)).body as {
    events: { data: { activity_status: string } }[]
  }
  return events.map(({ data }) => data.activity_status)
}

/** How often the timeline of a plan has an event of its confirmation. */
async function confirmations({ plan_id }: { plan_id: string }): Promise<number> {
  const response = await fetch(`${sim.url}/_sim/why/${plan_id}`)
  const { timeline } = (await response.json()) as {
    timeline: { type: string; details: { activity_status?: string } }[]
  }
  return timeline.filter(
    ({ type, details }) => type === 'event' && details.activity_status === 'confirmed',
  ).length
}

async function outside({ api, path }: User): Promise<ActivityBody[]> {
  const { activities } = (await api.get(`${path}/activities`)).body
  return activities.filter((one: { plan_id: string | null }) => one.plan_id === null)
}

const blockOf = (hash: Hex | null) =>
  request<{ blockHash: Hex } | null>('eth_getTransactionReceipt', [hash])
const balance = (account: Address) => readsOf(sim).balance('base', 'USDC', account)

test.each<[string, unknown[]]>([
  ['anvil_rollback', [1]],
  ['anvil_reorg', [1, []]],
])(
  'default: %s takes a confirmed plan off the chain: pending, sent again, confirmed',
  async (method, params) => {
    const user = await funded()
    const before = await balance(friend)
    const { activity } = await user.run('transfer', transfer)
    const [item] = activity.activity_metadata
    await request(method, params)
    const { body } = await user.api.get(`/activities/${activity.activity_id}`)
    expect(body.activity_status).toBe('confirmed')
    expect(await told(user)).toEqual(['pending', 'confirmed', 'pending', 'confirmed'])
    const [again] = (body as ActivityBody).activity_metadata
    expect(again).toMatchObject({ success: true, action_type: 'TRANSFER' })
    expect(await blockOf(again!.transaction_hash)).not.toBeNull()
    expect([
      item!.transaction_hash,
      (await blockOf(item!.transaction_hash))?.blockHash,
    ]).not.toEqual([again!.transaction_hash, undefined])
    expect((await balance(friend)) - before).toBe(1_000_000n)
    expect(await balance(user.wallet)).toBe(4_000_000n)
  },
)

test('behavior: several at once, and once more: each plan is sent again, and money moves once', async () => {
  const users = [await funded(), await funded()]
  const before = await balance(friend)
  const runs: { plan: { plan_id: string } }[] = []
  for (const user of users) runs.push(await user.run('transfer', transfer))
  for (const round of [1, 2]) {
    await request('anvil_rollback', [2])
    for (const user of users) {
      const each = Array(round + 1).fill(['pending', 'confirmed'])
      expect(await told(user)).toEqual(each.flat())
      expect(await balance(user.wallet)).toBe(4_000_000n)
    }
    // What a reopened execution does is told with the request that executed, whoever noticed the reorganisation.
    for (const { plan } of runs) expect(await confirmations(plan)).toBe(round + 1)
  }
  expect((await balance(friend)) - before).toBe(2_000_000n)
  // The nonce is the chain's: another plan goes through.
  const { activity } = await users[0]!.run('transfer', transfer)
  expect(activity.activity_status).toBe('confirmed')
})

test('behavior: over a WebSocket it is noticed as well', async () => {
  const user = await funded()
  await user.run('transfer', transfer)
  const socket = await getWebSocketRpcClient(sim.rpc('base').replace('http', 'ws'))
  await socket.requestAsync({ body: { method: 'anvil_rollback', params: [1] } })
  expect(await told(user)).toEqual(['pending', 'confirmed', 'pending', 'confirmed'])
  socket.close()
})

test('behavior: blocks that are replaced on one network leave plans on others as they are', async () => {
  const user = await funded()
  await user.run('transfer', transfer)
  await request('evm_mine', [], 'optimism')
  await request('anvil_rollback', [1], 'optimism')
  expect(await told(user)).toEqual(['pending', 'confirmed'])
})

test('behavior: a fill that is taken back is made again, and what it paid for is sent again', async () => {
  const user = await openUser(sim)
  await user.fund('arbitrum', 'USDC', 50_000_000n)
  const before = await balance(friend)
  const { activity } = await user.run('transfer', { ...transfer, amount: '30000000' })
  const fill = activity.activity_metadata.find((item) => item.action_type === 'BRIDGE_MINT')!
  const { blockNumber } = (await request<{ blockNumber: Hex }>('eth_getTransactionReceipt', [
    fill.transaction_hash,
  ]))!
  const latest = Number(await request<Hex>('eth_blockNumber'))
  await request('anvil_rollback', [latest - Number(blockNumber) + 1])
  const { body } = await user.api.get(`/activities/${activity.activity_id}`)
  expect(body.activity_status).toBe('confirmed')
  expect((await told(user)).at(-1)).toBe('confirmed')
  expect((await told(user)).filter((status) => status === 'confirmed')).toHaveLength(2)
  for (const item of (body as ActivityBody).activity_metadata)
    if (item.chain_id === fill.chain_id) expect(await blockOf(item.transaction_hash)).not.toBeNull()
  expect((await balance(friend)) - before).toBe(30_000_000n)
})

test('behavior: a deposit that is taken back is not filled, but made again and then filled', async () => {
  await using slow = await createSimulator({ clock: 'frozen', seed: 9n })
  const reads = readsOf(slow)
  const user = await openUser(slow)
  await user.fund('arbitrum', 'USDC', 50_000_000n)
  const { body } = await user.plan('transfer', { ...transfer, amount: '30000000' })
  const { activity_id } = (await user.execute(body)).body
  expect((await user.api.get(`/activities/${activity_id}`)).body.activity_status).toBe('pending')
  await reads.request('arbitrum', 'anvil_rollback', [1])
  // Noticed: before anything is due there is a deposit again.
  const pool = await reads.balance('arbitrum', 'USDC', user.wallet)
  expect(pool).toBeLessThan(50_000_000n)
  await slow.clock.advance(2)
  const after = (await user.api.get(`/activities/${activity_id}`)).body as ActivityBody
  expect(after.activity_status).toBe('confirmed')
  expect(await reads.balance('base', 'USDC', friend)).toBe(30_000_000n)
  const deposit = after.activity_metadata.find((item) => item.action_type === 'BRIDGE')!
  const receipt = await reads.request('arbitrum', 'eth_getTransactionReceipt', [
    deposit.transaction_hash,
  ])
  expect(receipt).not.toBeNull()
})

test('behavior: a transfer from outside that is taken back has failed; mined again, it is confirmed again', async () => {
  const user = await openUser(sim)
  const payer = await openPayer(sim)
  const signed = await payer.sign('base', { to: user.wallet, value: 5n })
  await payer.sendRaw('base', signed)
  await request('anvil_rollback', [1])
  expect(await told(user)).toEqual(['confirmed', 'failed'])
  const [gone] = await outside(user)
  expect(gone!.activity_metadata).toMatchObject([
    { success: false, revert_reason: replacedReason, reverted_at: expect.any(String) },
  ])
  await payer.sendRaw('base', signed)
  expect(await told(user)).toEqual(['confirmed', 'failed', 'confirmed'])
  const [again, ...others] = await outside(user)
  expect(others).toEqual([])
  expect(again).toMatchObject({ activity_id: gone!.activity_id, activity_status: 'confirmed' })
  expect(again!.activity_metadata).toMatchObject([{ success: true, revert_reason: null }])

  // In another block, but never away: nothing has happened to it.
  await request('anvil_reorg', [1, [[signed, 0]]])
  expect(await told(user)).toEqual(['confirmed', 'failed', 'confirmed'])
})

test.each([
  ['anvil_setBalance', 'anvil_setBalance'],
  ['hardhat_setBalance', 'hardhat_setBalance'],
  ['a batch', 'batch'],
])(
  'behavior: what a client writes with %s is not lost by a reorganisation of a fault',
  async (_, method) => {
    const user = await funded()
    const rich: Address = `0x${user.id
      .slice(4)
      .replace(/./g, (c) => (c.charCodeAt(0) % 16).toString(16))
      .padStart(40, 'a')}`
    for (let i = 0; i < 3; i++) await request('evm_mine')
    if (method === 'batch') {
      const write = { jsonrpc: '2.0', id: 1, method: 'anvil_setBalance', params: [rich, '0x7'] }
      const read = { jsonrpc: '2.0', id: 2, method: 'eth_chainId', params: [] }
      await fetch(sim.rpc('base'), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify([read, write]),
      })
    } else await request(method, [rich, '0x7'])
    const { id } = await sim.faults.add({ on: 'chain', effect: { reorg: { depth: 20 } }, times: 1 })
    await user.run('transfer', transfer)
    expect((await told(user)).slice(-2)).toEqual(['pending', 'confirmed'])
    await sim.faults.remove(id)
    expect(await request('eth_getBalance', [rich, 'latest'])).toBe('0x7')
  },
)

test('behavior: an activity stays confirmed while its block is on the chain, though its receipt cannot be had', async () => {
  const user = await funded()
  const { activity } = await user.run('transfer', transfer)
  const [item] = activity.activity_metadata
  await request('evm_mine')
  let asked = 0
  tapRpc(async ({ method, params }, proceed) => {
    const isOurs = method === 'eth_getTransactionReceipt' && params[0] === item!.transaction_hash
    if (!isOurs) return proceed()
    asked++
    return { result: null }
  })
  try {
    await request('anvil_reorg', [1, []])
    expect((await user.api.get(`/activities/${activity.activity_id}`)).body).toEqual(activity)
  } finally {
    tapRpc(undefined)
  }
  expect(asked).toBeGreaterThan(0)
  expect(await told(user)).toEqual(['pending', 'confirmed'])
})

test('behavior: an execution whose node gives no receipt in time is confirmed when its transaction is on the chain', async () => {
  const user = await funded()
  let lost = 0
  tapRpc(async ({ method }, proceed) => {
    const answer = await proceed()
    if (method !== 'eth_sendTransactionSync' || lost > 0) return answer
    lost++
    const error = { code: -32000, message: 'Transaction confirmation timeout' }
    return JSON.stringify({ jsonrpc: '2.0', id: 1, error })
  })
  try {
    const { activity } = await user.run('transfer', transfer)
    expect(activity.activity_status).toBe('confirmed')
  } finally {
    tapRpc(undefined)
  }
  expect(lost).toBe(1)
})

test('behavior: subscribers and filters get the removed logs again, marked, before the new ones', async () => {
  const user = await funded()
  const usdc = loadAddressBook().token('base', 'USDC')!.address
  const socket = new WebSocket(`${sim.rpc('base').replace('http', 'ws')}`)
  await once(socket, 'open')
  const told: SeenLog[] = []
  const subscribed = new Promise<void>((resolve) => {
    socket.on('message', (text) => {
      const { id, params } = JSON.parse(String(text))
      if (id === 7) resolve()
      else told.push(params.result)
    })
  })
  const query = { address: usdc }
  const params = ['logs', query]
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'eth_subscribe', params }))
  await subscribed
  const filter = await request('eth_newFilter', [query])
  const other = await request('eth_newFilter', [{ address: friend }])
  const { activity } = await user.run('transfer', transfer)
  const hash = activity.activity_metadata[0]!.transaction_hash
  await vi.waitFor(() => expect(told).toHaveLength(1))
  // One filter is asked before, the other logs come with what became of them.
  const late = await request('eth_newFilter', [query])
  const first = await request<SeenLog[]>('eth_getFilterChanges', [filter])
  expect(first).toEqual(told)
  expect(first[0]).toMatchObject({ transactionHash: hash, removed: false })
  try {
    await request('anvil_reorg', [1, []])
    const { body } = await user.api.get(`/activities/${activity.activity_id}`)
    const again = (body as ActivityBody).activity_metadata[0]!.transaction_hash
    await vi.waitFor(() => expect(told).toHaveLength(3))
    expect(told[1]).toEqual({ ...first[0], removed: true })
    expect(told[2]).toMatchObject({ transactionHash: again, removed: false })
    const changes = await request<SeenLog[]>('eth_getFilterChanges', [filter])
    expect(changes).toEqual(told.slice(1))
    expect(await request('eth_getFilterChanges', [late])).toEqual(told.slice(1))
    expect(await request('eth_getFilterChanges', [filter])).toEqual([])
    expect(await request('eth_getFilterChanges', [other])).toEqual([])
    expect(await request('eth_getFilterLogs', [late])).not.toContainEqual(told[1])
  } finally {
    socket.terminate()
  }
})
