import { afterAll, beforeAll, expect, test } from 'vitest'
import { positionsOn } from '../../../../test/kit/positions.js'
import { createSimulator, type SimulatorHandle } from '../../../../test/kit/simulator.js'
import { openUser, type PlanBody } from '../../../../test/kit/user.js'
import { loadAddressBook } from '../../../deployments/addressBook.js'
import { networkNames } from '../../../deployments/networks.js'

/** Native assets where only markets are meant: they stand for their wrapped twins. */

const book = loadAddressBook()
const ether = 10n ** 18n
const half = ether / 2n
let sim: SimulatorHandle

beforeAll(async () => {
  sim = await createSimulator({ clock: 'frozen', seed: 8n, bridgeDelayMs: 0 })
})
afterAll(() => sim.close())

type User = Awaited<ReturnType<typeof openUser>>

const actionsOf = ({ details }: PlanBody) =>
  details.svc_operation_actions.map(({ action }) => action.action_context)
const typesOf = (plan: PlanBody) => actionsOf(plan).map(({ action_type }) => action_type)

/** Runs a plan to its confirmation; what its actions were. */
async function confirmed(user: User, kind: string, body: object) {
  const { plan, activity } = await user.run(kind, body)
  expect([kind, activity.activity_status]).toEqual([kind, 'confirmed'])
  return typesOf(plan)
}

/** A position is what was supplied, to a unit per rounding of the markets it went through; Aave rounds either way. */
const nearly = (whole: bigint, position: bigint) => {
  const missing = whole - position
  expect(missing < 0n ? -missing : missing).toBeLessThanOrEqual(4n)
}

test.each(networkNames)('default: the native asset of %s is wrapped and earns', async (network) => {
  const { nativeSymbol, wrappedNativeSymbol } = book.on(network)
  const chain = positionsOn(sim, network)
  const user = await openUser(sim)
  await user.fund(network, nativeSymbol, 2n * ether)
  const earn = { asset: nativeSymbol, network, protocol: 'aave', amount: half.toString() }
  expect(await confirmed(user, 'earn', earn)).toEqual(['WRAP', 'AAVE_SUPPLY'])
  nearly(half, await chain.aave(wrappedNativeSymbol, user.wallet))
  // Again, and with some of it wrapped already: only what is missing is turned.
  await user.fund(network, wrappedNativeSymbol, half)
  expect(await confirmed(user, 'earn', earn)).toEqual(['AAVE_SUPPLY'])
  expect(await confirmed(user, 'earn', { ...earn, amount: 'max' })).toEqual(['WRAP', 'AAVE_SUPPLY'])
  nearly(5n * half, await chain.aave(wrappedNativeSymbol, user.wallet))
  expect(await chain.balance(nativeSymbol, user.wallet)).toBe(0n)
  // It comes out wrapped, and every plan takes that for the native one.
  const everything = { ...earn, amount: 'max' }
  expect(await confirmed(user, 'withdraw', everything)).toEqual(['AAVE_WITHDRAW'])
  nearly(5n * half, await chain.balance(wrappedNativeSymbol, user.wallet))
  const sent = { asset: nativeSymbol, network, amount: half.toString(), recipient: user.signer }
  expect(await confirmed(user, 'transfer', sent)).toEqual(['UNWRAP', 'TRANSFER'])
  expect(await chain.balance(nativeSymbol, user.signer)).toBe(half)
})

test('behavior: ether earns in every protocol, and moves between them', async () => {
  const user = await openUser(sim)
  await user.fund('base', 'ETH', 3n * ether)
  const vault = book.on('base').morpho.vaults.find(({ assetSymbol }) => assetSymbol === 'WETH')!
  const eth = { asset: 'ETH', network: 'base', amount: half.toString() }
  for (const protocol of ['compound', 'aave', 'morpho'])
    await confirmed(user, 'earn', { ...eth, protocol, market: marketOf(protocol) })
  expect(
    await confirmed(user, 'migrate', {
      ...{ ...eth, amount: 'max', migrate_only_supply_balances: true },
      ...{ from_protocol: 'compound', to_protocol: 'morpho_vault', to_market: vault.address },
    }),
  ).toEqual(['COMET_WITHDRAW', 'MORPHO_VAULT_SUPPLY'])
  const { assets } = await positionsOn(sim, 'base').vault(vault.address, user.wallet)
  nearly(ether, assets)

  function marketOf(protocol: string) {
    return protocol === 'morpho' ? vault.address : undefined
  }
})

const { id } = book.on('base').morpho.markets.find(({ label }) => label.startsWith('WETH/USDC'))!
const venues = {
  compound: { protocol: 'compound' },
  morpho: { protocol: 'morpho', market: id },
}

test.each(['compound', 'morpho'] as const)(
  'behavior: %s: native ether is collateral; what comes back is wrapped, and is collateral again',
  async (venue) => {
    const chain = positionsOn(sim, 'base')
    const user = await openUser(sim)
    await user.fund('base', 'ETH', 2n * ether)
    const loan = { asset: 'USDC', collateral_asset: 'ETH', network: 'base', ...venues[venue] }
    const type = venue === 'compound' ? 'COMET' : 'MORPHO'
    const borrow = { ...loan, amount: '500000000', collateral_amount: ether.toString() }
    expect(await confirmed(user, 'borrow', borrow)).toEqual(['WRAP', `${type}_BORROW`])
    expect(await chain.balance('ETH', user.wallet)).toBe(ether)
    const back = { ...loan, amount: '100000000', collateral_amount: half.toString() }
    expect(await confirmed(user, 'repay', back)).toEqual([`${type}_REPAY`])
    expect(await chain.balance('WETH', user.wallet)).toBe(half)
    const more = { ...loan, amount: '500000000', collateral_amount: 'max' }
    expect(await confirmed(user, 'borrow', more)).toEqual(['WRAP', `${type}_BORROW`])
    expect(await chain.balance('ETH', user.wallet)).toBe(0n)
    await user.fund('base', 'USDC', 10_000_000n)
    const all = { ...loan, amount: 'max', collateral_amount: 'max' }
    expect(await confirmed(user, 'repay', all)).toEqual([`${type}_REPAY`])
    expect(await chain.balance('WETH', user.wallet)).toBe(2n * ether)
  },
)

test('behavior: a debt in ether is one in its twin, repaid out of either', async () => {
  const chain = positionsOn(sim, 'base')
  const user = await openUser(sim)
  await user.fund('base', 'cbBTC', 100_000_000n)
  const loan = { asset: 'ETH', collateral_asset: 'cbBTC', network: 'base', protocol: 'compound' }
  const collateral_amount = '100000000'
  await confirmed(user, 'borrow', { ...loan, amount: ether.toString(), collateral_amount })
  expect(await chain.balance('WETH', user.wallet)).toBe(ether)
  await user.fund('base', 'ETH', half)
  const all = { ...loan, amount: 'max', collateral_amount: 'max' }
  expect(await confirmed(user, 'repay', all)).toEqual(['WRAP', 'COMET_REPAY'])
  expect((await chain.comet('WETH', 'cbBTC', user.wallet)).debt).toBe(0n)
})

test('behavior: the native asset of polygon is collateral, and exposure of ether is that of its twin', async () => {
  const polygon = await openUser(sim)
  await polygon.fund('polygon', 'POL', 10_000n * ether)
  const { markets } = book.on('polygon').morpho
  const market = markets.find(({ label }) => label.startsWith('WPOL/USDC'))!.id
  const at = { asset: 'USDC', network: 'polygon', protocol: 'morpho', market }
  const loan = { ...at, amount: '1000000', collateral_asset: 'POL', collateral_amount: 'max' }
  expect(await confirmed(polygon, 'borrow', loan)).toEqual(['WRAP', 'MORPHO_BORROW'])

  const user = await openUser(sim)
  await user.fund('base', 'USDC', 5_000_000_000n)
  const position = { exposure_asset: 'ETH', backing_asset: 'USDC', market_id: id, network: 'base' }
  const open = {
    ...{ ...position, pool_fee: 500, is_increase: true, exposure_amount: ether.toString() },
    ...{ max_swap_backing_amount: '3200000000', max_provided_backing_amount: '1500000000' },
  }
  expect(await confirmed(user, 'loop-long', open)).toEqual(['LOOP_LONG'])
  expect((await positionsOn(sim, 'base').morpho(id, user.wallet)).collateral).toBe(ether)
  const close = {
    ...{ ...position, pool_fee: 500, exposure_amount: 'max' },
    ...{ backing_amount_to_exit: '0', min_swap_backing_amount: '2800000000' },
  }
  expect(await confirmed(user, 'unloop-long', close)).toEqual(['UNLOOP_LONG'])
})

/** Plans, and loses half of what is bridged, so that what arrived stays as it arrived. */
async function halfArrives(user: User, body: object) {
  await sim.faults.add({ id: 'half', on: 'bridge', effect: 'partial' })
  const { plan, activity } = await user.run('earn', body)
  await sim.faults.remove('half')
  expect(activity.activity_status).toBe('failed')
  const bridge = actionsOf(plan).find(({ action_type }) => action_type === 'BRIDGE')!
  const mint = plan.details.steps.find(({ type }) => type === 'exogenous') as unknown as {
    expected_actions: { action_context: { asset_symbol: string } }[]
  }
  expect(mint.expected_actions[0]!.action_context.asset_symbol).toBe(
    bridge.destination_asset_symbol,
  )
  expect(bridge.asset_symbol).toBe('WETH')
  return bridge.destination_asset_symbol
}

test('behavior: ether that is bridged says in which form it arrives, and does', async () => {
  const chain = positionsOn(sim, 'base')
  const user = await openUser(sim)
  await user.fund('optimism', 'ETH', 3n * ether)
  const earn = { asset: 'ETH', network: 'base', protocol: 'aave', amount: ether.toString() }
  expect(await halfArrives(user, earn)).toBe('ETH')
  expect(await chain.balance('WETH', user.wallet)).toBe(0n)
  expect(await chain.balance('ETH', user.wallet)).toBeGreaterThan((half * 999n) / 1_000n)
  // Now with a wallet that is deployed there: what arrives is wrapped.
  await confirmed(user, 'transfer', {
    ...{ asset: 'ETH', network: 'base', amount: 'max', recipient: user.signer },
  })
  await user.fund('optimism', 'ETH', 3n * ether)
  expect(await halfArrives(user, earn)).toBe('WETH')
  expect(await chain.balance('ETH', user.wallet)).toBe(0n)
  expect(await chain.balance('WETH', user.wallet)).toBeGreaterThan((half * 999n) / 1_000n)
})

test('behavior: where WETH is not the twin of the native asset it arrives as it is', async () => {
  const user = await openUser(sim)
  await user.fund('optimism', 'ETH', 2n * ether)
  const earn = { asset: 'WETH', network: 'polygon', protocol: 'aave', amount: ether.toString() }
  expect(await halfArrives(user, earn)).toBe('WETH')
  expect(await positionsOn(sim, 'polygon').balance('WETH', user.wallet)).toBeGreaterThan(0n)
})
