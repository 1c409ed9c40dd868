import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Hex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { loadAddressBook } from '../../src/deployments/addressBook.js'
import { createSimulator, type SimulatorHandle } from '../../src/index.js'
import { recordBundle } from '../../src/tools/bundles/record.js'
import { otherKinds } from '../kit/plans.js'
import { positionsOn } from '../kit/positions.js'
import { startUpstream, type Upstream } from '../kit/upstream.js'
import { openUser, type PlanBody } from '../kit/user.js'

/**
 * What plans there are, confirmed on a fork of mainnet whose upstream is ahead of the machine's clock and has moved prices. With
 * `FORK_ORIGIN=bundle`, as tier `soak` has it, everything comes from a bundle that was recorded of it, and nobody is asked.
 */

const ether = 10n ** 18n
const usdc = 10n ** 6n
const day = 86_400
const network = 'mainnet'
const book = loadAddressBook().on(network)
const vault = book.morpho.vaults.find(({ assetSymbol }) => assetSymbol === 'USDC')!.address
const market = book.morpho.markets.find(({ label }) => label.startsWith('WETH/USDC'))!
/** Of the account that the bundle has. */
const key: Hex = `0x${'1a'.repeat(32)}`
let upstream: Upstream
let sim: SimulatorHandle

beforeAll(async () => {
  upstream = await startUpstream(network)
  await upstream.setPrice('ETH', 2900n * 10n ** 8n)
  await upstream.rpc.request('evm_increaseTime', [30 * day])
  await upstream.rpc.request('evm_mine')
})
afterAll(() => upstream.stop())

const chain = () => positionsOn(sim, network)

const origins = {
  async upstream() {
    return { fork: { [network]: { url: upstream.url } } }
  },
  async bundle() {
    const bundle = await mkdtemp(join(tmpdir(), 'bundle-'))
    await recordBundle({
      fork: { [network]: { url: upstream.url } },
      ...{ out: bundle, accounts: [privateKeyToAddress(key)], at: undefined },
      ...{ mayReplace: false, say() {} },
    })
    return { bundle }
  },
}

const origin = process.env.FORK_ORIGIN === 'bundle' ? 'bundle' : 'upstream'

describe(`from its ${origin}`, () => {
  beforeAll(async () => {
    const from = await origins[origin]()
    upstream.asked.length = 0
    sim = await createSimulator({ rpcUnsafe: true, bridgeDelayMs: 20, ...from })
  }, 200_000)
  afterEach(() => sim.reset())
  afterAll(async () => {
    await sim?.close()
    if (origin === 'bundle') expect(upstream.asked).toEqual([])
  })

  test('behavior: a fork whose block is ahead of the clock takes all networks with it', async () => {
    const { client } = chain()
    const there = Number((await client.getBlock()).timestamp)
    expect(there).toBeGreaterThan(Date.now() / 1000 + 29 * day)
    const offline = Number((await positionsOn(sim, 'optimism').client.getBlock()).timestamp)
    // Both go on by themselves from the same second.
    expect(Math.abs(there - offline)).toBeLessThan(60)
    const user = await openUser(sim, key)
    await user.fund('optimism', 'USDC', 20n * usdc)
    const { activity } = await user.run('earn', {
      ...{ asset: 'USDC', amount: '10000000', network, protocol: 'aave' },
    })
    expect(activity.activity_metadata.map(({ action_type }) => action_type)).toEqual([
      ...['BRIDGE', 'BRIDGE_MINT', 'AAVE_SUPPLY'],
    ])
  })

  test('behavior: every plan kind is confirmed', async () => {
    const user = await openUser(sim, key)
    const done = new Set<string>()
    const run = async (path: string, body: object) => {
      const { activity } = await user.run(path, { network, ...body })
      expect([path, activity.activity_status]).toEqual([path, 'confirmed'])
      done.add(path)
    }
    const amount = (100_000n * usdc).toString()
    await user.fund(network, 'USDC', 300_000n * usdc)
    await user.fund(network, 'ETH', 10n * ether)
    await run('earn', { asset: 'USDC', amount, protocol: 'compound' })
    await run('earn', { asset: 'USDC', amount, protocol: 'morpho_vault', market: vault })
    await chain().warp(day)
    await run('migrate', {
      ...{ asset: 'USDC', amount: usdc.toString(), from_protocol: 'compound', to_protocol: 'aave' },
    })
    const comp = { asset: 'USDC', protocol: 'aave', reward_assets: ['COMP'] }
    await run('reinvest_rewards', comp)
    await chain().warp(day)
    await run('claim-rewards', { asset: 'COMP' })
    // The fork's distributor knows nothing of what its vaults' holders might have earned.
    const reward = { asset: 'MORPHO', amount: ether.toString(), network }
    expect(
      (await user.api.post('/_sim/rewards', { account_id: user.id, ...reward })).body,
    ).toMatchObject({ owed: ether.toString() })
    await run('claim-rewards', { asset: 'MORPHO' })
    expect(await chain().balance('COMP', user.wallet)).toBeGreaterThan(0n)
    expect(await chain().balance('MORPHO', user.wallet)).toBe(ether)
    await run('withdraw', { asset: 'USDC', amount: 'max', protocol: 'aave' })
    await run('transfer', { asset: 'COMP', amount: '1', recipient: user.signer })
    await run('swap', { sell_asset: 'ETH', buy_asset: 'WBTC', sell_amount: ether.toString() })
    await run('swap-and-supply', {
      ...{ sell_asset: 'ETH', sell_amount: ether.toString(), buy_asset: 'USDC' },
      protocol: 'compound',
    })
    const loan = {
      ...{ asset: 'USDC', collateral_asset: 'WETH', amount: '500000000' },
      ...{ collateral_amount: ether.toString(), protocol: 'morpho', market: market.id },
    }
    await run('borrow', loan)
    await run('repay', { ...loan, amount: 'max', collateral_amount: 'max' })
    const position = { exposure_asset: 'WETH', backing_asset: 'USDC', market_id: market.id }
    await run('loop-long', {
      ...{ ...position, pool_fee: 500, is_increase: true, exposure_amount: ether.toString() },
      ...{ max_swap_backing_amount: '3100000000', max_provided_backing_amount: '2000000000' },
    })
    await run('add-backing', { ...position, amount: '200000000', is_short: false })
    await run('withdraw-backing', { ...position, amount: '100000000', is_short: false })
    await run('unloop-long', {
      ...{ ...position, pool_fee: 500, exposure_amount: 'max', backing_amount_to_exit: '0' },
      min_swap_backing_amount: '2700000000',
    })
    for (const [path, body] of otherKinds(done, network)) await run(path, body)
  })

  test('behavior: snapshots and reset take forks back too', async () => {
    const user = await openUser(sim, key)
    await user.fund(network, 'USDC', usdc)
    const id = await sim.snapshot()
    await user.fund(network, 'USDC', usdc)
    const request = { asset: 'USDC', amount: 'max', network, recipient: user.signer }
    await user.run('transfer', request)
    await sim.restore(id)
    expect(await chain().balance('USDC', user.wallet)).toBe(usdc)
    const plan = (await user.plan('transfer', request)).body as PlanBody
    expect((await user.execute(plan)).status).toBe(200)
    await sim.reset()
    expect(await chain().balance('USDC', user.wallet)).toBe(0n)
    const head = await upstream.rpc.request<Hex>('eth_blockNumber')
    expect(sim.forks.get(network)!.block).toBe(Number(head))
  })
})
