import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFaucet } from '../../src/chain/funds/faucet.js'
import { sqrtPriceX96, uniswapPools } from '../../src/chain/funds/uniswapPools.js'
import { artifact, place } from '../../src/chain/genesis/contracts.js'
import type { Node, Nodes } from '../../src/chain/rpc/node.js'
import { createLifecycle } from '../../src/chain/rpc/nodeLifecycle.js'
import type { Rpc } from '../../src/chain/rpc/rpc.js'
import { createPriceBoard } from '../../src/control/priceBoard.js'
import { loadAddressBook } from '../../src/deployments/addressBook.js'
import { type NetworkName, networkNames, networkOf } from '../../src/deployments/networks.js'
import type { SimulatorHandle } from '../../src/index.js'
import { readsOf } from '../kit/chainReads.js'
import { createClient } from '../kit/client.js'
import { createRpc } from '../kit/httpRpc.js'
import { twoOrigins } from '../kit/origins.js'
import { positionsOn } from '../kit/positions.js'
import { startUpstream, type Upstream } from '../kit/upstream.js'
import type { PlanBody, User } from '../kit/user.js'

/**
 * Base forked from a chain with feeds of another maker: ether costs 3150, the market of WETH against USDC composes its price of that feed,
 * Aave prices cbETH by it and a rate, and cuts USDC at 1.04. The other networks are offline.
 */

const ether = 10n ** 18n
const usd = 10n ** 8n
const book = loadAddressBook()
const base = book.on('base')
const feed = base.tokens.find(({ symbol }) => symbol === 'WETH')!.feed
const marketOf = (collateral: string) =>
  base.morpho.markets.find(
    (one) => one.loanSymbol === 'USDC' && one.collateralSymbol === collateral,
  )!
const composed = marketOf('WETH')
const fixed = marketOf('cbBTC')
const reserveOf = (symbol: string) => base.aave.reserves.find((one) => one.symbol === symbol)!
const comet = base.comets.find(({ baseSymbol }) => baseSymbol === 'USDC')!
const cometFeed = comet.collaterals.find(({ symbol }) => symbol === 'WETH')!.priceFeed
const { start, end, openUser } = twoOrigins()
let upstream: Upstream
let sim: SimulatorHandle

beforeAll(async () => {
  upstream = await startUpstream('base')
  await upstream.setPrice('ETH', 3150n * usd)
  const compose = (at: Address, of: Address, rate: [bigint, bigint], cap = 0n) =>
    place(upstream.node, at, artifact('ComposedOracle'), [of, ...rate, cap])
  const feedOf = (symbol: string) => base.tokens.find((one) => one.symbol === symbol)!.feed
  await compose(composed.oracle, feed, [10n ** 24n, usd])
  // Of a feed that nothing else reads.
  const other: Address = '0x00000000000000000000000000000000000feed1'
  await place(upstream.node, other, artifact('ConstantFeed'), [90_000n * usd, 8, 'BTC'])
  await compose(fixed.oracle, other, [10n ** 34n, usd])
  await compose(reserveOf('cbETH').oracle, feed, [11n, 10n])
  await compose(reserveOf('USDC').oracle, feedOf('USDC'), [1n, 1n], 104_000_000n)
  await upstream.rpc.request('evm_mine')
})
afterAll(() => upstream.stop())

const abi = parseAbi([
  'function latestAnswer() view returns (int256)',
  'function latestRoundData() view returns (uint80, int256, uint256, uint256, uint80)',
  'function getRoundData(uint80) view returns (uint80, int256, uint256, uint256, uint80)',
  'function decimals() view returns (uint8)',
  'function price() view returns (uint256)',
  'function getPrice(address feed) view returns (uint256)',
  'function getAssetPrice(address asset) view returns (uint256)',
  'function slot0() view returns (uint160 sqrtPriceX96, int24, uint16, uint16, uint16, uint8, bool)',
])
type Reads = 'latestAnswer' | 'price' | 'decimals'

const control = () => createClient({ url: sim.url, apiKey: sim.apiKey })
const put = (asset: string, price: unknown) =>
  control().put(`/_sim/prices/${asset}`, { usd: price })
const client = (network: NetworkName = 'base') => readsOf(sim).client(network)
const read = (address: Address, functionName: Reads) =>
  client().readContract({ address, abi, functionName })
const codeAt = (address: Address) =>
  readsOf(sim).request<Hex>('base', 'eth_getCode', [address, 'latest'])

/** What everybody on the fork is told that ether costs, by who tells it. */
async function etherSeen() {
  return {
    feed: await read(feed, 'latestAnswer'),
    comet: await client().readContract({
      address: comet.address,
      abi,
      functionName: 'getPrice',
      args: [cometFeed],
    }),
    aave: await aavePrice('WETH'),
    morpho: ((await read(composed.oracle, 'price')) as bigint) / 10n ** 16n,
  }
}
const aavePrice = (symbol: string) =>
  client().readContract({
    address: base.aave.oracle,
    abi,
    functionName: 'getAssetPrice',
    args: [reserveOf(symbol).asset],
  })
const alike = (price: bigint) => ({ feed: price, comet: price, aave: price, morpho: price })

async function expectPoolsAt(price: bigint): Promise<void> {
  const pools = uniswapPools(base).filter(({ token0, token1 }) =>
    ['WETH', 'USDC'].every((symbol) => [token0.symbol, token1.symbol].includes(symbol)),
  )
  expect(pools).toHaveLength(3)
  for (const pool of pools) {
    const of = (symbol: string): bigint => (symbol === 'WETH' ? price : usd)
    const [at] = await client().readContract({
      address: pool.address,
      abi,
      functionName: 'slot0',
    })
    expect(at).toBe(sqrtPriceX96(pool, of(pool.token0.symbol), of(pool.token1.symbol)))
  }
}

/** What 5 USDC buy of WETH on the fork. */
async function bought(user: User): Promise<bigint> {
  const swap = { sell_asset: 'USDC', buy_asset: 'WETH', sell_amount: '5000000', network: 'base' }
  const { details } = (await user.plan('swap', swap)).body as PlanBody
  return BigInt(details.svc_operation_actions[0]!.action.action_context.output_amount as string)
}

/** The nodes of the simulator, of which one takes no transactions. */
function nodesWithout(silent: NetworkName | undefined): Nodes {
  const all = networkNames.map((network): Node => {
    const rpc = createRpc(sim.rpc(network))
    const request: Rpc['request'] = (method, params) =>
      network === silent && method.startsWith('eth_send')
        ? Promise.reject(new Error('no room'))
        : rpc.request(method, params)
    const { chainId } = networkOf(network)
    return { network, chainId, rpc: { ...rpc, request }, socket: '', lifecycle: createLifecycle(0) }
  })
  return {
    get: (network) => all.find((node) => node.network === network)!,
    all: () => all,
    stop: async () => {},
  }
}

const faucet = () => createFaucet(nodesWithout(undefined), loadAddressBook(sim.forks), sim.forks)

// Once: what such a bundle has is the same reads, and bundles are replayed in fork.test.ts, forkMissing, forkNetworks and forkPlans.
describe('from its upstream', () => {
  beforeAll(async () => {
    const fork = { base: { url: upstream.url } }
    sim = await start('upstream', [upstream], { rpcUnsafe: true, fork })
  })
  afterAll(() => end('upstream', [upstream], sim))

  test('default: one price moves feeds, oracles, pools and quotes of the fork, and of the offline networks', async () => {
    const user = await openUser(sim)
    await user.fund('base', 'USDC', 10_000_000n)
    expect(await etherSeen()).toEqual(alike(3150n * usd))
    const before = await bought(user)
    const round = await client().readContract({
      address: feed,
      abi,
      functionName: 'latestRoundData',
    })
    expect(await put('eth', '1575')).toMatchObject({
      status: 200,
      body: { asset: 'ETH', usd: '1575', moved: ['ETH', 'WETH'] },
    })
    expect(await etherSeen()).toEqual(alike(1575n * usd))
    await expectPoolsAt(1575n * usd)
    const after = await bought(user)
    expect(after - 2n * before).toBeLessThanOrEqual(2n)
    expect(after - 2n * before).toBeGreaterThanOrEqual(-2n)
    const { prices } = (await control().get('/_sim/prices')).body as { prices: object }
    expect(prices).toMatchObject({ ETH: '1575', WETH: '1575', USDC: '1' })

    // The feed has gone on by a round, of now, and is the maker's in all else.
    const now = await client().readContract({ address: feed, abi, functionName: 'latestRoundData' })
    expect(now[0]).toBe(round[0] + 1n)
    expect(now[1]).toBe(1575n * usd)
    expect(await read(feed, 'decimals')).toBe(8)
    const data = encodeFunctionData({ abi, functionName: 'getRoundData', args: [round[0]] })
    expect(BigInt((await client().call({ to: feed, data })).data!)).toBe(3150n * usd)
  })

  test('behavior: what a maker composes of the feed follows with its rate, and stays the maker’s', async () => {
    const composedCode = await codeAt(composed.oracle)
    expect((await put('ETH', '2000')).status).toBe(200)
    expect(await codeAt(composed.oracle)).toBe(composedCode)
    expect(await aavePrice('cbETH')).toBe(2200n * usd)
  })

  test('behavior: a maker’s cap stays; an oracle that reads no feed of the asset is moved too', async () => {
    expect((await put('USDC', '1.5')).status).toBe(200)
    expect(await aavePrice('USDC')).toBe(104_000_000n)
    expect((await put('USDC', 1)).status).toBe(200)
    expect(await aavePrice('USDC')).toBe(usd)
    const before = await codeAt(fixed.oracle)
    expect((await put('cbBTC', '45000')).status).toBe(200)
    expect(await read(fixed.oracle, 'price')).toBe(45_000n * 10n ** 34n)
    expect(await codeAt(fixed.oracle)).not.toBe(before)
    // And back, by the same means.
    expect((await put('cbBTC', '90000')).status).toBe(200)
    expect(await read(fixed.oracle, 'price')).toBe(90_000n * 10n ** 34n)
  })

  test('behavior: a fall makes a loan on the fork unsafe, and it is liquidated', async () => {
    await put('ETH', '3000')
    const user = await openUser(sim)
    await user.fund('base', 'WETH', ether)
    await user.run('borrow', {
      ...{ asset: 'USDC', amount: '2000000000', network: 'base', protocol: 'morpho' },
      ...{ market: composed.id, collateral_asset: 'WETH', collateral_amount: ether.toString() },
    })
    const liquidate = () => control().post('/_sim/liquidations', { account_id: user.id })
    expect((await liquidate()).body.liquidations).toEqual([])
    await put('ETH', '2200')
    expect((await liquidate()).body.liquidations).toMatchObject([
      { network: 'base', protocol: 'morpho' },
    ])
    expect(await positionsOn(sim, 'base').morpho(composed.id, user.wallet)).toMatchObject({
      shares: 0n,
    })
  })

  test('behavior: snapshots bring prices back, reset the maker’s feeds', async () => {
    await put('ETH', '2500')
    const id = await sim.snapshot()
    await Promise.all([put('ETH', '100'), put('ETH', '200'), put('cbBTC', '1000')])
    expect((await etherSeen()).feed).not.toBe(2500n * usd)
    await sim.restore(id)
    expect(await etherSeen()).toEqual(alike(2500n * usd))
    await expectPoolsAt(2500n * usd)
    await sim.reset()
    expect(await etherSeen()).toEqual(alike(3150n * usd))
    for (const address of [feed, composed.oracle, fixed.oracle])
      expect(await codeAt(address)).toBe(
        await upstream.rpc.request<Hex>('eth_getCode', [address, 'latest']),
      )
    await put('ETH', '1000')
    expect(await etherSeen()).toEqual(alike(1000n * usd))
  })

  test('error: an asset without a price, and prices out of bounds: nothing moves', async () => {
    await sim.reset()
    const before = await codeAt(feed)
    expect(await put('ETH', '0')).toMatchObject({ status: 400 })
    expect(await put('DOGE', '1')).toMatchObject({ status: 400, body: { error: 'invalid_params' } })
    expect(await codeAt(feed)).toBe(before)
  })

  test('error: what fails on one network is put back on the others, the fork’s feeds included', async () => {
    await sim.reset()
    const codes = () => Promise.all([feed, fixed.oracle].map(codeAt))
    const before = await codes()
    const seen = await etherSeen()
    const board = createPriceBoard(
      nodesWithout('optimism'),
      loadAddressBook(sim.forks),
      faucet(),
      sim.forks,
    )
    await expect(board.set('ETH', 500n * usd)).rejects.toThrow('could not be moved everywhere')
    expect(await codes()).toEqual(before)
    expect(await etherSeen()).toEqual(seen)
    expect((await put('ETH', '1500')).status).toBe(200)
    expect(await etherSeen()).toEqual(alike(1500n * usd))
  })

  // Last: everything above has happened by then.
  test('behavior: the upstream was only read', () => {
    const written = upstream.asked.filter(
      (method) => !/^(eth_get|eth_(call|chainId|gasPrice|blockNumber)$)/.test(method),
    )
    expect(written).toEqual([])
  })
})
