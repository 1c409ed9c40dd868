import { loadAddressBook } from '../../src/deployments/addressBook.js'
import type { NetworkName } from '../../src/deployments/networks.js'
import type { SimulatorHandle } from '../../src/index.js'
import { planKinds } from '../../src/service/plans/kinds/index.js'
import { fieldsNaming } from '../../src/service/plans/model/fields.js'
import type { openUser } from './user.js'

const ether = 10n ** 18n
const { morpho } = loadAddressBook().on('base')
const market = morpho.markets.find(({ label }) => label.startsWith('WETH/USDC'))!

const usdc = { asset: 'USDC', amount: '1000000', network: 'base' }
const position = {
  ...{ exposure_asset: 'WETH', backing_asset: 'USDC' },
  ...{ market_id: market.id, network: 'base' },
}
const loan = {
  ...{ asset: 'USDC', collateral_asset: 'WETH', network: 'base', amount: '1000000' },
  ...{ protocol: 'morpho', market: market.id },
}
const loop = {
  ...{ ...position, pool_fee: 500, is_increase: true, exposure_amount: ether.toString() },
  ...{ max_swap_backing_amount: '3100000000', max_provided_backing_amount: '1500000000' },
}
/**
 * Path and body of the kinds that a list does not name, so that a new kind is in every test of all kinds: its own example, on
 * the given network. Where that is not possible in a test, the list there needs an entry.
 */
export function otherKinds(
  named: Iterable<string>,
  network: NetworkName = 'base',
): [path: string, body: Record<string, unknown>][] {
  const paths = new Set(named)
  return planKinds
    .filter(({ path }) => !paths.has(path))
    .map(({ path, schema, example }) => {
      const target = Object.fromEntries(
        fieldsNaming('network', schema).map((field) => [field, network]),
      )
      return [path, Object.assign({}, example, target)]
    })
}

const special: Record<string, object> = {
  earn: { ...usdc, protocol: 'aave' },
  withdraw: { ...usdc, protocol: 'compound' },
  transfer: { ...usdc, recipient: '0x00000000000000000000000000000000000f41e7' },
  swap: { sell_asset: 'USDC', buy_asset: 'WETH', sell_amount: '1000000', network: 'base' },
  'swap-and-supply': {
    ...{ sell_asset: 'USDC', sell_amount: '3000000', buy_asset: 'WETH', network: 'base' },
    protocol: 'compound',
  },
  borrow: { ...loan, collateral_amount: '1000000000000000' },
  repay: { ...loan, collateral_amount: '0' },
  migrate: { ...usdc, from_protocol: 'compound', to_protocol: 'aave' },
  'claim-rewards': { asset: 'COMP' },
  reinvest_rewards: { asset: 'USDC', network: 'base', protocol: 'aave', reward_assets: ['COMP'] },
  'loop-long': loop,
  'unloop-long': {
    ...{ ...position, pool_fee: 500, exposure_amount: '100000000000000000' },
    ...{ backing_amount_to_exit: '0', min_swap_backing_amount: '100000000' },
  },
  'add-backing': { ...position, amount: '1000000', is_short: false },
  'withdraw-backing': { ...position, amount: '1000000', is_short: false },
}

/** A body for every plan kind on base; after `openPositions` a wallet can do each, and most of them many times. */
export const bodies: Record<string, object> = {
  ...special,
  ...Object.fromEntries(otherKinds(Object.keys(special))),
}

/** Funds, a supply position, a leveraged one, and rewards of a day: what `bodies` take. */
export async function openPositions(
  sim: SimulatorHandle,
  user: Awaited<ReturnType<typeof openUser>>,
): Promise<void> {
  await user.fund('base', 'USDC', 50_000_000_000n)
  await user.fund('base', 'WETH', ether)
  await user.run('earn', { ...usdc, amount: '20000000000', protocol: 'compound' })
  await user.run('loop-long', loop)
  await sim.clock.advance(86_400)
}
