import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadAddressBook } from '../../src/deployments/addressBook.js'
import { networkNames, networkOf } from '../../src/deployments/networks.js'
import { otherKinds } from '../kit/plans.js'
import { positionsOn } from '../kit/positions.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { openUser } from '../kit/user.js'

const book = loadAddressBook()
const ether = 10n ** 18n
let sim: SimulatorHandle

beforeAll(async () => {
  sim = await createSimulator()
})
afterAll(() => sim.close())

/** Not on every network; a test of its own has them. */
const ofRewards = ['reinvest_rewards', 'claim-rewards']

/**
 * Every kind of plan on a network, in an order in which each finds what it needs, with the protocols that are there. One
 * wallet goes through all of them; what it began it ends.
 */
function journey(network: (typeof networkNames)[number], recipient: string) {
  const networkBook = book.on(network)
  const comet = networkBook.comets[0]!
  const vault = networkBook.morpho.vaults.find(({ assetSymbol }) => assetSymbol === 'USDC')!.address
  const market = networkBook.morpho.markets.find(({ label }) => label.startsWith('WETH/USDC'))!.id
  const usd = { asset: 'USDC', amount: '100000000', network }
  const base = { asset: comet.baseSymbol, amount: '100000000', network, protocol: 'compound' }
  const loan = {
    amount: '500000000',
    collateral_amount: ether.toString(),
    collateral_asset: 'WETH',
  }
  const onComet = { ...loan, asset: comet.baseSymbol, network, protocol: 'compound' }
  const onMorpho = { ...loan, asset: 'USDC', network, protocol: 'morpho', market }
  const long = { exposure_asset: 'WETH', backing_asset: 'USDC', market_id: market, network }
  const loop = { ...long, pool_fee: 500, exposure_amount: ether.toString() }
  const repayAll = { amount: 'max', collateral_amount: 'max' }
  const buy = { sell_asset: 'WETH', sell_amount: (ether / 10n).toString(), network }
  const steps: [string, object][] = [
    ['transfer', { ...usd, recipient }],
    ['swap', { ...buy, buy_asset: 'USDC' }],
    ['swap', { sell_asset: 'WETH', buy_asset: 'USDC', buy_amount: '50000000', network }],
    ['earn', base],
    ['earn', { ...usd, protocol: 'aave' }],
    ['earn', { ...usd, protocol: 'morpho', market: vault }],
    ['swap-and-supply', { ...buy, buy_asset: 'USDC', protocol: 'aave' }],
    [
      'migrate',
      {
        ...usd,
        from_protocol: 'aave',
        to_protocol: 'morpho_vault',
        to_market: vault,
        migrate_only_supply_balances: true,
      },
    ],
    // Comet keeps one balance: a deposit there would be part of the loan's repayment.
    ['withdraw', { ...base, amount: 'max' }],
    ['borrow', onComet],
    ['repay', { ...onComet, ...repayAll }],
    ['borrow', onMorpho],
    ['add-backing', { ...long, amount: '100000000', is_short: false }],
    ['repay', { ...onMorpho, ...repayAll }],
    [
      'loop-long',
      {
        ...loop,
        is_increase: true,
        max_swap_backing_amount: '3200000000',
        max_provided_backing_amount: '1500000000',
      },
    ],
    ['withdraw-backing', { ...long, amount: '50000000', is_short: false }],
    [
      'unloop-long',
      {
        ...loop,
        exposure_amount: 'max',
        backing_amount_to_exit: '0',
        min_swap_backing_amount: '2800000000',
      },
    ],
    ['withdraw', { ...usd, amount: 'max', protocol: 'aave' }],
    ['withdraw', { ...usd, amount: 'max', protocol: 'morpho_vault', market: vault }],
  ]
  const named = [...steps.map(([path]) => path), ...ofRewards]
  const afterDeposits = steps.findIndex(([path]) => path === 'withdraw')
  return { steps: steps.toSpliced(afterDeposits, 0, ...otherKinds(named, network)), comet, market }
}

describe.each(networkNames)('%s', (network) => {
  test('behavior: every kind of plan is confirmed, and what was begun is ended', async () => {
    const user = await openUser(sim)
    const { steps, comet, market } = journey(network, user.signer)
    for (const asset of new Set(['USDC', comet.baseSymbol]))
      await user.fund(network, asset, 20_000_000_000n)
    await user.fund(network, 'WETH', 10n * ether)
    for (const [kind, body] of steps) {
      const { activity } = await user.run(kind, body)
      expect([kind, activity.activity_status]).toEqual([kind, 'confirmed'])
    }
    const at = positionsOn(sim, network)
    const ofComet = await at.comet(comet.baseSymbol, 'WETH', user.wallet)
    expect(ofComet).toEqual({ supplied: 0n, debt: 0n, collateral: 0n })
    expect(await at.morpho(market, user.wallet)).toMatchObject({ shares: 0n, collateral: 0n })
  })
})

test('behavior: rewards of a Comet market are claimed and reinvested where it pays them', async () => {
  const reader = await openUser(sim)
  const { folio } = (await reader.api.get(`${reader.path}/folio`)).body as {
    folio: { yield_markets: Record<string, { supply_rewards_apr: string }> }
  }
  const paying = networkNames.filter((network) => {
    const { address, baseSymbol } = book.on(network).comets[0]!
    const key = `comet/${networkOf(network).folioName}/${address}/${baseSymbol}`
    return folio.yield_markets[key]!.supply_rewards_apr !== '0'
  })
  expect(paying.length).toBeGreaterThan(2)
  for (const network of paying) {
    const user = await openUser(sim)
    const { baseSymbol, rewardSymbol } = book.on(network).comets[0]!
    await user.fund(network, baseSymbol, 2_000_000_000_000n)
    const supply = { asset: baseSymbol, network, protocol: 'compound' }
    await user.run('earn', { ...supply, amount: '1000000000000' })
    await sim.clock.advance(86_400)
    const again = { ...supply, reward_assets: [rewardSymbol] }
    const reinvested = await user.run('reinvest_rewards', again)
    expect([network, reinvested.activity.activity_status]).toEqual([network, 'confirmed'])
    await sim.clock.advance(86_400)
    const claimed = await user.run('claim-rewards', { asset: rewardSymbol })
    expect([network, claimed.activity.activity_status]).toEqual([network, 'confirmed'])
  }
})

test('error: USDC is not sent to its own contract, as the real token has it', async () => {
  for (const network of networkNames) {
    const user = await openUser(sim)
    await user.fund(network, 'USDC', 1_000_000n)
    const recipient = book.token(network, 'USDC')!.address
    const { status, body } = await user.plan('transfer', {
      ...{ asset: 'USDC', amount: '1000000', network, recipient },
    })
    expect([network, status, body]).toEqual([
      ...[network, 400],
      {
        error: 'plan_failed',
        message: 'the plan would revert: Blacklistable: account is blacklisted',
      },
    ])
  }
})

test('behavior: a transfer to an address of which nobody has the key gets a hint', async () => {
  const user = await openUser(sim)
  await user.fund('base', 'ETH', ether)
  await user.fund('base', 'USDC', 1_000_000n)
  const hintOf = async (asset: string, recipient: string) => {
    const transfer = { asset, amount: '1000', network: 'base', recipient }
    const { status, headers } = await user.plan('transfer', transfer)
    return [status, headers.get('x-svc-sim-hint')]
  }
  const dead = '0x000000000000000000000000000000000000dEaD'
  const lost = expect.stringMatching(/^nobody has a key for recipient 0x0{36}(0000|dead)/)
  expect(await hintOf('ETH', `0x${'0'.repeat(40)}`)).toEqual([201, lost])
  expect(await hintOf('ETH', dead)).toEqual([201, lost])
  expect(await hintOf('USDC', dead)).toEqual([201, lost])
  // The token refuses it besides.
  expect(await hintOf('USDC', `0x${'0'.repeat(40)}`)).toEqual([400, lost])
  expect(await hintOf('ETH', user.signer)).toEqual([201, null])
})
