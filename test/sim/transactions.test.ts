import { afterAll, beforeAll, expect, test } from 'vitest'
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

test('error: no hash, and one that no network has mined', async () => {
  expect(await inspect('0x12')).toMatchObject({
    error: 'invalid_params',
    message: 'hash must be 0x and 64 hex digits, but it is 0x12',
  })
  expect(await inspect(`0x${'ab'.repeat(32)}`)).toMatchObject({ error: 'not_found' })
})
