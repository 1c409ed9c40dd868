import type { Address } from 'viem'
import { createPublicClient, erc20Abi, http, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadAddressBook } from '../../src/deployments/addressBook.js'
import type { NetworkName } from '../../src/deployments/networks.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { openUser } from '../kit/user.js'

const book = loadAddressBook()
const ether = 10n ** 18n
const cometAbi = parseAbi([
  'function borrowBalanceOf(address) view returns (uint256)',
  'function collateralBalanceOf(address, address) view returns (uint128)',
])
const request = {
  asset: 'USDC',
  amount: '1000000000',
  collateral_asset: 'WETH',
  collateral_amount: ether.toString(),
  network: 'base',
  protocol: 'compound',
}
let sim: SimulatorHandle

beforeAll(async () => {
  sim = await createSimulator({ rpcUnsafe: true })
})
afterAll(() => sim.close())

function reader(network: NetworkName) {
  return createPublicClient({ transport: http(sim.rpc(network)) })
}

function tokenOf(network: NetworkName, symbol: string, account: Address): Promise<bigint> {
  const { address } = book.token(network, symbol)!
  return reader(network).readContract({
    address,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [account],
  })
}

async function increaseTime(network: NetworkName, seconds: number): Promise<void> {
  await fetch(sim.rpc(network), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'evm_increaseTime', params: [seconds] }),
  })
}

async function borrower() {
  const user = await openUser(sim)
  await user.fund('base', 'WETH', ether)
  return user
}

test('error: borrow refuses malformed and missing fields with 400 invalid_params', async () => {
  const user = await borrower()
  const bad = [
    { protocol: 'aave' },
    { protocol: 'morpho' },
    { protocol: 'morpho', market: '0x12' },
    { collateral_asset: 'NOPE' },
    { amount: 'max' },
    { network: undefined },
  ]
  for (const change of bad)
    expect(await user.plan('borrow', { ...request, ...change })).toMatchObject({
      status: 400,
      body: { error: 'invalid_params' },
    })
  // With `compound` it is ignored.
  const market = `0x${'12'.repeat(32)}`
  expect((await user.plan('borrow', { ...request, market })).status).toBe(201)
})

test('error: borrow without enough collateral is plan_failed with the reason', async () => {
  const user = await borrower()
  const { body } = await user.plan('borrow', { ...request, amount: '2900000000' })
  expect(body).toEqual({
    error: 'plan_failed',
    message:
      'the plan would revert: NotCollateralized(): the collateral is worth too little for the debt; send more collateral_amount, or ask for less amount',
  })
})

test('error: borrow: collateral that the market does not take, or that the wallet has not', async () => {
  const user = await borrower()
  await user.fund('base', 'DAI', ether)
  const dai = await user.plan('borrow', { ...request, collateral_asset: 'DAI' })
  expect(dai.body).toMatchObject({
    error: 'plan_failed',
    message: expect.stringContaining('does not take DAI'),
  })
  const more = await user.plan('borrow', { ...request, collateral_amount: (2n * ether).toString() })
  expect(more.body).toMatchObject({
    error: 'plan_failed',
    message: expect.stringContaining('insufficient'),
  })
  const market = `0x${'12'.repeat(32)}`
  const morpho = await user.plan('borrow', { ...request, protocol: 'morpho', market })
  expect(morpho.body).toMatchObject({
    error: 'plan_failed',
    message: expect.stringContaining('morpho'),
  })
})

test('default: a loan ends confirmed, and the market’s books show it', async () => {
  const user = await borrower()
  const { activity } = await user.run('borrow', { ...request, collateral_amount: 'max' })
  expect(activity.activity_status).toBe('confirmed')
  const [item] = activity.activity_metadata
  expect(item).toMatchObject({ action_type: 'COMET_BORROW' })
  const events = item!.semantic_events as {
    event_type: string
    event_metadata: { amount: string }
  }[]
  expect(
    events.map(({ event_type, event_metadata }) => [event_type, event_metadata.amount]),
  ).toEqual([
    ['comet_supply_collateral', ether.toString()],
    ['comet_borrow', '1000000000'],
  ])
  const comet = book.on('base').comets.find(({ baseSymbol }) => baseSymbol === 'USDC')!.address
  const client = reader('base')
  const weth = book.token('base', 'WETH')!.address
  const read = { address: comet, abi: cometAbi }
  const [debt, collateral] = await Promise.all([
    client.readContract({ ...read, functionName: 'borrowBalanceOf', args: [user.wallet] }),
    client.readContract({
      ...read,
      functionName: 'collateralBalanceOf',
      args: [user.wallet, weth],
    }),
  ])
  // The market rounds debts up.
  expect(debt - 1_000_000_000n).toBeLessThanOrEqual(1n)
  expect(collateral).toBe(ether)
  expect(await tokenOf('base', 'USDC', user.wallet)).toBe(1_000_000_000n)

  const { folio } = (await user.api.get(`${user.path}/folio`)).body as {
    folio: { balances: Record<string, string> }
  }
  expect(folio.balances).toMatchObject({
    [`borrow_market_collateral/comet/base/${comet}/USDC/WETH/${user.wallet}`]: '1e18',
    [`borrow_market/comet/base/${comet}/USDC/${user.wallet}`]:
      expect.stringMatching(/^1000(\.\d+)?e6$/),
  })
})

test('error: claim-rewards: an unknown asset is invalid_params, nothing to claim is plan_failed', async () => {
  const user = await openUser(sim)
  expect((await user.plan('claim-rewards', { asset: 'NOPE' })).body).toMatchObject({
    error: 'invalid_params',
  })
  expect((await user.plan('claim-rewards', { asset: 'COMP' })).body).toMatchObject({
    error: 'plan_failed',
    message: expect.stringContaining('no claimable rewards'),
  })
})

test('default: rewards of two networks are claimed with one signature', async () => {
  const user = await openUser(sim)
  for (const network of ['base', 'arbitrum'] as const) {
    await user.fund(network, 'USDC', 1_000_000_000_000n)
    await user.run('earn', {
      asset: 'USDC',
      amount: '1000000000000',
      network,
      protocol: 'compound',
    })
    await increaseTime(network, 86_400)
  }
  const { plan, activity } = await user.run('claim-rewards', { asset: 'comp' })
  expect(activity.activity_status).toBe('confirmed')
  expect(activity.activity_metadata.map((item) => [item.action_type, item.chain_id])).toEqual([
    ['CLAIM_REWARDS', 8453],
    ['CLAIM_REWARDS', 42161],
  ])
  for (const [i, network] of (['base', 'arbitrum'] as const).entries()) {
    const claimed = await tokenOf(network, 'COMP', user.wallet)
    const planned = BigInt(
      plan.details.svc_operation_actions[i]!.action.action_context.amount as string,
    )
    expect(planned).toBeGreaterThan(0n)
    // Rewards went on growing between plan and execution.
    expect(claimed).toBeGreaterThanOrEqual(planned)
  }
})
