import type { Address } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { positionsOn } from '../../../../test/kit/positions.js'
import { createSimulator, type SimulatorHandle } from '../../../../test/kit/simulator.js'
import { openUser, type PlanBody } from '../../../../test/kit/user.js'
import { loadAddressBook } from '../../../deployments/addressBook.js'

const book = loadAddressBook()
const { aave, comets, morpho } = book.on('base')
const [first, second] = morpho.vaults.filter(({ assetSymbol }) => assetSymbol === 'USDC')
const kept = 7_000_001n
const deposited = 5_000_000_000n
let sim: SimulatorHandle

/** A market as migrate names it, how its actions are called, and what a wallet has there. */
interface Venue {
  protocol: string
  market?: Address
  action: string
  holder: Address
}
const venues = {
  compound: {
    protocol: 'compound',
    action: 'COMET',
    holder: comets.find(({ baseSymbol }) => baseSymbol === 'USDC')!.address,
  },
  aave: { protocol: 'aave', action: 'AAVE', holder: aave.pool },
  vault: {
    protocol: 'morpho_vault',
    market: first!.address,
    action: 'MORPHO_VAULT',
    holder: first!.address,
  },
  'other vault': {
    protocol: 'morpho_vault',
    market: second!.address,
    action: 'MORPHO_VAULT',
    holder: second!.address,
  },
} as const satisfies Record<string, Venue>
type VenueName = keyof typeof venues
const names = Object.keys(venues) as VenueName[]
const pairs = names.flatMap((from) =>
  names.filter((to) => to !== from).map((to) => [from, to] as const),
)

beforeAll(async () => {
  sim = await createSimulator({ rpcUnsafe: true })
})
afterAll(() => sim.close())

function worth(name: VenueName, wallet: Address): Promise<bigint> {
  const chain = positionsOn(sim, 'base')
  if (name === 'compound')
    return chain.comet('USDC', 'WETH', wallet).then((position) => position.supplied)
  if (name === 'aave') return chain.aave('USDC', wallet)
  return chain.vault(venues[name].holder, wallet).then(({ assets }) => assets)
}

function body(from: VenueName, to: VenueName, rest: object = {}) {
  const [source, destination]: Venue[] = [venues[from], venues[to]]
  return {
    amount: '2000000000',
    asset: 'USDC',
    network: 'base',
    from_protocol: source!.protocol,
    to_protocol: destination!.protocol,
    ...(source!.market && { from_market: source!.market }),
    ...(destination!.market && { to_market: destination!.market }),
    ...rest,
  }
}

/** Somebody with a position in a market, some interest on it, and something in the wallet besides. */
async function saver(name: VenueName) {
  const user = await openUser(sim)
  await user.fund('base', 'USDC', deposited + kept)
  const { protocol, market }: Venue = venues[name]
  const earn = { asset: 'USDC', amount: deposited.toString(), network: 'base', protocol }
  await user.run('earn', { ...earn, ...(market && { market }) })
  await positionsOn(sim, 'base').warp(86_400)
  return user
}

/** The amounts that the two markets told of, and that both were in one transaction. */
function moved({ activity }: Awaited<ReturnType<Awaited<ReturnType<typeof saver>>['run']>>) {
  expect(activity.activity_status).toBe('confirmed')
  const [out, into] = activity.activity_metadata
  expect(out!.transaction_hash).toBe(into!.transaction_hash)
  return activity.activity_metadata.map((item) => {
    const events = item.semantic_events as { event_metadata: { amount: string } }[]
    expect(events).toHaveLength(1)
    return BigInt(events[0]!.event_metadata.amount)
  })
}

function failure(message: string) {
  return { status: 400, body: { error: 'plan_failed', message: expect.stringContaining(message) } }
}

test.each(pairs)(
  'default: from %s to %s: an amount, and what the wallet holds stays',
  async (from, to) => {
    const user = await saver(from)
    const before = await worth(from, user.wallet)
    const done = await user.run('migrate', body(from, to, { migrate_only_supply_balances: true }))
    expect(done.activity.activity_metadata.map((item) => item.action_type)).toEqual([
      `${venues[from].action}_WITHDRAW`,
      `${venues[to].action}_SUPPLY`,
    ])
    expect(done.plan.details.eip712_data.domain_separator).toMatch(/^0x/)
    expect(moved(done)).toEqual([2_000_000_000n, 2_000_000_000n])
    const chain = positionsOn(sim, 'base')
    expect(await chain.balance('USDC', user.wallet)).toBe(kept)
    expect(await chain.allowance('USDC', user.wallet, venues[to].holder)).toBe(0n)
    // Both markets round against the wallet; what is left goes on earning.
    expect(2_000_000_000n - (await worth(to, user.wallet))).toBeLessThanOrEqual(2n)
    expect(await worth(from, user.wallet)).toBeGreaterThanOrEqual(before - 2_000_000_002n)
    expect(await worth(from, user.wallet)).toBeLessThan(before - 1_990_000_000n)
  },
)

test.each(pairs)(
  'behavior: from %s to %s: everything, with its interest and without dust',
  async (from, to) => {
    const user = await saver(from)
    const before = await worth(from, user.wallet)
    const rest = { amount: 'max', migrate_only_supply_balances: true }
    const done = await user.run('migrate', body(from, to, rest))
    const [out, into] = moved(done)
    expect(out).toBeGreaterThanOrEqual(before)
    expect(out).toBeGreaterThan(deposited)
    expect(into).toBe(out)
    expect(await worth(from, user.wallet)).toBe(0n)
    expect(await positionsOn(sim, 'base').balance('USDC', user.wallet)).toBe(kept)
    expect(out! - (await worth(to, user.wallet))).toBeLessThanOrEqual(2n)
  },
)

test.each(pairs)(
  'behavior: from %s to %s: what the wallet holds moves along unless it is told to stay',
  async (from, to) => {
    for (const amount of ['2000000000', 'max']) {
      const user = await saver(from)
      const done = await user.run('migrate', body(from, to, { amount }))
      const [out, into] = moved(done)
      expect(into).toBe(out! + kept)
      if (amount !== 'max') expect(out).toBe(2_000_000_000n)
      expect(await positionsOn(sim, 'base').balance('USDC', user.wallet)).toBe(0n)
      expect(into! - (await worth(to, user.wallet))).toBeLessThanOrEqual(2n)
      const { action_context } = done.plan.details.svc_operation_actions[1]!.action
      const planned = BigInt(action_context.amount as string)
      expect(planned).toBeLessThanOrEqual(into!)
    }
  },
)

test('behavior: the passing of time does not make a plan stale, money that comes or goes does', async () => {
  const user = await saver('compound')
  const alone = { migrate_only_supply_balances: true, amount: 'max' }
  const { body: strict } = await user.plan('migrate', body('compound', 'aave', alone))
  const { body: all } = await user.plan('migrate', body('compound', 'aave', { amount: 'max' }))
  await positionsOn(sim, 'base').warp(60)
  await user.fund('base', 'USDC', 5n)
  expect(await user.execute(all as PlanBody)).toMatchObject({
    status: 409,
    body: { error: 'plan_stale' },
  })
  const { status, body: executed } = await user.execute(strict as PlanBody)
  expect(status).toBe(200)
  expect((await user.follow(executed.activity_id)).activity_status).toBe('confirmed')
  expect(await positionsOn(sim, 'base').balance('USDC', user.wallet)).toBe(kept + 5n)
})

test('error: bodies that name too little, or nothing that is known', async () => {
  const user = await saver('compound')
  const missing = ['amount', 'asset', 'from_protocol', 'to_protocol', 'network']
  const bad = [
    ...missing.map((field) => ({ [field]: undefined })),
    { amount: '0' },
    { asset: 'NOPE' },
    { to_protocol: 'euler' },
    { to_protocol: 'morpho_vault' },
    { from_protocol: 'morpho_vault' },
    { from_protocol: 'morpho_vault', to_market: first!.address },
    { to_protocol: 'morpho_vault', to_market: 'steakhouse-usdc' },
    { migrate_only_supply_balances: 'yes' },
  ]
  for (const change of bad)
    expect(
      await user.plan('migrate', { ...body('compound', 'aave'), ...change }),
      JSON.stringify(change),
    ).toMatchObject({ status: 400, body: { error: 'invalid_params' } })
  const { body: both } = await user.plan('migrate', {
    ...body('compound', 'aave'),
    from_protocol: 'morpho_vault',
    to_protocol: 'morpho_vault',
  })
  expect(both.message).toMatch(/^from_market is missing: .*; to_market is missing: /)
})

test('error: no position, or less than was asked', async () => {
  const user = await saver('compound')
  const nothing = await user.plan('migrate', body('aave', 'compound'))
  expect(nothing).toMatchObject(failure('route not found: the wallet has no USDC position'))
  // What the wallet holds besides does not make up for it.
  const more = await user.plan('migrate', body('compound', 'aave', { amount: '5006000000' }))
  expect(more).toMatchObject(failure('insufficient balance: the position in Compound USDC'))
})

test('error: a market to itself, and markets that are not there', async () => {
  const user = await saver('aave')
  for (const name of names)
    expect(await user.plan('migrate', body(name, name)), name).toMatchObject(
      failure('nothing to migrate: source and destination are both'),
    )
  const nowhere = '0x0000000000000000000000000000000000000001'
  for (const to of ['vault', 'compound'] as const)
    expect(await user.plan('migrate', body('aave', to, { to_market: nowhere }))).toMatchObject(
      failure('not found: no'),
    )
})
