import { type Address, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loop, loopMarket, loopsOf, planFailure, unloop } from '../../../../test/kit/loops.js'
import { positionsOn } from '../../../../test/kit/positions.js'
import { createSimulator, type SimulatorHandle } from '../../../../test/kit/simulator.js'
import { feeRecipient } from '../../../deployments/actors.js'
import { loadAddressBook } from '../../../deployments/addressBook.js'
import { networkNames } from '../../../deployments/networks.js'

const ether = 10n ** 18n
const base = loadAddressBook().on('base')
const { collateralToken: weth, loanToken: usdc } = loopMarket
let sim: SimulatorHandle
let loops: ReturnType<typeof loopsOf>

beforeAll(async () => {
  sim = await createSimulator({ bridgeDelayMs: 20, rpcUnsafe: true })
  loops = loopsOf(sim)
})
afterAll(() => sim.close())

test('error: unloop-long: a yield below the limit, more exposure than there is, more exit than yield', async () => {
  const { looped, yieldOf } = loops
  const user = await looped()
  const plan = (change: object) => user.plan('unloop-long', { ...unloop, ...change })
  const received = await yieldOf(ether)
  expect(await plan({ min_swap_backing_amount: (received + 1n).toString() })).toMatchObject(
    planFailure(`SwapYieldTooLow(${received}, ${received + 1n})`),
  )
  expect((await plan({ min_swap_backing_amount: received.toString() })).status).toBe(201)
  expect(await plan({ exposure_amount: (ether + 1n).toString() })).toMatchObject(
    planFailure('insufficient collateral'),
  )
  const exit = await plan({ backing_amount_to_exit: '1' })
  expect(exit.body.message).toBe(
    'Invalid unloop long: when exposureAmount is max (full unloop), backingAmountToExit must be 0',
  )
  expect(exit.headers.get('x-svc-sim-hint')).toContain('backing_amount_to_exit "0"')
  const tenth = { exposure_amount: (ether / 10n).toString(), min_swap_backing_amount: '0' }
  expect(await plan({ ...tenth, backing_amount_to_exit: '400000000' })).toMatchObject(
    planFailure('ExitAboveProceeds(400000000, '),
  )
  // Selling 90 % without repaying would leave the debt without collateral.
  expect(
    await plan({
      exposure_amount: ((ether * 9n) / 10n).toString(),
      min_swap_backing_amount: '0',
      backing_amount_to_exit: 'max',
    }),
  ).toMatchObject(planFailure('insufficient collateral'))
})

test('default: unloop-long closes the position after interest; no debt, no collateral, no dust', async () => {
  const { looped, yieldOf, chain } = loops
  const user = await looped()
  await Promise.all(networkNames.map((name) => positionsOn(sim, name).warp(30 * 86_400)))
  const [received, paidBefore] = [await yieldOf(ether), await chain.balance('USDC', feeRecipient)]
  const { plan, activity } = await user.run('unloop-long', unloop)
  expect(activity.activity_status).toBe('confirmed')
  expect(plan.details.svc_operation_actions[0]!.action.action_context).toMatchObject({
    action_type: 'UNLOOP_LONG',
    exposure_amount: ether.toString(),
    fee_amount: '1160000',
    fee_asset_symbol: 'USDC',
    min_swap_backing_amount: '2900000000',
    backing_amount_to_exit: '0',
  })
  const { shares, collateral } = await chain.morpho(loopMarket.id, user.wallet)
  expect({ shares, collateral }).toEqual({ shares: 0n, collateral: 0n })
  expect((await chain.balance('USDC', feeRecipient)) - paidBefore).toBe(1_160_000n)
  const [event] = activity.activity_metadata[0]!.semantic_events as {
    event_type: string
    event_metadata: Record<string, string>
  }[]
  expect(event).toMatchObject({
    event_type: 'unloop_long',
    event_metadata: {
      exposure_amount: ether.toString(),
      swap_input_token: weth,
      swap_input_amount: ether.toString(),
      swap_output_token: usdc,
      swap_output_amount: received.toString(),
    },
  })
  expect(await chain.balance('USDC', user.wallet)).toBe(
    BigInt(event!.event_metadata.backing_amount!),
  )
  expect(await chain.balance('WETH', user.wallet)).toBe(0n)
  for (const contract of [base.morpho.morpho, base.uniswap.factory])
    expect(await allowance(usdc, user.wallet, contract)).toBe(0n)
})

test('behavior: unloop-long reduces: what is not kept repays debt', async () => {
  const { looped, yieldOf, chain } = loops
  const user = await looped()
  const before = await chain.morpho(loopMarket.id, user.wallet)
  const half = ether / 2n
  const received = await yieldOf(half)
  const { activity } = await user.run('unloop-long', {
    ...unloop,
    exposure_amount: half.toString(),
    backing_amount_to_exit: '100000000',
    min_swap_backing_amount: '1000000000',
  })
  expect(activity.activity_status).toBe('confirmed')
  const after = await chain.morpho(loopMarket.id, user.wallet)
  expect(after.collateral).toBe(half)
  expect(await chain.balance('USDC', user.wallet)).toBe(100_000_000n)
  const repaid = received - 400_000n - 100_000_000n
  // Interest of a few seconds, and the market's rounding.
  expect(after.debt - (before.debt - repaid)).toBeGreaterThanOrEqual(0n)
  expect(after.debt - (before.debt - repaid)).toBeLessThan(1000n)
})

test('behavior: unloop-long keeps everything, and repays no more than the debt', async () => {
  const { looped, yieldOf, chain } = loops
  const user = await looped()
  const tenth = { exposure_amount: (ether / 10n).toString(), min_swap_backing_amount: '0' }
  const received = await yieldOf(ether / 10n)
  await user.run('unloop-long', { ...unloop, ...tenth, backing_amount_to_exit: 'max' })
  expect(await chain.balance('USDC', user.wallet)).toBe(received)
  // Nine tenths fetch more than is owed.
  await user.run('unloop-long', {
    ...unloop,
    exposure_amount: ((ether * 9n) / 10n).toString(),
    min_swap_backing_amount: '0',
  })
  const { shares, collateral } = await chain.morpho(loopMarket.id, user.wallet)
  expect({ shares, collateral }).toEqual({ shares: 0n, collateral: 0n })
  expect(await chain.balance('USDC', user.wallet)).toBeGreaterThan(received)
})

test('error: a position whose exposure does not pay its debt cannot be closed', async () => {
  const { backed, sellOnPool } = loops
  const user = await backed(500_000_000n)
  await user.run('loop-long', { ...loop, max_provided_backing_amount: 'max' })
  const undo = await sellOnPool('WETH', 40_000n * ether)
  const reply = await user.plan('unloop-long', { ...unloop, min_swap_backing_amount: '0' })
  await undo()
  expect(reply).toMatchObject(planFailure('ProceedsBelowDebt('))
})

async function allowance(token: Address, owner: Address, spender: Address): Promise<bigint> {
  const { chain } = loops
  return chain.client.readContract({
    address: token,
    abi: parseAbi(['function allowance(address, address) view returns (uint256)']),
    functionName: 'allowance',
    args: [owner, spender],
  })
}
