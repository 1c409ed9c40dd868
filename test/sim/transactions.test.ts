import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MinedLog } from '../../src/chain/transactions/logWatch.js'
import { readsOf } from '../kit/chainReads.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { openUser, type PlanBody } from '../kit/user.js'

let sim: SimulatorHandle
beforeAll(async () => {
  sim = await createSimulator({ clock: 'frozen' })
})
afterAll(() => sim.close())

interface Inspected {
  error?: string
  message?: string
  status: string
  network: string
  calls: { to: string; function: string; args: Record<string, unknown> }[]
  logs: { contract: string }[]
  balances: { address: string; asset: string; change: string }[]
}

const inspect = async (hash: string): Promise<Inspected> =>
  (await (await fetch(`${sim.controlUrl}/transactions/${hash}`)).json()) as Inspected

test('default: a swap is decoded by parameter name, and its balance changes are those of the chain', async () => {
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 900_000_000n)
  const reads = readsOf(sim)
  const plan = (
    await user.plan('swap', {
      network: 'base',
      sell_asset: 'USDC',
      buy_asset: 'WETH',
      sell_amount: '600000000',
    })
  ).body as PlanBody
  const { activity_id } = (await user.execute(plan)).body as { activity_id: string }
  const [item] = (await user.follow(activity_id)).activity_metadata
  const seen = await inspect(item!.transaction_hash as string)
  expect(seen).toMatchObject({ status: 'mined', network: 'base' })
  const own = Object.fromEntries(
    seen.balances
      .filter(({ address }) => address.toLowerCase() === user.wallet.toLowerCase())
      .map(({ asset, change }) => [asset, change]),
  )
  // Nothing else has moved its balances: what it has is what the transaction says, beyond what it was given.
  const held = (symbol: string) => reads.balance('base', symbol, user.wallet)
  expect(BigInt(own.USDC!)).toBe((await held('USDC')) - 900_000_000n)
  expect(BigInt(own.WETH!)).toBe(await held('WETH'))
  expect(BigInt(own.WETH!)).toBeGreaterThan(0n)
  const swap = seen.calls.find(({ to }) => to === 'exchange')
  expect(Object.keys(swap!.args)).not.toContain('data')
  // Nothing comes from nowhere.
  const sums = new Map<string, bigint>()
  for (const { asset, change } of seen.balances)
    sums.set(asset, (sums.get(asset) ?? 0n) + BigInt(change))
  expect([...sums.values()].filter((sum) => sum !== 0n)).toEqual([])
})

test('behavior: a deposit names its parameters, the wallet in its logs, and the contract that the wallet delegates to', async () => {
  const user = await openUser(sim)
  await user.fund('optimism', 'USDC', 9_000_000n)
  const body = { network: 'base', asset: 'USDC', amount: '5000000', protocol: 'compound' }
  const plan = (await user.plan('earn', body)).body as PlanBody
  const { activity_id } = (await user.execute(plan)).body as { activity_id: string }
  await sim.clock.advance(10)
  const { activity_metadata } = await user.follow(activity_id)
  const seen = await inspect(activity_metadata[0]!.transaction_hash as string)
  const deposit = seen.calls.find((call) => call.function === 'depositV3')
  expect(deposit).toMatchObject({ to: 'spoke pool', args: { destinationChainId: '8453' } })
  expect(seen.calls.map(({ to }) => to)).toContain('wallet implementation')
  expect(seen.logs.map(({ contract }) => contract)).toContain(user.id)
})

test('behavior: an old one is as when it was mined, but for its calls, and after a restore and a reorganisation too', async () => {
  const user = await openUser(sim)
  const reads = readsOf(sim)
  await user.fund('base', 'USDC', 900_000_000n)
  const recipient = '0x00000000000000000000000000000000000f41e8'
  const sent = { network: 'base', asset: 'USDC', amount: '5', recipient }
  const { activity } = await user.run('transfer', sent)
  const hash = activity.activity_metadata[0]!.transaction_hash as Hex
  const request = (method: string, ...params: unknown[]) => reads.request('base', method, params)
  const ask = (path: string) => fetch(`${sim.controlUrl}${path}`).then((answer) => answer.json())
  const { blockNumber } = (await request('eth_getTransactionReceipt', hash)) as MinedLog
  const range = { fromBlock: blockNumber, toBlock: blockNumber }
  const askAll = async () => [
    await request('eth_getTransactionByHash', hash),
    await request('eth_getTransactionReceipt', hash),
    await request('eth_getLogs', range),
    { ...(await inspect(hash)), calls: null },
    await ask(`/why/${activity.activity_id}`),
  ]
  const before = await askAll()
  expect((await inspect(hash)).calls).not.toBeNull()
  await request('anvil_mine', 300)
  expect(await askAll()).toEqual(before)
  expect((await inspect(hash)).calls).toBeNull()
  const snapshot = await sim.snapshot()
  await request('anvil_mine', 300)
  await sim.restore(snapshot)
  expect((await askAll()).slice(0, 4)).toEqual(before.slice(0, 4))
  await request('anvil_mine', 40) // a revert leaves a node no states of past blocks
  await request('anvil_reorg', 5, [])
  expect((await askAll()).slice(0, 4)).toEqual(before.slice(0, 4))
  expect((await user.api.get(`/activities/${activity.activity_id}`)).body).toEqual(activity)
  await sim.reset()
  expect(await request('eth_getTransactionReceipt', hash)).toBeNull()
  expect(await inspect(hash)).toMatchObject({ error: 'not_found' })
})

test('default: the blocks of a network lead to what sent their transactions, with sender, fee and decoded call', async () => {
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 9_000_000n)
  const sent = { network: 'base', asset: 'USDC', amount: '5', recipient: user.wallet }
  const { plan, activity } = await user.run('transfer', sent)
  const hash = activity.activity_metadata[0]!.transaction_hash as Hex
  const blocks = async (query = '') =>
    (await (await fetch(`${sim.controlUrl}/blocks/base${query}`)).json()) as {
      blocks: { number: number; transactions: Record<string, unknown>[] }[]
    }
  const newest = (await blocks()).blocks
  const block = newest.find(({ transactions }) => transactions.some((each) => each.hash === hash))!
  const found = block.transactions.find((each) => each.hash === hash)!
  const { calls, ...whole } = (await inspect(hash)) as unknown as Record<string, unknown>
  expect(whole).toMatchObject(found)
  expect(calls).not.toBeNull()
  expect(found).toMatchObject({
    status: 'mined',
    from_name: 'relayer',
    function: expect.stringMatching(/execute/i),
    plan_id: plan.plan_id,
    activity_id: activity.activity_id,
    request_id: expect.stringMatching(/^req_/),
  })
  expect(found.to_name).not.toMatch(/^0x/)
  const receipt = (await readsOf(sim).request('base', 'eth_getTransactionReceipt', [hash])) as {
    gasUsed: Hex
    effectiveGasPrice: Hex
  }
  expect(found.fee).toBe(`${BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice)}`)
  // From a block on, downwards; beyond the latest there is none.
  const older = (await blocks(`?last=${block.number}&limit=2`)).blocks
  expect(older.map(({ number }) => number)).toEqual([block.number, block.number - 1])
  expect((await blocks('?last=99999999')).blocks).toEqual([])
})

test('error: blocks of no network, and too many of them', async () => {
  const ask = async (path: string) => (await fetch(`${sim.controlUrl}/blocks/${path}`)).json()
  expect(await ask('goerli')).toMatchObject({ error: 'not_found' })
  expect(await ask('base?limit=51')).toMatchObject({ error: 'invalid_params' })
  expect(await ask('base?last=-1')).toMatchObject({ error: 'invalid_params' })
})

test('error: no hash, and one that no network has mined', async () => {
  expect(await inspect('0x12')).toMatchObject({
    error: 'invalid_params',
    message: 'hash must be 0x and 64 hex digits, but it is 0x12',
  })
  expect(await inspect(`0x${'ab'.repeat(32)}`)).toMatchObject({ error: 'not_found' })
})
