import type { Address } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { feeRecipient } from '../../src/deployments/actors.js'
import { loadAddressBook } from '../../src/deployments/addressBook.js'
import { readsOf } from '../kit/chainReads.js'
import { positionsOn } from '../kit/positions.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { type ActivityBody, openUser } from '../kit/user.js'

// What an activity says that was observed, against what the chain says: balances of the wallet before and after.

const book = loadAddressBook()
const base = book.on('base')
const ether = 10n ** 18n
const usdc = 10n ** 6n
const max = (2n ** 256n - 1n).toString()
const market_id = base.morpho.markets.find(({ label }) => label.startsWith('WETH/USDC'))!.id
const earn = { asset: 'USDC', network: 'base', protocol: 'compound' }

let sim: SimulatorHandle
beforeAll(async () => {
  sim = await createSimulator({ bridgeDelayMs: 20 })
})
afterAll(() => sim.close())

type User = Awaited<ReturnType<typeof openUser>>
type Values = Record<string, string | number | boolean | string[]>
interface Done extends ActivityBody {
  executions: {
    execution_type: string
    chain_id: number
    transaction_hash: string
    status: string
    actions: { action_type: string; expected_values: Values; observed_values: Values }[]
  }[]
  svc_intent: { id: number; planner_version: string; intent_type: string; intent: Values }
}

const held = (symbol: string, account: Address) => readsOf(sim).balance('base', symbol, account)

/** Runs a plan; resolves to its activity and what it changed of the wallet's balances. */
async function run(user: User, kind: string, body: object, ...symbols: string[]) {
  const before = await Promise.all(symbols.map((symbol) => held(symbol, user.wallet)))
  const { activity } = await user.run(kind, body)
  expect(activity.activity_status, JSON.stringify(activity)).toBe('confirmed')
  const after = await Promise.all(symbols.map((symbol) => held(symbol, user.wallet)))
  const changes = symbols.map((_, i) => after[i]! - before[i]!)
  const done = activity as unknown as Done
  for (const { actions } of done.executions) actions.forEach(mirrors)
  return { activity: done, changes }
}

/** Observed is what was expected, field by field, but for amounts. */
function mirrors({
  action_type,
  expected_values,
  observed_values,
}: Done['executions'][0]['actions'][0]) {
  expect(Object.keys(observed_values).sort(), action_type).toEqual(
    Object.keys(expected_values).sort(),
  )
  for (const [name, value] of Object.entries(expected_values)) {
    expect(['string', 'number', 'boolean', 'object'], name).toContain(typeof value)
    if (!/amount|fee$/.test(name)) expect(observed_values[name], name).toEqual(value)
    expect(typeof value === 'number', name).toBe(/chain_id$/.test(name))
  }
  expect(expected_values).not.toHaveProperty('action_type')
  expect(expected_values.price ?? '1').toMatch(/^[0-9]{1,5}([.][0-9]*[1-9])?$/)
}

const typesOf = ({ executions }: Done) =>
  executions.map(({ actions }) => actions.map((action) => action.action_type))
const lastOf = ({ executions }: Done) => executions.at(-1)!.actions.at(-1)!

test('default: everything is withdrawn: the plan says the largest number, the logs what it was', async () => {
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 100n * usdc)
  for (const more of [
    { protocol: 'compound' },
    { protocol: 'aave' },
    {
      protocol: 'morpho_vault',
      market: base.morpho.vaults.find((v) => v.assetSymbol === 'USDC')!.address,
    },
  ]) {
    const supplied = await run(user, 'earn', { ...earn, ...more, amount: '50000000' }, 'USDC')
    const [into] = supplied.activity.executions[0]!.actions
    expect(into!.observed_values.amount).toBe('50000000')
    expect(supplied.changes).toEqual([-50n * usdc])
    const { activity, changes } = await run(
      user,
      'withdraw',
      { ...earn, ...more, amount: 'max' },
      'USDC',
    )
    const [out] = activity.executions[0]!.actions
    expect(out!.expected_values).toMatchObject({
      amount: max,
      asset_symbol: 'USDC',
      chain_id: 8453,
    })
    expect(out!.observed_values).toEqual({ ...out!.expected_values, amount: String(changes[0]) })
  }
})

test('behavior: a loan on ether: one transaction with two actions; wrapped, borrowed and supplied each by its own log', async () => {
  const user = await openUser(sim)
  await user.fund('base', 'ETH', 2n * ether)
  await user.fund('base', 'WETH', ether / 4n)
  for (const [protocol, collaterals] of [
    ['compound', ['collateral_amounts']],
    ['morpho', ['collateral_amount']],
  ] as const) {
    const loan = {
      asset: 'USDC',
      collateral_asset: 'WETH',
      network: 'base',
      protocol,
      ...(protocol === 'morpho' && { market: market_id }),
    }
    const wethBefore = await held('WETH', user.wallet)
    const took = await run(
      user,
      'borrow',
      { ...loan, amount: '500000000', collateral_amount: ether.toString() },
      'USDC',
    )
    expect(typesOf(took.activity)).toEqual([
      ['WRAP', protocol === 'morpho' ? 'MORPHO_BORROW' : 'COMET_BORROW'],
    ])
    const [wrap, borrow] = took.activity.executions[0]!.actions
    expect(wrap!.observed_values).toMatchObject({
      amount: (ether - wethBefore).toString(),
      from_asset_symbol: 'ETH',
      to_asset_symbol: 'WETH',
    })
    const [collateral] = [borrow!.observed_values[collaterals[0]]].flat()
    expect(borrow!.observed_values).toMatchObject({ asset_symbol: 'USDC', amount: '500000000' })
    expect(took.changes).toEqual([500n * usdc])
    expect(collateral).toBe(ether.toString())

    await user.fund('base', 'USDC', 10n * usdc)
    const paid = await run(
      user,
      'repay',
      { ...loan, amount: 'max', collateral_amount: (ether / 2n).toString() },
      'USDC',
      'WETH',
    )
    const { observed_values } = lastOf(paid.activity)
    expect(observed_values.amount).toBe(String(-paid.changes[0]!))
    expect([observed_values[collaterals[0]]].flat()).toEqual([String(paid.changes[1])])
  }
})

test('behavior: a swap of everything that a bridge brings, supplied: each execution is a transaction, the fill an outside one', async () => {
  const user = await openUser(sim)
  await user.fund('optimism', 'USDC', 1_000n * usdc)
  await user.fund('base', 'USDC', 500n * usdc)
  const feesBefore = await held('WETH', feeRecipient)
  const { activity, changes } = await run(
    user,
    'swap-and-supply',
    {
      sell_asset: 'USDC',
      sell_amount: 'max',
      buy_asset: 'WETH',
      network: 'base',
      protocol: 'compound',
    },
    'USDC',
  )
  expect(typesOf(activity)).toEqual([['BRIDGE'], ['BRIDGE_MINT'], ['SWAP', 'COMET_SUPPLY']])
  expect(activity.executions.map((each) => [each.execution_type, each.chain_id])).toEqual([
    ['transaction', 10],
    ['external', 8453],
    ['transaction', 8453],
  ])
  const [[bridge], [mint], [swap, supply]] = activity.executions.map(({ actions }) => actions) as [
    Done['executions'][0]['actions'],
    Done['executions'][0]['actions'],
    Done['executions'][0]['actions'],
  ]
  expect(bridge!.observed_values).toEqual(bridge!.expected_values)
  expect(mint!.observed_values).toEqual(mint!.expected_values)
  expect(BigInt(mint!.observed_values.output_amount as string)).toBe(
    BigInt(swap!.observed_values.input_amount as string) - 500n * usdc,
  )
  expect(changes).toEqual([-500n * usdc])
  const fee = (await held('WETH', feeRecipient)) - feesBefore
  expect(swap!.observed_values.fee_amounts).toEqual([fee.toString()])
  const supplied = BigInt(swap!.observed_values.output_amount as string) - fee
  expect(supply!.observed_values.amount).toBe(supplied.toString())

  const items = activity.activity_metadata
  const ids = (field: string) => items.map((item) => item[field] as number | null)
  const [first] = ids('svc_operation_id') as [number]
  expect(ids('svc_operation_id')).toEqual([first, null, first + 1, first + 2])
  const [transaction] = ids('svc_execution_id') as [number]
  expect(ids('svc_execution_id')).toEqual([transaction, null, transaction + 1, transaction + 1])
  expect(new Set(ids('svc_wallet_id')).size).toBe(1)
  await pointsAtItsLogs(activity)
})

/** Every log that an item names is in its transaction, and those of a bridge are the spoke pools'. */
async function pointsAtItsLogs({ activity_metadata }: Done) {
  for (const item of activity_metadata) {
    const network = item.chain_id === 10 ? 'optimism' : 'base'
    const { logs } = await readsOf(sim)
      .client(network)
      .getTransactionReceipt({ hash: item.transaction_hash! })
    const events = item.semantic_events as { event_type: string; log_indices: number[] }[]
    expect(events.length, item.action_type).toBeGreaterThan(0)
    for (const { event_type, log_indices } of events) {
      expect(log_indices.length, event_type).toBeGreaterThan(0)
      for (const index of log_indices) {
        const log = logs.find(({ logIndex }) => logIndex === index)!
        if (event_type.startsWith('bridge')) expect(log.address).toBe(book.on(network).spokePool)
      }
    }
  }
}

test('behavior: ether sold and bought: amounts come from the exchange’s log, since no transfer tells them', async () => {
  const user = await openUser(sim)
  await user.fund('base', 'ETH', 2n * ether)
  const sold = await run(
    user,
    'swap',
    { sell_asset: 'ETH', buy_asset: 'USDC', network: 'base', buy_amount: '300000000' },
    'ETH',
  )
  expect(lastOf(sold.activity).observed_values.input_amount).toBe(String(-sold.changes[0]!))
  const bought = await run(
    user,
    'swap',
    { sell_asset: 'USDC', buy_asset: 'ETH', network: 'base', sell_amount: '100000000' },
    'ETH',
    'USDC',
  )
  const { observed_values } = lastOf(bought.activity)
  const [fee] = observed_values.fee_amounts as string[]
  expect(BigInt(observed_values.output_amount as string) - BigInt(fee!)).toBe(bought.changes[0])
  expect(observed_values.input_amount).toBe(String(-bought.changes[1]!))
})

test('behavior: a position: what was provided, swapped, given back and paid as a fee', async () => {
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 1_500n * usdc)
  const position = { exposure_asset: 'WETH', backing_asset: 'USDC', market_id, network: 'base' }
  const fees = async () => [await held('WETH', feeRecipient), await held('USDC', feeRecipient)]
  const [wethFees] = await fees()
  const opened = await run(
    user,
    'loop-long',
    {
      ...position,
      pool_fee: 500,
      is_increase: true,
      exposure_amount: ether.toString(),
      max_swap_backing_amount: '3100000000',
      max_provided_backing_amount: '1000000000',
    },
    'USDC',
  )
  const { observed_values } = lastOf(opened.activity)
  expect(observed_values).toMatchObject({
    exposure_amount: ether.toString(),
    max_provided_backing_amount: String(-opened.changes[0]!),
    fee_amount: String((await fees())[0]! - wethFees!),
  })
  const { debt } = await positionsOn(sim, 'base').morpho(market_id, user.wallet)
  const cost = BigInt(observed_values.max_swap_backing_amount as string)
  expect(cost).toBeLessThan(3_100n * usdc)
  expect(debt - (cost - 1_000n * usdc)).toBeLessThan(usdc) // interest since
  expect(opened.activity.svc_intent).toMatchObject({
    intent_type: 'loop_long',
    intent: { market_id, max_swap_backing_amount: '3100000000', pool_fee: 500 },
  })

  const backing = { ...position, is_short: false }
  const added = await run(user, 'add-backing', { ...backing, amount: '100000000' }, 'USDC')
  expect(lastOf(added.activity).observed_values.amount).toBe(String(-added.changes[0]!))
  const taken = await run(user, 'withdraw-backing', { ...backing, amount: '50000000' }, 'USDC')
  expect(lastOf(taken.activity).observed_values.amount).toBe(String(taken.changes[0]))

  const [, usdcFees] = await fees()
  const closed = await run(
    user,
    'unloop-long',
    {
      ...position,
      pool_fee: 500,
      exposure_amount: 'max',
      backing_amount_to_exit: '0',
      min_swap_backing_amount: '2900000000',
    },
    'USDC',
  )
  expect(lastOf(closed.activity).observed_values).toMatchObject({
    exposure_amount: ether.toString(),
    backing_amount_to_exit: String(closed.changes[0]),
    fee_amount: String((await fees())[1]! - usdcFees!),
  })
})

test('behavior: rewards: claimed, swapped and supplied in one execution; a migration and a transfer say what moved', async () => {
  const user = await openUser(sim)
  await user.fund('base', 'USDC', 1_000n * usdc)
  await user.run('earn', { ...earn, amount: '900000000' })
  await sim.clock.advance(86_400)
  const { activity } = await run(user, 'reinvest_rewards', {
    asset: 'USDC',
    protocol: 'aave',
    network: 'base',
    reward_assets: ['COMP'],
  })
  expect(typesOf(activity)).toEqual([['CLAIM_REWARDS', 'SWAP', 'AAVE_SUPPLY']])
  const [claim, swap] = activity.executions[0]!.actions
  const claimed = BigInt(claim!.observed_values.amount as string)
  const left = claimed - BigInt(swap!.observed_values.input_amount as string)
  // What was owed beyond the plan by the time of execution stays in the wallet.
  expect(await held('COMP', user.wallet)).toBe(left)
  expect(claim!.observed_values.amounts).toEqual([claimed.toString()])
  expect(activity.svc_intent).toMatchObject({
    intent_type: 'compounder',
    intent: {
      claim_rewards_intents: [{ claimer: user.wallet, asset_symbol: 'COMP' }],
      swap_intents: [{ sell_amount: swap!.expected_values.input_amount }],
      supply_intent: { market_type: 'AAVE', market: base.aave.pool },
    },
  })

  const moved = await run(user, 'migrate', {
    asset: 'USDC',
    amount: 'max',
    network: 'base',
    from_protocol: 'compound',
    to_protocol: 'aave',
    migrate_only_supply_balances: true,
  })
  const [out, into] = moved.activity.executions[0]!.actions
  expect(out!.observed_values.amount).toBe(into!.observed_values.amount)
  expect(BigInt(out!.observed_values.amount as string)).toBeGreaterThan(899n * usdc)

  const recipient = '0x00000000000000000000000000000000000ac7ed'
  const transfer = { asset: 'USDC', amount: 'max', network: 'base', recipient }
  const sent = await run(user, 'transfer', transfer, 'USDC')
  expect(lastOf(sent.activity).observed_values).toMatchObject({
    amount: String(-sent.changes[0]!),
    recipient,
  })
  expect(await held('USDC', recipient)).toBe(-sent.changes[0]!)
  expect(sent.activity.svc_intent).toEqual({
    id: expect.any(Number),
    planner_version: '1.6.0',
    intent_type: 'transfer',
    intent: {
      chain_id: 8453,
      asset_symbol: 'USDC',
      token: book.token('base', 'USDC')!.address,
      amount: String(-sent.changes[0]!),
      sender: user.wallet,
      recipient,
      block_timestamp: expect.any(Number),
    },
  })
})
