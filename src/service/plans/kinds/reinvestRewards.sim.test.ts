import { type Address, encodeFunctionData, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readsOf } from '../../../../test/kit/chainReads.js'
import { positionsOn } from '../../../../test/kit/positions.js'
import { createSimulator, type SimulatorHandle } from '../../../../test/kit/simulator.js'
import { openUser, type PlanBody } from '../../../../test/kit/user.js'
import type { NetworkState } from '../../../chain/state/networkState.js'
import { actors, feeRecipient } from '../../../deployments/actors.js'
import { loadAddressBook } from '../../../deployments/addressBook.js'
import type { NetworkName } from '../../../deployments/networks.js'
import { exchangeAbi } from '../../../generated/abis.js'
import { svcAddresses } from '../../../generated/svc.js'
import { swapFee } from '../markets/swapAction.js'
import { reinvestRewards } from './reinvestRewards.js'

/** Rewards reinvested over the wire, against reads of the chain. */

const book = loadAddressBook()
const base = book.on('base')
const comet = base.comets.find(({ baseSymbol }) => baseSymbol === 'USDC')!
const usdcVault = base.morpho.vaults.find(({ assetSymbol }) => assetSymbol === 'USDC')!
const usdc = 10n ** 6n
const day = 86_400
let sim: SimulatorHandle

beforeAll(async () => {
  sim = await createSimulator({ rpcUnsafe: true })
})
afterAll(() => sim.close())

type User = Awaited<ReturnType<typeof openUser>>

/** An account whose deposits have earned rewards for a day: COMP in the Comet market, MORPHO in the vault. */
async function earner(...protocols: ('compound' | 'morpho_vault')[]): Promise<User> {
  const user = await openUser(sim)
  for (const protocol of protocols) {
    await user.fund('base', 'USDC', 1_000_000n * usdc)
    const market = protocol === 'morpho_vault' ? { market: usdcVault.address } : {}
    const amount = (1_000_000n * usdc).toString()
    await user.run('earn', { asset: 'USDC', amount, network: 'base', protocol, ...market })
  }
  await positionsOn(sim, 'base').warp(day)
  return user
}

const request = (fields: object = {}) => ({
  asset: 'USDC',
  protocol: 'aave',
  network: 'base',
  reward_assets: ['COMP'],
  ...fields,
})

type Context = Record<string, string> & Record<`${string}s`, string[]>
function contextsOf(plan: PlanBody): Context[] {
  return plan.details.svc_operation_actions.map(({ action }) => action.action_context as Context)
}

function typesOf(items: { action_type: string }[] | Context[]): string[] {
  return items.map((item) => item.action_type as string)
}

test('default: two rewards are claimed, swapped and supplied in one transaction', async () => {
  const chain = positionsOn(sim, 'base')
  const user = await earner('compound', 'morpho_vault')
  await user.fund('base', 'USDC', 7n * usdc)
  const feesBefore = await chain.balance('USDC', feeRecipient)
  const { plan, activity } = await user.run(
    'reinvest_rewards',
    request({ reward_assets: ['comp', 'MORPHO'] }),
  )
  const contexts = contextsOf(plan)
  const types = ['CLAIM_REWARDS', 'SWAP', 'CLAIM_REWARDS', 'SWAP', 'AAVE_SUPPLY']
  expect(typesOf(contexts)).toEqual(types)
  const [comp, compSwap, morpho, morphoSwap, supply] = contexts as [
    Context,
    Context,
    Context,
    Context,
    Context,
  ]
  expect([comp.asset_symbol, morpho.asset_symbol]).toEqual(['COMP', 'MORPHO'])
  expect(compSwap.input_amount).toBe(comp.amount)
  expect(morphoSwap.input_amount).toBe(morpho.amount)
  const bought = [compSwap, morphoSwap].map((swap) => BigInt(swap.output_amount!))
  const fees = bought.map(swapFee)
  expect([compSwap.fee_amounts, morphoSwap.fee_amounts]).toEqual(fees.map((fee) => [String(fee)]))
  const total = bought[0]! + bought[1]! - fees[0]! - fees[1]!
  expect(supply.amount).toBe(total.toString())

  const items = activity.activity_metadata
  expect(typesOf(items)).toEqual(types)
  expect(new Set(items.map((item) => item.transaction_hash)).size).toBe(1)
  // Each operation tells of itself alone.
  const events = items.map(
    (item) =>
      item.semantic_events as { event_type: string; event_metadata: Record<string, string> }[],
  )
  expect(events.map((own) => own.map(({ event_type }) => event_type))).toEqual([
    ['comet_claim_reward'],
    ['swap'],
    ['morpho_claim_reward'],
    ['swap'],
    ['aave_supply'],
  ])
  expect(events[1]![0]!.event_metadata).toMatchObject({
    input_amount: comp.amount,
    output_amount: bought[0]!.toString(),
  })
  expect(events[3]![0]!.event_metadata).toMatchObject({
    input_amount: morpho.amount,
    output_amount: bought[1]!.toString(),
  })
  expect(events[2]![0]!.event_metadata.amount).toBe(morpho.amount)
  expect(events[4]![0]!.event_metadata.amount).toBe(total.toString())

  expect((await chain.balance('USDC', feeRecipient)) - feesBefore).toBe(fees[0]! + fees[1]!)
  expect(await chain.balance('USDC', user.wallet)).toBe(7n * usdc)
  expect(await chain.balance('MORPHO', user.wallet)).toBe(0n)
  // What the Comet market owed beyond the plan is the wallet's.
  const claimed = BigInt(events[0]![0]!.event_metadata.amount!)
  expect(await chain.balance('COMP', user.wallet)).toBe(claimed - BigInt(comp.amount!))
  // Aave rounds what a position is worth to the nearest unit.
  const missing = total - (await chain.aave('USDC', user.wallet))
  expect(missing).toBeGreaterThanOrEqual(-1n)
  expect(missing).toBeLessThanOrEqual(1n)
})

test('behavior: rewards that accrue between plan and execute do not make it stale', async () => {
  const chain = positionsOn(sim, 'base')
  const user = await earner('compound')
  const body = request({ protocol: 'compound', market: comet.address })
  const planned = (await user.plan('reinvest_rewards', body)).body as PlanBody
  await chain.warp(60)
  const executed = await user.execute(planned)
  expect(executed.status).toBe(200)
  const activity = await user.follow((executed.body as { activity_id: string }).activity_id)
  expect(activity.activity_status).toBe('confirmed')
  const [claim, , supply] = contextsOf(planned) as [Context, Context, Context]
  const items = activity.activity_metadata
  const amountOf = (i: number) =>
    (items[i]!.semantic_events as { event_metadata: { amount: string } }[])[0]!.event_metadata
      .amount
  // A minute's rewards more than planned were claimed; they stay, and the deposit is what was planned.
  expect(BigInt(amountOf(0))).toBeGreaterThan(BigInt(claim.amount!))
  expect(await chain.balance('COMP', user.wallet)).toBe(BigInt(amountOf(0)) - BigInt(claim.amount!))
  expect(amountOf(2)).toBe(supply.amount)
})

test('behavior: rewards may go into a vault; that there is no such market is said before a quote is asked for', async () => {
  const network: NetworkName = 'arbitrum'
  const chain = positionsOn(sim, network)
  const user = await openUser(sim)
  const { vaults } = book.on(network).morpho
  const vault = vaults.find(({ assetSymbol }) => assetSymbol === 'USDC')!.address
  await user.fund(network, 'USDC', 1_000_000n * usdc)
  const amount = (1_000_000n * usdc).toString()
  await user.run('earn', { asset: 'USDC', amount, network, protocol: 'compound' })
  await chain.warp(day)
  const nowhere = request({ network, asset: 'COMP', protocol: 'compound' })
  expect((await user.plan('reinvest_rewards', nowhere)).body).toMatchObject({
    error: 'plan_failed',
    message: expect.stringContaining('market not found'),
  })
  const into = request({ network, protocol: 'morpho_vault', market: vault })
  const { plan, activity } = await user.run('reinvest_rewards', into)
  expect(typesOf(activity.activity_metadata)).toEqual([
    'CLAIM_REWARDS',
    'SWAP',
    'MORPHO_VAULT_SUPPLY',
  ])
  const missing =
    BigInt(contextsOf(plan)[2]!.amount!) - (await chain.vault(vault, user.wallet)).assets
  expect(missing).toBeGreaterThanOrEqual(0n)
  expect(missing).toBeLessThanOrEqual(2n)
})

test('behavior: a reward that is the supply asset is not swapped', () => {
  // No market of the offline world takes a reward token, so the world of this plan is made by hand.
  const mainnet = book.on('mainnet')
  const token = book.token('mainnet', 'COMP')!
  const earning = book.on('mainnet').comets.find(({ rewardSymbol }) => rewardSymbol === 'COMP')!
  const reserve = { ...mainnet.aave.reserves[0]!, symbol: 'COMP', asset: token.address }
  const networkState = {
    network: 'mainnet',
    prices: new Map([['COMP', 50_00000000n]]),
    comets: [{ market: earning, supplied: 1n, borrowed: 0n, rewardOwed: 77n }],
    aaveReserves: [
      { reserve, isActive: true, supplyCap: 0n, totalSupply: 0n, accruedToTreasury: 0n },
    ],
  } as unknown as NetworkState
  const world = {
    book,
    scripts: svcAddresses.scripts,
    wallet: '0x2222222222222222222222222222222222222222' as const,
    states: new Map([['mainnet' as const, networkState]]),
    rewards: [],
  }
  const intent = reinvestRewards.schema.parse(request({ network: 'mainnet', asset: 'COMP' }))
  expect(reinvestRewards.quotesFrom!(intent, world)).toEqual([])
  const { actions } = reinvestRewards.build(intent, { ...world, quotes: [] })
  expect(actions.map(({ context }) => context)).toMatchObject([
    { action_type: 'CLAIM_REWARDS', amount: '77' },
    { action_type: 'AAVE_SUPPLY', amount: '77' },
  ])
})

test('error: plan_failed when one of the rewards is not owed there', async () => {
  const user = await earner('compound')
  for (const [fields, symbol, network] of [
    [{ reward_assets: ['MORPHO'] }, 'MORPHO', 'base'],
    [{ reward_assets: ['COMP', 'MORPHO'] }, 'MORPHO', 'base'],
    [{ network: 'mainnet' }, 'COMP', 'mainnet'],
    [{ reward_assets: ['USDC'] }, 'USDC', 'base'],
  ] as const)
    expect(await user.plan('reinvest_rewards', request(fields))).toMatchObject({
      status: 400,
      body: {
        error: 'plan_failed',
        message: `no claimable rewards found: nothing owes ${symbol} to the wallet on ${network}`,
      },
    })
})

test('error: invalid_params', async () => {
  const user = await openUser(sim)
  const bad: [object, string][] = [
    [{ reward_assets: [] }, 'reward_assets'],
    [{ reward_assets: undefined }, 'reward_assets'],
    [{ reward_assets: 'COMP' }, 'reward_assets'],
    [{ reward_assets: [7] }, 'reward_assets'],
    [{ reward_assets: ['COMP', 'comp'] }, 'reward_assets.1'],
    [{ reward_assets: ['COMP', 'NOPE'] }, 'reward_assets.1'],
    [{ network: 'polygon', reward_assets: ['MORPHO'] }, 'reward_assets.0'],
    [{ asset: 'NOPE' }, 'asset'],
    [{ protocol: 'maker' }, 'protocol'],
    [{ protocol: 'morpho_vault' }, 'market'],
    [{ network: 'gnosis' }, 'network'],
  ]
  for (const [fields, named] of bad) {
    const { status, body } = await user.plan('reinvest_rewards', request(fields))
    expect([fields, status, body]).toMatchObject([
      fields,
      400,
      { error: 'invalid_params', message: expect.stringContaining(named) },
    ])
  }
})

test('error: swap_quote_failed for a reward without a quote', async () => {
  const reads = readsOf(sim)
  const user = await earner('compound')
  const none: Address = `0x${'00'.repeat(20)}`
  const list = (feed: Address) =>
    reads.sendAs('base', actors.admin, {
      to: base.exchange,
      data: encodeFunctionData({
        abi: exchangeAbi,
        functionName: 'setFeed',
        args: [book.token('base', 'COMP')!.address, feed],
      }),
    })
  await list(none)
  const { status, body } = await user.plan('reinvest_rewards', request())
  await list(book.token('base', 'COMP')!.feed)
  expect([status, body]).toMatchObject([422, { error: 'swap_quote_failed' }])
  expect((await user.plan('reinvest_rewards', request())).status).toBe(201)
})

test('error: plan_stale when what was owed has been claimed and is gone', async () => {
  const reads = readsOf(sim)
  const user = await earner('compound')
  const planned = (await user.plan('reinvest_rewards', request())).body as PlanBody
  // Anybody may have an account paid. Its rewards leave the wallet then.
  const claim = encodeFunctionData({
    abi: parseAbi(['function claim(address, address, bool)']),
    args: [comet.address, user.wallet, true],
  })
  await reads.sendAs('base', actors.lender, { to: base.cometRewards, data: claim })
  const owned = await reads.balance('base', 'COMP', user.wallet)
  expect(owned).toBeGreaterThanOrEqual(BigInt(contextsOf(planned)[0]!.amount!))
  await reads.sendAs('base', user.wallet, {
    to: book.token('base', 'COMP')!.address,
    data: encodeFunctionData({
      abi: parseAbi(['function transfer(address, uint256)']),
      args: [actors.lender, owned],
    }),
  })
  expect((await user.execute(planned)).body).toMatchObject({ error: 'plan_stale' })
})
