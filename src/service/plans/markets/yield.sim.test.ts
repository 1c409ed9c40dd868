import type { Address } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { positionsOn } from '../../../../test/kit/positions.js'
import { createSimulator, type SimulatorHandle } from '../../../../test/kit/simulator.js'
import { openUser, type PlanBody } from '../../../../test/kit/user.js'
import { loadAddressBook } from '../../../deployments/addressBook.js'
import type { NetworkName } from '../../../deployments/networks.js'

/** Earn and withdraw over the wire on every protocol, against reads of the chain. */

const book = loadAddressBook()
const { aave, comets, morpho } = book.on('base')
const comet = comets.find(({ baseSymbol }) => baseSymbol === 'USDC')!
const vaults = morpho.vaults.filter(({ assetSymbol }) => assetSymbol === 'USDC')
const vault = vaults[0]!
const year = 31_536_000
let sim: SimulatorHandle

/** A protocol as requests name it, and how its actions tell of themselves. */
const venues = {
  compound: {
    fields: { protocol: 'compound' },
    address: comet.address,
    action: 'COMET',
    event: ['comet_supply_base', 'comet_withdraw_base'],
    key: 'comet',
  },
  aave: {
    fields: { protocol: 'aave' },
    address: aave.pool,
    action: 'AAVE',
    event: ['aave_supply', 'aave_withdraw'],
    key: 'aave_pool',
  },
  morpho: {
    fields: { protocol: 'morpho_vault', market: vault.address },
    address: vault.address,
    action: 'MORPHO_VAULT',
    event: ['morpho_vault_supply', 'morpho_vault_withdraw'],
    key: 'morpho_vault',
  },
} as const
const names = ['compound', 'aave', 'morpho'] as const

beforeAll(async () => {
  sim = await createSimulator({ bridgeDelayMs: 20, rpcUnsafe: true })
})
afterAll(() => sim.close())

function supplied(name: keyof typeof venues, wallet: Address): Promise<bigint> {
  const chain = positionsOn(sim, 'base')
  if (name === 'aave') return chain.aave('USDC', wallet)
  if (name === 'morpho') return chain.vault(vault.address, wallet).then(({ assets }) => assets)
  return chain.comet('USDC', 'WETH', wallet).then((position) => position.supplied)
}

const usdc = (amount: string, protocol: object) => ({
  asset: 'USDC',
  amount,
  network: 'base',
  ...protocol,
})

async function saver(amount = 5_000_000_000n, network: NetworkName = 'base') {
  const user = await openUser(sim)
  await user.fund(network, 'USDC', amount)
  return user
}

function failure(message: string) {
  return { status: 400, body: { error: 'plan_failed', message: expect.stringContaining(message) } }
}

test.each(names)(
  'default: %s: a deposit and its way back, with what the chain says',
  async (name) => {
    const { fields, address, action, event, key } = venues[name]
    const chain = positionsOn(sim, 'base')
    const user = await saver()
    const body = usdc('3000000000', fields)
    const { plan, activity } = await user.run('earn', body)
    const { script_calldata } = plan.details.svc_operation_actions[0]!.operation
    expect(script_calldata).toContain(address.slice(2))
    expect(plan.details.svc_operation_actions).toHaveLength(1)
    const context = {
      action_type: `${action}_SUPPLY`,
      amount: '3000000000',
      asset_symbol: 'USDC',
      chain_id: '8453',
      [key]: address,
      price: '100000000',
      token: book.token('base', 'USDC')!.address,
    }
    expect(plan.details.svc_operation_actions[0]!.action.action_context).toEqual(context)
    expect(activity).toMatchObject({
      activity_status: 'confirmed',
      activity_metadata: [
        {
          action_type: `${action}_SUPPLY`,
          semantic_events: [
            {
              event_type: event[0],
              log_indices: [expect.any(Number)],
              event_metadata: {
                [key]: address,
                token: context.token,
                amount: '3000000000',
                dollar_value: '300000000000',
              },
            },
          ],
        },
      ],
    })
    expect(await chain.balance('USDC', user.wallet)).toBe(2_000_000_000n)
    // Shares are rounded down, and then what they are worth again.
    expect(3_000_000_000n - (await supplied(name, user.wallet))).toBeLessThanOrEqual(2n)
    expect(await chain.allowance('USDC', user.wallet, address)).toBe(0n)

    const back = await user.run('withdraw', usdc('1000000000', fields))
    expect(back.activity.activity_metadata[0]).toMatchObject({
      action_type: `${action}_WITHDRAW`,
      action_context: { ...context, action_type: `${action}_WITHDRAW`, amount: '1000000000' },
      semantic_events: [
        { event_type: event[1], event_metadata: { [key]: address, amount: '1000000000' } },
      ],
    })
    expect(await chain.balance('USDC', user.wallet)).toBe(3_000_000_000n)
  },
)

test.each(names)(
  'behavior: %s: everything goes in, and everything with its interest comes out',
  async (name) => {
    const { fields } = venues[name]
    const chain = positionsOn(sim, 'base')
    const user = await saver()
    await user.run('earn', usdc('max', fields))
    expect(await chain.balance('USDC', user.wallet)).toBe(0n)
    await chain.warp(year / 12)
    // Interest runs on between plan and execution: neither stale nor left behind.
    const { body } = await user.plan('withdraw', usdc('max', fields))
    await chain.warp(60)
    const worth = await supplied(name, user.wallet)
    const { status, body: executed } = await user.execute(body as PlanBody)
    expect(status).toBe(200)
    const activity = await user.follow(executed.activity_id)
    expect(activity.activity_status).toBe('confirmed')
    const out = await chain.balance('USDC', user.wallet)
    expect(out).toBeGreaterThanOrEqual(worth)
    expect(out).toBeGreaterThan(5_000_000_000n)
    expect(await supplied(name, user.wallet)).toBe(0n)
    if (name === 'morpho')
      expect(await chain.vault(vault.address, user.wallet)).toEqual({ shares: 0n, assets: 0n })
  },
)

test.each(names)('behavior: %s: a position can be named to the unit', async (name) => {
  const { fields } = venues[name]
  const user = await saver()
  await user.run('earn', usdc('1234567891', fields))
  const worth = await supplied(name, user.wallet)
  const { activity } = await user.run('withdraw', usdc(worth.toString(), fields))
  expect(activity.activity_status).toBe('confirmed')
  const chain = positionsOn(sim, 'base')
  expect(await chain.balance('USDC', user.wallet)).toBe(5_000_000_000n - 1_234_567_891n + worth)
})

test.each(names)('error: %s: no position, and more than the position', async (name) => {
  const { fields } = venues[name]
  const user = await saver()
  for (const amount of ['1', 'max'])
    expect(await user.plan('withdraw', usdc(amount, fields))).toMatchObject(
      failure('route not found: the wallet has no USDC position'),
    )
  await user.run('earn', usdc('1000000000', fields))
  // A thousand dollars earn less than one in the time of a test.
  expect(await user.plan('withdraw', usdc('1001000000', fields))).toMatchObject(
    failure('1001000000 was asked'),
  )
})

test.each(names)('error: %s: markets that do not exist, or are of another asset', async (name) => {
  const { fields } = venues[name]
  const user = await saver()
  await user.fund('base', 'DAI', 10n ** 18n)
  const nowhere = '0x0000000000000000000000000000000000000001'
  for (const kind of ['earn', 'withdraw']) {
    const elsewhere = { ...usdc('1', fields), market: nowhere }
    expect(await user.plan(kind, elsewhere)).toMatchObject(failure('not found'))
    expect(await user.plan(kind, { ...usdc('1', fields), asset: 'DAI' })).toMatchObject(
      failure('not found: no'),
    )
  }
})

test('error: morpho_vault requires the address of a vault', async () => {
  const user = await saver()
  for (const [kind, protocol] of [
    ['earn', 'morpho_vault'],
    ['withdraw', 'morpho_vault'],
  ] as const) {
    const { status, body } = await user.plan(kind, usdc('1', { protocol }))
    expect(status).toBe(400)
    expect(body).toEqual({
      error: 'invalid_params',
      message: `market is missing: it must be a vault address: 0x and 40 hex digits, as GET /markets lists them; protocol "${protocol}" requires it`,
    })
  }
  const shouted = vault.address.toUpperCase().replace('0X', '0x')
  await user.run('earn', usdc('1000000', { protocol: 'morpho_vault', market: shouted }))
  expect((await positionsOn(sim, 'base').vault(vault.address, user.wallet)).shares).toBeGreaterThan(
    0n,
  )
})

test('error: only earn and withdraw know vaults as morpho; other endpoints name what they take', async () => {
  const user = await saver()
  const named = { protocol: 'morpho', market: vault.address }
  await user.run('earn', usdc('1000000', named))
  const { shares } = await positionsOn(sim, 'base').vault(vault.address, user.wallet)
  expect(shares).toBeGreaterThan(0n)
  const swap = { sell_asset: 'USDC', sell_amount: '1', buy_asset: 'WETH', network: 'base' }
  const move = { ...usdc('1', {}), from_market: vault.address, to_market: vault.address }
  const bodies: [string, string, object][] = [
    ['swap-and-supply', 'protocol', { ...swap, ...named }],
    ['reinvest_rewards', 'protocol', { ...usdc('1', named), reward_assets: ['COMP'] }],
    ['migrate', 'from_protocol', { ...move, from_protocol: 'morpho', to_protocol: 'aave' }],
    ['migrate', 'to_protocol', { ...move, from_protocol: 'aave', to_protocol: 'morpho' }],
  ]
  for (const [kind, field, body] of bodies) {
    const refused = await user.plan(kind, body)
    expect(refused, kind).toMatchObject({ status: 400, body: { error: 'invalid_params' } })
    expect(refused.body.message).toContain(`${field} must be one of compound, aave, morpho_vault`)
  }
  for (const kind of ['earn', 'withdraw']) {
    const { body } = await user.plan(kind, usdc('1', { protocol: 'euler' }))
    expect(body.message).toContain('must be one of compound, aave, morpho_vault, morpho')
  }
  // The position is what it is, by whichever name it came about.
  const { activity } = await user.run(
    'withdraw',
    usdc('max', { ...named, protocol: 'morpho_vault' }),
  )
  expect(activity.activity_status).toBe('confirmed')
})

test('default: morpho without a market: into the first vault of the list, and out of the one with a position', async () => {
  const user = await saver()
  const { body: list } = await user.api.get('/markets')
  const first = list.markets.find(
    (each: Record<string, unknown>) =>
      each.protocol === 'morpho_vault' &&
      each.chain_id === 8453 &&
      each.asset === book.token('base', 'USDC')!.address,
  )
  const documented = usdc('1000000', { protocol: 'morpho' })
  expect(await user.plan('withdraw', documented)).toMatchObject(
    failure('route not found: the wallet has no USDC position in a Morpho vault on base'),
  )
  const { plan } = await user.run('earn', documented)
  const { action_context } = plan.details.svc_operation_actions[0]!.action
  expect(action_context).toMatchObject({
    action_type: 'MORPHO_VAULT_SUPPLY',
    morpho_vault: first.vault,
  })
  const { activity } = await user.run('withdraw', { ...documented, amount: 'max' })
  expect(activity).toMatchObject({
    activity_status: 'confirmed',
    activity_metadata: [
      { action_type: 'MORPHO_VAULT_WITHDRAW', action_context: { morpho_vault: first.vault } },
    ],
  })
  const { shares } = await positionsOn(sim, 'base').vault(first.vault, user.wallet)
  expect(shares).toBe(0n)
  // A position elsewhere is found, too.
  const [, second] = vaults
  await user.run('earn', { ...documented, market: second!.address })
  const part = { ...documented, amount: '500000' }
  const { body: planned } = await user.plan('withdraw', part)
  expect(planned).toMatchObject({
    details: {
      svc_operation_actions: [{ action: { action_context: { morpho_vault: second!.address } } }],
    },
  })
  // And once there are two, neither is guessed: not for a plan that was made before, either.
  await user.run('earn', documented)
  expect(await user.execute(planned as PlanBody)).toMatchObject({
    status: 409,
    body: { error: 'plan_stale' },
  })
  const several = await user.plan('withdraw', part)
  expect(several).toMatchObject(
    failure('ambiguous market: the wallet has USDC in 2 Morpho vaults on base: '),
  )
  for (const { address, name } of vaults.slice(0, 2))
    expect(several.body.message).toContain(`in ${name} (${address})`)
})

test('error: morpho without a market, where the asset has no vault', async () => {
  const user = await saver()
  for (const kind of ['earn', 'withdraw'])
    expect(
      await user.plan(kind, { ...usdc('1', { protocol: 'morpho' }), asset: 'DAI' }),
    ).toMatchObject(failure('morpho vault not found: no vault for DAI on base; GET /markets'))
})

test('behavior: the market may be named where it is the only one', async () => {
  const user = await saver()
  await user.run('earn', usdc('1000000', { protocol: 'compound', market: comet.address }))
  await user.run('earn', usdc('1000000', { protocol: 'aave', market: aave.pool }))
})

test('behavior: a shortfall is bridged into any protocol; ether is wrapped', async () => {
  // On networks whose time no other test has moved: a bridge's deposit must not seem to come from the future.
  const chain = positionsOn(sim, 'optimism')
  const user = await saver(2_000_000_000n, 'arbitrum')
  await user.fund('optimism', 'ETH', 10n ** 18n)
  const there = book.on('optimism').morpho.vaults.find(({ assetSymbol }) => assetSymbol === 'USDC')!
  const run = async (body: object) => {
    const { activity } = await user.run('earn', { network: 'optimism', ...body })
    return activity.activity_metadata.map((item) => item.action_type)
  }
  const bridged = { asset: 'USDC', amount: '900000000' }
  expect(await run({ ...bridged, protocol: 'aave' })).toEqual([
    'BRIDGE',
    'BRIDGE_MINT',
    'AAVE_SUPPLY',
  ])
  expect(await run({ ...bridged, protocol: 'morpho', market: there.address })).toEqual([
    'BRIDGE',
    'BRIDGE_MINT',
    'MORPHO_VAULT_SUPPLY',
  ])
  const ether = { asset: 'WETH', amount: '1000000000000000000', protocol: 'aave' }
  expect(await run(ether)).toEqual(['WRAP', 'AAVE_SUPPLY'])
  const { assets } = await chain.vault(there.address, user.wallet)
  expect(900_000_000n - assets).toBeLessThanOrEqual(2n)
  expect(900_000_000n - (await chain.aave('USDC', user.wallet))).toBeLessThanOrEqual(1n)
  expect(10n ** 18n - (await chain.aave('WETH', user.wallet))).toBeLessThanOrEqual(1n)
})
