import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Address } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type NetworkName, networkNames } from '../../src/deployments/networks.js'
import { createSimulator, type SimulatorHandle } from '../../src/index.js'
import { recordBundle } from '../../src/tools/bundles/record.js'
import { readsOf } from '../kit/chainReads.js'
import { killRuns, runCli } from '../kit/cli.js'
import { startUpstream, type Upstream } from '../kit/upstream.js'
import { openUser, type PlanBody, type User } from '../kit/user.js'

/**
 * A bundle that was made for nobody, used by signers that are drawn: whatever the service says of them from it, it says from the network too.
 * `STRANGERS_NETWORK=base STRANGERS=100` tries another network, and more of them.
 */

const network = networkNames.find((name) => name === process.env.STRANGERS_NETWORK) ?? 'optimism'
const strangers = Number(process.env.STRANGERS ?? 1)
const usdc = 10n ** 6n
const ether = 10n ** 18n
const friend: Address = '0x00000000000000000000000000000000000f41e7'
let upstream: Upstream
let bundle: string
let fromBundle: SimulatorHandle
let fromNetwork: SimulatorHandle

beforeAll(async () => {
  upstream = await startUpstream(network)
  bundle = join(await mkdtemp(join(tmpdir(), 'strangers-')), 'bundle')
  await recordBundle({
    ...{ fork: { [network]: { url: upstream.url } }, out: bundle, accounts: [], at: undefined },
    ...{ assumeEmpty: ['signers'], mayReplace: false, forkCache: 'none', say() {} },
  })
  const same = { clock: 'frozen', seed: 11n } as const
  const block = Number(await upstream.rpc.request<string>('eth_blockNumber'))
  fromNetwork = await createSimulator({
    ...same,
    fork: { [network]: { url: upstream.url, block } },
  })
  upstream.asked.length = 0
  fromBundle = await createSimulator({ ...same, bundle, assumeEmpty: [friend] })
}, 600_000)
afterAll(async () => {
  killRuns()
  await Promise.all([fromBundle?.close(), fromNetwork?.close()])
  await upstream?.stop()
})

/** What Compound lends: USDC where it has a market for it, otherwise the asset of its first one that rewards lenders (USDT on polygon). */
function lentByCompound(): string {
  const { comets } = upstream.book
  const market =
    comets.find(({ baseSymbol }) => baseSymbol === 'USDC') ??
    comets.find(({ tracking }) => tracking.supplySpeed > 0n)
  return market!.baseSymbol
}

/** Every kind of plan, in an order in which each finds what it needs. */
function plansOf(of: NetworkName): [kind: string, body: Record<string, unknown>][] {
  const { morpho } = upstream.book
  const market = morpho.markets.find(({ label }) => label.startsWith('WETH/USDC'))!.id
  const vault = morpho.vaults.find(({ assetSymbol }) => assetSymbol === 'USDC')?.address
  const inUsdc = (amount: bigint, more: object) => ({
    ...{ network: of, asset: 'USDC', amount: `${amount * usdc}`, ...more },
  })
  const asset = lentByCompound()
  const loans = [
    { protocol: 'compound', asset },
    { protocol: 'morpho', market },
  ].flatMap((where): [string, Record<string, unknown>][] => {
    const backed = { collateral_asset: 'WETH', ...where }
    const all = { amount: 'max', collateral_amount: 'max' }
    return [
      ['borrow', inUsdc(700n, { ...backed, collateral_amount: `${ether}` })],
      ['repay', inUsdc(0n, { ...backed, ...all })],
    ]
  })
  const places = [
    { protocol: 'compound', asset },
    { protocol: 'aave' },
    ...(vault ? [{ protocol: 'morpho_vault', market: vault }] : []),
  ]
  const sale = { network: of, sell_asset: 'USDC', sell_amount: '77000000', buy_asset: 'WETH' }
  const position = {
    ...{ network: of, exposure_asset: 'WETH', backing_asset: 'USDC', market_id: market },
  }
  const backing = { ...position, amount: '10000000', is_short: false }
  const moved = { from_protocol: 'compound', to_protocol: 'aave' }
  return [
    ['transfer', inUsdc(20n, { recipient: friend })],
    ...loans,
    ...places.flatMap((where): [string, Record<string, unknown>][] => [
      ['earn', inUsdc(3_000n, where)],
      ['withdraw', inUsdc(100n, where)],
    ]),
    ['migrate', inUsdc(70n, { ...moved, asset, migrate_only_supply_balances: true })],
    ['swap', sale],
    ['swap-and-supply', { ...sale, protocol: 'aave' }],
    [
      'loop-long',
      {
        ...{ ...position, is_increase: true, pool_fee: 10_000, exposure_amount: `${ether}` },
        ...{ max_swap_backing_amount: '3300000000', max_provided_backing_amount: '1500000000' },
      },
    ],
    ['add-backing', backing],
    ['withdraw-backing', backing],
    [
      'unloop-long',
      {
        ...{ ...position, pool_fee: 500, exposure_amount: 'max', backing_amount_to_exit: '0' },
        min_swap_backing_amount: '1',
      },
    ],
  ]
}

/** All that the service says of a stranger on the way through these plans. */
async function live(sim: SimulatorHandle, user: User): Promise<unknown[]> {
  const told: unknown[] = []
  const folio = async () => told.push((await user.api.get(`${user.path}/folio`)).body)
  await folio()
  const lent = lentByCompound()
  for (const asset of new Set(['USDC', lent])) await user.fund(network, asset, 20_000n * usdc)
  await user.fund(network, 'WETH', 9n * ether)
  await folio()
  const run = async (kind: string, body: object) => {
    const plan = (await user.plan(kind, body)).body as PlanBody
    expect([kind, plan]).toMatchObject([kind, { plan_id: expect.any(String) }])
    const executed = await user.execute(plan)
    expect([kind, executed.body]).toMatchObject([kind, { status: 'executing' }])
    const { body: activity } = await user.api.get(`/activities/${executed.body.activity_id}`)
    expect([kind, activity.activity_status]).toEqual([kind, 'confirmed'])
    told.push(plan, activity)
    await folio()
  }
  for (const [kind, body] of plansOf(network)) await run(kind, body)
  await sim.clock.advance(30 * 86_400)
  await run('claim-rewards', { asset: 'COMP' })
  await sim.clock.advance(30 * 86_400)
  const rewards = { network, asset: lent, protocol: 'compound', reward_assets: ['COMP'] }
  await run('reinvest_rewards', rewards)
  return told
}

test('default: signers that nobody knew make every kind of plan, and are told the same as from the network', async () => {
  for (let i = 0; i < strangers; i++) {
    // Each life takes two months, and there may be a hundred of them.
    await Promise.all([fromBundle.reset(), fromNetwork.reset()])
    const key = generatePrivateKey()
    const [one, other] = await Promise.all(
      [fromBundle, fromNetwork].map(async (sim) => live(sim, await openUser(sim, key))),
    )
    expect(one).toEqual(other)
  }
}, 3_600_000)

test('behavior: twenty more are told the same of what they have, which is nothing', async () => {
  for (let i = 0; i < 20; i++) {
    const key = generatePrivateKey()
    const [one, other] = await Promise.all(
      [fromBundle, fromNetwork].map(async (sim) => {
        const user = await openUser(sim, key)
        return (await user.api.get(`${user.path}/folio`)).body
      }),
    )
    expect(one).toEqual(other)
  }
}, 120_000)

test('error: what is neither recorded nor on such a path is named with its network, account and slot', async () => {
  const chain = readsOf(fromBundle)
  const { address } = upstream.book.tokens.find(({ symbol }) => symbol === 'USDC')!
  const odd = `0x${'5'.repeat(64)}`
  await expect(
    chain.request(network, 'eth_getStorageAt', [address, odd, 'latest']),
  ).rejects.toThrow(
    `${network} runs from a bundle, in which slot ${odd} of ${address} was never recorded`,
  )
  // An address that is no wallet of ours is not taken for empty.
  const user = await openUser(fromBundle)
  await user.fund(network, 'USDC', 5n * usdc)
  const somebody = `0x${'ab'.repeat(20)}`
  const body = { network, asset: 'USDC', amount: '1000000', recipient: somebody }
  const refused = await user.plan('transfer', body)
  expect(refused).toMatchObject({ status: 408, body: { error: 'timeout' } })
  expect(refused.body.message).toContain('--assume-empty')
})

test('default: inspect counts the paths, and says what is taken for empty', async () => {
  const { code, stdout } = await runCli(['bundle', 'inspect', bundle, '--json'])
  expect(code).toBe(0)
  const [one] = JSON.parse(stdout).networks
  expect(one).toMatchObject({ network, assumed_empty: ['signers'] })
  expect(one.paths).toBeGreaterThan(100)
  const text = await runCli(['bundle', 'inspect', bundle])
  expect(text.stdout).toContain(`${one.paths} paths`)
  expect(text.stdout).toMatch(/empty +signers/)
  const wrong = await runCli(['start', '--assume-empty', '0x12'])
  expect([wrong.code, wrong.stderr]).toEqual([
    expect.any(Number),
    expect.stringContaining('it must be an address (0x and 40 hex digits), or signers'),
  ])
})
