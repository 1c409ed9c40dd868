import { createRequire } from 'node:module'
import type { Address, Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SimulatorHandle } from '../../src/index.js'
import { origins, twoOrigins } from '../kit/origins.js'
import { positionsOn } from '../kit/positions.js'
import { startUpstream, type Upstream } from '../kit/upstream.js'

/** A fork of optimism on which whole protocols are missing: the rest of it, and the other networks, work. */

/** Wrapped ether as its makers deployed it; paying out, it leaves the receiver 2300 gas. */
const weth9 = createRequire(import.meta.url)(
  '@aave/core-v3/artifacts/contracts/dependencies/weth/WETH9.sol/WETH9.json',
) as { deployedBytecode: Hex }
const ether = 10n ** 18n
const usdc = 10n ** 6n
const stranger: Address = '0x00000000000000000000000000000000000f41e7'
const steps: string[] = []
const { start, end, openUser } = twoOrigins()
let upstream: Upstream
let sim: SimulatorHandle

beforeAll(async () => {
  upstream = await startUpstream('optimism')
  const { aave, morpho, spokePool, tokens } = upstream.book
  const { feed } = tokens.find(({ symbol }) => symbol === 'DAI')!
  const usdt = tokens.find(({ symbol }) => symbol === 'USDT')!.address
  for (const address of [aave.protocolDataProvider, morpho.morpho, spokePool, feed, usdt])
    await upstream.rpc.request('anvil_setCode', [address, '0x'])
  const weth = tokens.find(({ symbol }) => symbol === 'WETH')!.address
  await upstream.rpc.request('anvil_setCode', [weth, weth9.deployedBytecode])
})
afterAll(() => upstream.stop())

describe.each(origins)('from its %s', (origin) => {
  beforeAll(async () => {
    steps.length = 0
    sim = await start(origin, [upstream], {
      bridgeDelayMs: 20,
      fork: { optimism: { url: upstream.url } },
      onProgress: (step) => steps.push(step),
    })
  })
  afterAll(() => end(origin, [upstream], sim))

  test('behavior: what is missing is named at the start, in health and by plans', async () => {
    const user = await openUser(sim)
    const { body } = await user.api.get('/health/ready')
    const said = [steps.join('\n'), body.networks.optimism.fork.left_out.join('\n')]
    for (const text of said)
      for (const name of ['Aave V3 USDC', 'Morpho WETH/USDC', 'the Across spoke pool'])
        expect(text).toContain(name)
    expect(steps.join('\n')).toContain('optimism: DAI: the feed does not answer, no price')
    expect(body.networks.base.fork).toBeUndefined()
    await user.fund('optimism', 'USDC', usdc)
    const earn = { asset: 'USDC', amount: '1', network: 'optimism' }
    const provider = upstream.book.aave.protocolDataProvider
    expect((await user.plan('earn', { ...earn, protocol: 'aave' })).body).toEqual({
      error: 'plan_failed',
      message: expect.stringContaining(
        `Aave V3 USDC is left out on the forked optimism: there is no contract at ${provider}`,
      ),
    })
    const { id } = upstream.book.morpho.markets.find(({ loanSymbol }) => loanSymbol === 'USDC')!
    const loan = { asset: 'USDC', collateral_asset: 'WETH', amount: '1', collateral_amount: '1' }
    const borrow = { ...loan, network: 'optimism', protocol: 'morpho', market: id }
    expect((await user.plan('borrow', borrow)).body).toEqual({
      error: 'plan_failed',
      message: expect.stringContaining(
        'is left out on the forked optimism: there is no contract at',
      ),
    })
  })

  test('behavior: the markets that are there work; the folio has no others', async () => {
    const user = await openUser(sim)
    await user.fund('optimism', 'USDC', usdc)
    const earn = { asset: 'USDC', amount: 'max', network: 'optimism', protocol: 'compound' }
    await user.run('earn', earn)
    expect(await positionsOn(sim, 'optimism').balance('USDC', user.wallet)).toBe(0n)
    const { folio } = (await user.api.get(`${user.path}/folio`)).body
    const keys = Object.keys(folio.yield_markets).filter((key) => key.includes('/optimism/'))
    expect(keys.map((key) => key.split('/')[0])).toEqual(keys.map(() => 'comet'))
    const { markets } = (await user.api.get('/markets')).body as {
      markets: { protocol: string; chain_id: number }[]
    }
    const protocols = markets.filter(({ chain_id }) => chain_id === 10).map((each) => each.protocol)
    expect([...new Set(protocols)]).toEqual(['comet'])
  })

  test('behavior: without a spoke pool no bridge is offered, and a shortfall says why', async () => {
    const user = await openUser(sim)
    await user.fund('base', 'USDC', 100n * usdc)
    const { folio } = (await user.api.get(`${user.path}/folio`)).body
    const routes = Object.keys(folio.bridge_hints)
    expect(routes.some((key) => key.includes('/optimism/'))).toBe(false)
    expect(routes.length).toBe(4 * 3 * 2)
    const transfer = { asset: 'USDC', amount: '5000000', recipient: user.signer }
    const { body } = await user.plan('transfer', { ...transfer, network: 'optimism' })
    expect(body).toEqual({
      error: 'plan_failed',
      message: `insufficient resources of USDC on optimism: target 5000000, max 0; the Across spoke pool is left out on the forked optimism: there is no contract at ${upstream.book.spokePool}`,
    })
    await user.run('transfer', { ...transfer, network: 'arbitrum' })
  })

  test('behavior: the makers’ own wrapped ether is wrapped and unwrapped, before and after the wallet is deployed', async () => {
    const user = await openUser(sim)
    const chain = positionsOn(sim, 'optimism')
    await user.fund('optimism', 'WETH', 3n * ether)
    for (const amount of [ether, 2n * ether]) {
      const transfer = { asset: 'ETH', amount: amount.toString(), recipient: stranger }
      const before = await chain.balance('ETH', stranger)
      await user.run('transfer', { ...transfer, network: 'optimism' })
      expect(await chain.balance('ETH', stranger)).toBe(before + amount)
    }
    await user.fund('optimism', 'ETH', ether)
    const transfer = { asset: 'WETH', amount: ether.toString(), recipient: stranger }
    await user.run('transfer', { ...transfer, network: 'optimism' })
    expect(await chain.balance('WETH', stranger)).toBe(ether)
  })

  test('error: a token that is not on the fork cannot be given; the exchange has none', async () => {
    const user = await openUser(sim)
    expect(steps.join('\n')).toContain('optimism: the exchange has no USDT, DAI to sell')
    const { address } = upstream.book.tokens.find(({ symbol }) => symbol === 'USDT')!
    await expect(user.fund('optimism', 'USDT', 1n)).rejects.toThrow(
      `there is no token at ${address} on optimism: this fork does not have it`,
    )
    await user.fund('optimism', 'USDC', usdc)
    const swap = { sell_asset: 'USDC', buy_asset: 'USDT', sell_amount: '1000000' }
    const { status } = await user.plan('swap', { ...swap, network: 'optimism' })
    expect(status).toBe(422)
  })
})
