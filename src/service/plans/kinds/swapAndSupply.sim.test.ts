import { type Address, encodeFunctionData } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readsOf } from '../../../../test/kit/chainReads.js'
import { positionsOn } from '../../../../test/kit/positions.js'
import { createSimulator, type SimulatorHandle } from '../../../../test/kit/simulator.js'
import { openUser, type PlanBody } from '../../../../test/kit/user.js'
import { actors, feeRecipient } from '../../../deployments/actors.js'
import { loadAddressBook } from '../../../deployments/addressBook.js'
import { exchangeAbi } from '../../../generated/abis.js'
import { swapFee } from '../markets/swapAction.js'

/** Swap and supply over the wire on every protocol, against reads of the chain. */

const book = loadAddressBook()
const base = book.on('base')
const vault = base.morpho.vaults.find(({ assetSymbol }) => assetSymbol === 'WETH')!
const usdcVault = base.morpho.vaults.find(({ assetSymbol }) => assetSymbol === 'USDC')!
const comet = base.comets.find(({ baseSymbol }) => baseSymbol === 'WETH')!
const ether = 10n ** 18n
const usdc = 10n ** 6n
let sim: SimulatorHandle

/** A protocol as requests name it, its supply's action and event, and the contract that may take the token. */
const venues = {
  compound: { action: 'COMET_SUPPLY', event: 'comet_supply_base', address: comet.address },
  aave: { action: 'AAVE_SUPPLY', event: 'aave_supply', address: base.aave.pool },
  morpho_vault: {
    action: 'MORPHO_VAULT_SUPPLY',
    event: 'morpho_vault_supply',
    address: vault.address,
  },
} as const
type Venue = keyof typeof venues

beforeAll(async () => {
  sim = await createSimulator({ bridgeDelayMs: 20 })
})
afterAll(() => sim.close())

/** WETH that the account has in the venue on base. */
function supplied(venue: Venue, account: Address): Promise<bigint> {
  const chain = positionsOn(sim, 'base')
  if (venue === 'aave') return chain.aave('WETH', account)
  if (venue === 'morpho_vault')
    return chain.vault(vault.address, account).then(({ assets }) => assets)
  return chain.comet('WETH', 'cbETH', account).then((position) => position.supplied)
}

const request = (venue: Venue, fields: object = {}) => ({
  sell_asset: 'USDC',
  sell_amount: '3000000000',
  buy_asset: 'WETH',
  protocol: venue,
  network: 'base',
  ...(venue === 'morpho_vault' ? { market: vault.address } : {}),
  ...fields,
})

function contextsOf(plan: PlanBody): Record<string, unknown>[] {
  return plan.details.svc_operation_actions.map(({ action }) => action.action_context)
}

test.each(Object.keys(venues) as Venue[])(
  'default: %s: what the swap brought after the fee is deposited, what was there stays',
  async (venue) => {
    const { action, event, address } = venues[venue]
    const chain = positionsOn(sim, 'base')
    const user = await openUser(sim)
    await user.fund('base', 'USDC', 5_000n * usdc)
    await user.fund('base', 'WETH', 2n * ether)
    const feesBefore = await chain.balance('WETH', feeRecipient)

    const { plan, activity } = await user.run('swap-and-supply', request(venue))
    const [swap, supply] = contextsOf(plan)
    const bought = BigInt(swap!.output_amount as string)
    const fee = swapFee(bought)
    expect(swap).toMatchObject({
      action_type: 'SWAP',
      input_amount: '3000000000',
      fee_amounts: [fee.toString()],
      is_capped_max: false,
    })
    expect(supply).toMatchObject({
      action_type: action,
      amount: (bought - fee).toString(),
      asset_symbol: 'WETH',
    })
    expect(activity).toMatchObject({
      activity_status: 'confirmed',
      activity_metadata: [
        {
          action_type: 'SWAP',
          semantic_events: [
            { event_type: 'swap', event_metadata: { output_amount: bought.toString() } },
          ],
        },
        {
          action_type: action,
          semantic_events: [
            { event_type: event, event_metadata: { amount: (bought - fee).toString() } },
          ],
        },
      ],
    })
    const [one, other] = activity.activity_metadata
    expect(one!.transaction_hash).toBe(other!.transaction_hash)

    expect(await chain.balance('USDC', user.wallet)).toBe(2_000n * usdc)
    expect(await chain.balance('WETH', user.wallet)).toBe(2n * ether)
    expect((await chain.balance('WETH', feeRecipient)) - feesBefore).toBe(fee)
    // Markets round what a position is worth down; Aave rounds to the nearest unit, so it may be one more.
    const missing = bought - fee - (await supplied(venue, user.wallet))
    expect(missing).toBeGreaterThanOrEqual(venue === 'aave' ? -1n : 0n)
    expect(missing).toBeLessThanOrEqual(2n)
    expect(await chain.allowance('WETH', user.wallet, address)).toBe(0n)
    expect(await chain.allowance('USDC', user.wallet, base.exchange)).toBe(0n)
  },
)

test('behavior: everything of all networks is sold', async () => {
  const chain = positionsOn(sim, 'optimism')
  const user = await openUser(sim)
  await user.fund('optimism', 'USDC', 300n * usdc)
  await user.fund('arbitrum', 'USDC', 200n * usdc)
  const { plan, activity } = await user.run(
    'swap-and-supply',
    request('aave', { network: 'optimism', sell_amount: 'max' }),
  )
  const [bridge, swap, supply] = contextsOf(plan)
  expect(swap).toMatchObject({
    input_amount: (300n * usdc + BigInt(bridge!.output_amount as string)).toString(),
    is_capped_max: true,
  })
  expect(activity.activity_metadata.map((item) => item.action_type)).toEqual([
    'BRIDGE',
    'BRIDGE_MINT',
    'SWAP',
    'AAVE_SUPPLY',
  ])
  expect(await chain.balance('USDC', user.wallet)).toBe(0n)
  expect(await positionsOn(sim, 'arbitrum').balance('USDC', user.wallet)).toBe(0n)
  expect(await chain.balance('WETH', user.wallet)).toBe(0n)
  const missing = BigInt(supply!.amount as string) - (await chain.aave('WETH', user.wallet))
  expect(missing).toBeLessThanOrEqual(1n)
})

test('behavior: ether is sold as such, and bought as its wrapped twin', async () => {
  const chain = positionsOn(sim, 'base')
  const user = await openUser(sim)
  await user.fund('base', 'ETH', ether)
  await user.fund('base', 'WETH', ether)
  const { activity } = await user.run(
    'swap-and-supply',
    request('morpho_vault', {
      sell_asset: 'ETH',
      sell_amount: 'max',
      buy_asset: 'USDC',
      market: usdcVault.address,
    }),
  )
  expect(activity.activity_metadata.map((item) => item.action_type)).toEqual([
    'UNWRAP',
    'SWAP',
    'MORPHO_VAULT_SUPPLY',
  ])
  expect(await chain.balance('ETH', user.wallet)).toBe(0n)
  expect(await chain.balance('WETH', user.wallet)).toBe(0n)
  expect((await chain.vault(usdcVault.address, user.wallet)).assets).toBeGreaterThan(5_900n * usdc)

  await user.fund('base', 'USDC', 3_000n * usdc)
  const { plan } = await user.run('swap-and-supply', request('compound', { buy_asset: 'eth' }))
  expect(contextsOf(plan)).toMatchObject([
    { output_asset_symbol: 'WETH' },
    { action_type: 'COMET_SUPPLY', asset_symbol: 'WETH' },
  ])
  expect(await supplied('compound', user.wallet)).toBeGreaterThan((98n * ether) / 100n)
})

test('behavior: a price that moved within the slippage changes the deposit, not the fee', async () => {
  const chain = positionsOn(sim, 'base')
  const user = await openUser(sim)
  await user.fund('base', 'DAI', 3_000n * ether)
  const body = request('aave', { sell_asset: 'DAI', sell_amount: (3_000n * ether).toString() })
  const planned = (await user.plan('swap-and-supply', body)).body as PlanBody
  const [, supply] = contextsOf(planned)
  const reads = readsOf(sim)
  const spread = (bps: bigint) =>
    reads.sendAs('base', actors.admin, {
      to: base.exchange,
      data: encodeFunctionData({
        abi: exchangeAbi,
        functionName: 'setParameters',
        args: [bps, 10_000_000_000_000_000n],
      }),
    })
  await spread(55n)
  const executed = await user.execute(planned)
  const activity = await user.follow((executed.body as { activity_id: string }).activity_id)
  await spread(5n)
  expect(activity.activity_status).toBe('confirmed')
  const [event] = activity.activity_metadata[1]!.semantic_events as {
    event_metadata: { amount: string }
  }[]
  const deposited = BigInt(event!.event_metadata.amount)
  const expected = BigInt(supply!.amount as string)
  // Half a percent less, and nothing of it is left in the wallet.
  expect(deposited).toBeLessThan((expected * 9_955n) / 10_000n)
  expect(deposited).toBeGreaterThan((expected * 9_945n) / 10_000n)
  expect(await chain.balance('WETH', user.wallet)).toBe(0n)
})

test('error: plan_stale when everything is no longer what was quoted', async () => {
  const user = await openUser(sim)
  await user.fund('polygon', 'DAI', 100n * ether)
  const body = request('aave', { network: 'polygon', sell_asset: 'DAI', sell_amount: 'max' })
  const planned = (await user.plan('swap-and-supply', body)).body as PlanBody
  await user.fund('polygon', 'DAI', 1n)
  expect((await user.execute(planned)).body).toMatchObject({ error: 'plan_stale' })
})

test('error: invalid_params', async () => {
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 5_000n * usdc)
  const bad = [
    { sell_asset: undefined },
    { sell_amount: '0' },
    { buy_asset: 'NOPE' },
    { buy_asset: 'USDC' },
    { sell_asset: 'WETH', buy_asset: 'ETH' },
    { protocol: 'uniswap' },
    { protocol: 'morpho_vault' },
    { network: 'gnosis' },
    { market: '0x12' },
  ]
  for (const fields of bad)
    expect([fields, await user.plan('swap-and-supply', request('compound', fields))]).toMatchObject(
      [fields, { status: 400, body: { error: 'invalid_params' } }],
    )
})

test('error: plan_failed: too little, nothing at all, a market that is not there', async () => {
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 100n * usdc)
  const refused: [object, string][] = [
    [
      request('compound'),
      'insufficient balance of USDC on base: required 3000000000, available 10',
    ],
    [request('compound', { sell_asset: 'DAI', sell_amount: 'max' }), 'nothing can be delivered'],
    [request('compound', { sell_amount: '1000000', buy_asset: 'DAI' }), 'market not found'],
    [
      request('morpho_vault', { sell_amount: '1000000', market: usdcVault.address }),
      'vault not found',
    ],
  ]
  for (const [body, message] of refused)
    expect(await user.plan('swap-and-supply', body)).toMatchObject({
      status: 400,
      body: { error: 'plan_failed', message: expect.stringContaining(message) },
    })
})

test('error: swap_quote_failed without liquidity; a missing balance is said first', async () => {
  const reads = readsOf(sim)
  const user = await openUser(sim)
  await user.fund('mainnet', 'USDC', 100n * usdc)
  const { exchange } = book.on('mainnet')
  const weth = book.token('mainnet', 'WETH')!.address
  const inventory = await reads.balance('mainnet', 'WETH', exchange)
  await reads.sendAs('mainnet', actors.admin, {
    to: exchange,
    data: encodeFunctionData({
      abi: exchangeAbi,
      functionName: 'withdraw',
      args: [weth, inventory, actors.admin],
    }),
  })
  const plan = (sell_amount: string) =>
    user.plan('swap-and-supply', request('aave', { network: 'mainnet', sell_amount }))
  for (const amount of ['1000000', 'max']) {
    const { status, body, headers } = await plan(amount)
    expect([status, body]).toMatchObject([422, { error: 'swap_quote_failed' }])
    expect(headers.get('x-svc-sim-hint')).toContain('InsufficientLiquidity')
  }
  expect((await plan('100000001')).body).toMatchObject({ error: 'plan_failed' })
})
