import type { Address, Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { act, artifact, place } from '../../src/chain/genesis/contracts.js'
import { cometArguments } from '../../src/chain/genesis/protocols/comet.js'
import { walletAddressOf } from '../../src/chain/wallet/wallet.js'
import { actors } from '../../src/deployments/actors.js'
import { loadAddressBook } from '../../src/deployments/addressBook.js'
import type { NetworkName } from '../../src/deployments/networks.js'
import type { SimulatorHandle } from '../../src/index.js'
import { origins, twoOrigins } from '../kit/origins.js'
import { openPayer } from '../kit/payer.js'
import { positionsOn } from '../kit/positions.js'
import {
  placeMakersPool,
  startUpstream,
  type Upstream,
  upstreamBalance,
  upstreamKey,
} from '../kit/upstream.js'

/** Base and mainnet forked from chains that are not as the offline world is; the other three networks offline. */

const ether = 10n ** 18n
const book = loadAddressBook()
const base = book.on('base')
const gone = base.comets.find(({ baseSymbol }) => baseSymbol === 'WETH')!
const changed = base.comets.find(({ baseSymbol }) => baseSymbol === 'USDC')!
const vault = base.morpho.vaults.find(({ assetSymbol }) => assetSymbol === 'USDC')!
const market = base.morpho.markets.find(({ label }) => label.startsWith('WETH/USDC'))!
const friend: Address = '0x00000000000000000000000000000000000f41e7'
const whale: Address = '0x0000000000000000000000000000000000077a1e'
const steps: string[] = []
const { start, end, openUser, nextKey } = twoOrigins()
let upstreams: Upstream[]
let sim: SimulatorHandle

beforeAll(async () => {
  upstreams = await Promise.all(
    (['base', 'mainnet'] as const).map((network) => startUpstream(network)),
  )
  await Promise.all(upstreams.map(changeUpstream))
})
afterAll(() => Promise.all(upstreams.map((upstream) => upstream.stop())))

/** Another price of ether, half a year of interest, a whale, a market that is gone, a token that keeps shares. */
async function changeUpstream(upstream: Upstream): Promise<void> {
  const { rpc, node, book: there, setPrice } = upstream
  await setPrice('ETH', 3150n * 10n ** 8n)
  await placeMakersPool(upstream)
  const usdc = there.tokens.find(({ symbol }) => symbol === 'USDC')!.address
  const token = artifact('Token')
  await act(node, actors.admin, { address: usdc, abi: token.abi }, 'mint', [whale, 5n])
  if (there.network === 'base') {
    await rpc.request('anvil_setCode', [gone.address, '0x'])
    await relist(upstream)
    const comp = there.tokens.find(({ symbol }) => symbol === 'COMP')!.address
    await rpc.request('anvil_setCode', [comp, '0x'])
    await place(node, comp, artifact('ShareToken'), [actors.admin])
    const shares = { address: comp, abi: artifact('ShareToken').abi }
    await act(node, actors.admin, shares, 'mint', [there.cometRewards, 100_000n * ether])
  }
  await rpc.request('evm_mine')
}

/** The market has another smallest loan, other factors and caps, takes no cbETH any more, and DAI from now on. */
async function relist({ rpc, node, book: there }: Upstream): Promise<void> {
  const dai = there.tokens.find(({ symbol }) => symbol === 'DAI')!
  const collaterals = changed.collaterals
    .filter(({ symbol }) => symbol !== 'cbETH')
    .map((collateral) => ({ ...collateral, borrowCollateralFactor: 5n * 10n ** 17n }))
  const listed = {
    ...{ ...collaterals[0]!, symbol: 'DAI', asset: dai.address, decimals: 18 },
    ...{ priceFeed: dai.feed, supplyCap: 7_000_000n * ether },
  }
  // The array of the collaterals is in storage; the constructor appends to it.
  for (let slot = 0; slot < 20; slot++) {
    const at = [changed.address, `0x${slot.toString(16)}`]
    const word = await rpc.request<Hex>('eth_getStorageAt', [...at, 'latest'])
    if (BigInt(word) === BigInt(changed.collaterals.length))
      await rpc.request('anvil_setStorageAt', [...at, `0x${'00'.repeat(32)}`])
  }
  const market = { ...changed, baseBorrowMin: 500_000_000n, collaterals: [...collaterals, listed] }
  await place(node, changed.address, artifact('Comet'), cometArguments(there, market))
}

async function blockOf({ rpc }: Upstream): Promise<number> {
  return Number(await rpc.request<Hex>('eth_blockNumber'))
}

const usdc = (amount: bigint, more: object) => ({
  ...{ asset: 'USDC', amount: amount.toString(), network: 'base' },
  ...more,
})

/** What the test looks at. */
interface CometInFolio {
  base_borrow_min: string
  collaterals: Record<string, object>
}

describe.each(origins)('from its %s', (origin) => {
  beforeAll(async () => {
    const [up, main] = upstreams as [Upstream, Upstream]
    steps.length = 0
    sim = await start(origin, upstreams, {
      bridgeDelayMs: 20,
      onProgress: (step) => steps.push(step),
      fork: { base: { url: up.url }, mainnet: { url: main.url, block: await blockOf(main) } },
    })
  })
  afterAll(() => end(origin, upstreams, sim))

  test('default: two networks forked at once; a wallet has the address that it has offline', async () => {
    const user = await openUser(sim)
    expect(user.wallet).toBe(walletAddressOf(user.signer))
    expect([...sim.forks.keys()].sort()).toEqual(['base', 'mainnet'])
    const [up, main] = upstreams as [Upstream, Upstream]
    expect(sim.forks.get('base')).toMatchObject({ block: await blockOf(up) })
    expect(sim.forks.get('mainnet')).toMatchObject({ block: await blockOf(main), leftOut: [] })
    const ready = await user.api.get('/health/ready')
    expect(ready.status).toBe(200)
    expect(steps.join('\n')).not.toContain(upstreamKey)
  })

  test('behavior: balances and prices are the fork’s', async () => {
    const user = await openUser(sim)
    expect(await positionsOn(sim, 'base').balance('USDC', whale)).toBe(5n)
    expect(await positionsOn(sim, 'optimism').balance('USDC', whale)).toBe(0n)
    await user.fund('base', 'ETH', ether)
    const swap = { sell_asset: 'ETH', buy_asset: 'USDC', sell_amount: ether.toString() }
    await user.run('swap', { ...swap, network: 'base' })
    const got = await positionsOn(sim, 'base').balance('USDC', user.wallet)
    // 3150 less spread 0.05 %, fee 0.15 % and the impact of 3150 on 100 million.
    expect(got).toBeGreaterThan(3_143_000_000n)
    expect(got).toBeLessThan(3_144_000_000n)
    const prices = (await user.api.get('/_sim/prices')).body.prices as Record<string, string>
    expect(prices).toMatchObject({ ETH: '3000', USDC: '1', cbETH: '3300' })
  })

  test.each([
    ['compound', {}],
    ['aave', {}],
    ['morpho_vault', { market: vault.address }],
  ])('behavior: earn and withdraw with %s', async (protocol, fields) => {
    const user = await openUser(sim)
    await user.fund('base', 'USDC', 1_000_000_000n)
    await user.run('earn', usdc(1_000_000_000n, { protocol, ...fields }))
    expect(await positionsOn(sim, 'base').balance('USDC', user.wallet)).toBe(0n)
    await user.run('withdraw', { ...usdc(0n, { protocol, ...fields }), amount: 'max' })
    const back = await positionsOn(sim, 'base').balance('USDC', user.wallet)
    expect(back).toBeGreaterThanOrEqual(999_999_998n)
  })

  test('behavior: borrow, repay, add and withdraw backing, loop and unloop', async () => {
    const user = await openUser(sim)
    const chain = positionsOn(sim, 'base')
    await user.fund('base', 'WETH', 4n * ether)
    await user.fund('base', 'USDC', 2_000_000_000n)
    const loan = {
      ...{ asset: 'USDC', collateral_asset: 'WETH', network: 'base' },
      ...{ amount: '1000000000', collateral_amount: ether.toString() },
    }
    await user.run('borrow', { ...loan, protocol: 'compound' })
    await user.run('borrow', { ...loan, protocol: 'morpho', market: market.id })
    expect(await chain.balance('USDC', user.wallet)).toBe(4_000_000_000n)
    for (const where of [{ protocol: 'compound' }, { protocol: 'morpho', market: market.id }])
      await user.run('repay', { ...loan, amount: 'max', collateral_amount: 'max', ...where })
    expect(await chain.balance('WETH', user.wallet)).toBe(4n * ether)
    const position = {
      ...{ exposure_asset: 'WETH', backing_asset: 'USDC', market_id: market.id },
      ...{ network: 'base', pool_fee: 500 },
    }
    await user.run('loop-long', {
      ...{ ...position, is_increase: true, exposure_amount: ether.toString() },
      ...{ max_swap_backing_amount: '3300000000', max_provided_backing_amount: '1500000000' },
    })
    expect((await chain.morpho(market.id, user.wallet)).collateral).toBe(ether)
    const { pool_fee: _, ...backing } = position
    await user.run('add-backing', { ...backing, amount: '100000000', is_short: false })
    await user.run('unloop-long', {
      ...{ ...position, exposure_amount: 'max', backing_amount_to_exit: '0' },
      min_swap_backing_amount: '2800000000',
    })
    expect(await chain.morpho(market.id, user.wallet)).toMatchObject({ collateral: 0n, shares: 0n })
  })

  test('behavior: bridges between a forked and an offline network, both ways, and between forks', async () => {
    const user = await openUser(sim)
    const ways: [NetworkName, NetworkName][] = [
      ['optimism', 'base'],
      ['base', 'arbitrum'],
      ['mainnet', 'base'],
    ]
    for (const [from, to] of ways) {
      await user.fund(from, 'USDC', 20_000_000n)
      const before = await positionsOn(sim, to).balance('USDC', friend)
      const { activity } = await user.run('transfer', {
        ...{ asset: 'USDC', amount: '15000000', network: to, recipient: friend },
      })
      expect(activity.activity_metadata.map(({ action_type }) => action_type)).toContain('BRIDGE')
      expect(await positionsOn(sim, to).balance('USDC', friend)).toBe(before + 15_000_000n)
    }
  })

  test('behavior: a deposit on a fork that nobody fills is paid back by the pool', async () => {
    const user = await openUser(sim)
    await user.fund('base', 'USDC', 20_000_000n)
    await sim.faults.add({ on: 'bridge', effect: 'refund', match: { account_id: user.id } })
    const { activity } = await user.run('transfer', {
      ...{ asset: 'USDC', amount: '15000000', network: 'polygon', recipient: friend },
    })
    await sim.faults.clear()
    expect(activity.activity_status).toBe('failed')
    expect(activity.activity_metadata.map(({ action_type }) => action_type)).toEqual([
      ...['BRIDGE', 'BRIDGE_MINT', 'BRIDGE_REFUND', 'TRANSFER'],
    ])
    expect(activity.activity_metadata[1]!.revert_reason).toContain('refunded on base at once')
    expect(await positionsOn(sim, 'base').balance('USDC', user.wallet)).toBe(20_000_000n)
  })

  test('behavior: the faucet lets a holder pay where no balance can be set', async () => {
    const user = await openUser(sim)
    await user.fund('base', 'COMP', 7n * ether + 1n)
    expect(await positionsOn(sim, 'base').balance('COMP', user.wallet)).toBe(7n * ether + 1n)
    const tooMuch = user.fund('base', 'COMP', 10n ** 9n * ether)
    await expect(tooMuch).rejects.toThrow('COMP cannot be given on the forked base')
  })

  test('behavior: what somebody else sends comes from outside; what the faucet gives, itself or a holder, does not', async () => {
    const user = await openUser(sim)
    const payer = await openPayer(sim, ['base', 'mainnet'], nextKey())
    for (const [asset, amount] of [
      ['ETH', ether],
      ['WETH', ether],
      ['USDC', 9n],
      ['COMP', 7n],
    ] as const)
      await user.fund('base', asset, amount)
    const hashes = [
      await payer.sendNative('base', user.wallet, 5n),
      await payer.sendToken('mainnet', 'USDC', user.wallet, 6n),
      await payer.sendToken('base', 'COMP', user.wallet, 7n),
    ]
    await sim.clock.advance(0) // Until everything that was mined has been looked at.
    const { activities } = (await user.api.get(`${user.path}/activities`)).body
    const items = activities.map(
      (one: { activity_metadata: { transaction_hash: Hex }[] }) => one.activity_metadata[0]!,
    )
    expect(items.map((item: { transaction_hash: Hex }) => item.transaction_hash).sort()).toEqual(
      hashes.sort(),
    )
  })

  test('behavior: a market that the fork lacks is left out, and whoever names it is told', async () => {
    const user = await openUser(sim)
    expect(steps.join('\n')).toContain(
      `base: ${gone.name} is left out: there is no contract at ${gone.address}`,
    )
    const { markets } = (await user.api.get('/markets')).body as { markets: object[] }
    expect(JSON.stringify(markets)).not.toContain(gone.address)
    const { folio } = (await user.api.get(`${user.path}/folio`)).body
    const keys = Object.keys(folio.yield_markets)
    expect(keys.some((key) => key.includes(gone.address))).toBe(false)
    expect(keys.some((key) => key.startsWith('comet/base/'))).toBe(true)
    await user.fund('base', 'WETH', ether)
    const earn = { asset: 'WETH', amount: '1', network: 'base', protocol: 'compound' }
    const { status, body } = await user.plan('earn', earn)
    expect({ status, error: body.error }).toEqual({ status: 400, error: 'plan_failed' })
    expect(body.message).toContain(`${gone.name} is left out on the forked base: there is no contr`)
  })

  test('behavior: factors, caps, minimums and listed collaterals are the chain’s, not the address file’s', async () => {
    const user = await openUser(sim)
    const { folio } = (await user.api.get(`${user.path}/folio`)).body
    const [, shown] = Object.entries(folio.borrow_markets as Record<string, CometInFolio>).find(
      ([key]) => key.startsWith(`comet/base/${changed.address}`),
    )!
    expect(shown.base_borrow_min).toBe('500e6')
    expect(Object.keys(shown.collaterals).sort()).toEqual(['DAI', 'WETH', 'cbBTC', 'wstETH'])
    expect(shown.collaterals.DAI).toMatchObject({ supply_cap: '7000000e18' })
    expect(shown.collaterals.WETH).toMatchObject({ borrow_collateral_factor: '0.5' })
    const { markets } = (await user.api.get('/markets')).body
    const listed = markets.find(
      (market: { comet_address?: string }) => market.comet_address === changed.address,
    ).collateral_assets
    const dai = book.token('base', 'DAI')!
    expect(listed).toContainEqual({ asset: dai.address, price_feed: dai.feed })
    expect(listed).toHaveLength(4)

    await user.fund('base', 'DAI', 2_000n * ether)
    const loan = (collateral: string, amount: bigint) => ({
      ...{ asset: 'USDC', network: 'base', protocol: 'compound', amount: amount.toString() },
      ...{ collateral_asset: collateral, collateral_amount: (2_000n * ether).toString() },
    })
    const tooSmall = await user.plan('borrow', loan('DAI', 499_999_999n))
    expect(tooSmall.body.message).toContain('lends at least 500000000 of USDC')
    const unlisted = await user.plan('borrow', loan('cbETH', 500_000_000n))
    expect(unlisted.body.message).toContain('does not take cbETH; it takes')
    await user.fund('base', 'USDC', 1_000_000n) // for the interest
    await user.run('borrow', loan('DAI', 500_000_000n))
    await user.run('repay', { ...loan('DAI', 0n), amount: 'max', collateral_amount: 'max' })
    expect(await positionsOn(sim, 'base').balance('DAI', user.wallet)).toBe(2_000n * ether)
  })

  // Last: everything above has happened by then.
  test('behavior: the upstream was only read, and is as it was', async () => {
    const [up, main] = upstreams as [Upstream, Upstream]
    for (const upstream of [up, main]) {
      if (origin === 'upstream') expect(upstream.asked.length).toBeGreaterThan(50)
      const written = upstream.asked.filter(
        (method) => !/^(eth_get|eth_(call|chainId|gasPrice|blockNumber)$)/.test(method),
      )
      expect([...new Set(written)]).toEqual([])
      expect(await blockOf(upstream)).toBe(sim.forks.get(upstream.book.network)!.block)
      const token = upstream.book.tokens.find(({ symbol }) => symbol === 'USDC')!.address
      expect(await upstreamBalance(upstream, token, friend)).toBe(0n)
    }
  })
})
