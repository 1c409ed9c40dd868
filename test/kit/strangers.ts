import type { Address } from 'viem'
import { expect } from 'vitest'
import type { SimulatorHandle } from '../../src/index.js'
import type { Upstream } from './upstream.js'
import type { PlanBody, User } from './user.js'

const usdc = 10n ** 6n
const ether = 10n ** 18n

/** To whom strangers transfer. */
export const strangersFriend: Address = '0x00000000000000000000000000000000000f41e7'

/** What Compound lends: USDC where it has a market for it, otherwise the asset of its first one that rewards lenders (USDT on polygon). */
export function lentByCompound({ comets }: Upstream['book']): string {
  const market =
    comets.find(({ baseSymbol }) => baseSymbol === 'USDC') ??
    comets.find(({ tracking }) => tracking.supplySpeed > 0n)
  return market!.baseSymbol
}

/** Every kind of plan, in an order in which each finds what it needs. */
export function plansOf(
  book: Upstream['book'],
  recipient: Address = strangersFriend,
): [kind: string, body: Record<string, unknown>][] {
  const { morpho, network: of } = book
  const market = morpho.markets.find(({ label }) => label.startsWith('WETH/USDC'))!.id
  const vault = morpho.vaults.find(({ assetSymbol }) => assetSymbol === 'USDC')?.address
  const inUsdc = (amount: bigint, more: object) => ({
    ...{ network: of, asset: 'USDC', amount: `${amount * usdc}`, ...more },
  })
  const asset = lentByCompound(book)
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
    ['transfer', inUsdc(20n, { recipient })],
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

/** All that the service says of a stranger on the way through plans of every kind on a network. */
export async function liveAsStranger(
  sim: SimulatorHandle,
  user: User,
  book: Upstream['book'],
): Promise<unknown[]> {
  const { network } = book
  const told: unknown[] = []
  const folio = async () => told.push((await user.api.get(`${user.path}/folio`)).body)
  await folio()
  const lent = lentByCompound(book)
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
  for (const [kind, body] of plansOf(book)) await run(kind, body)
  await sim.clock.advance(30 * 86_400)
  await run('claim-rewards', { asset: 'COMP' })
  await sim.clock.advance(30 * 86_400)
  const rewards = { network, asset: lent, protocol: 'compound', reward_assets: ['COMP'] }
  await run('reinvest_rewards', rewards)
  return told
}
