import { afterAll, beforeAll, expect, test } from 'vitest'
import { loop, loopMarket, loopsOf, planFailure } from '../../../../test/kit/loops.js'
import { createSimulator, type SimulatorHandle } from '../../../../test/kit/simulator.js'
import { feeRecipient } from '../../../deployments/actors.js'

const ether = 10n ** 18n
const { collateralToken: weth, loanToken: usdc } = loopMarket
let sim: SimulatorHandle
let loops: ReturnType<typeof loopsOf>

beforeAll(async () => {
  sim = await createSimulator({ bridgeDelayMs: 20, rpcUnsafe: true })
  loops = loopsOf(sim)
})
afterAll(() => sim.close())

test('error: loop-long: everything as exposure, a cost above the limit, backing that is not there', async () => {
  const { backed, costOf } = loops
  const user = await backed()
  const plan = (change: object) => user.plan('loop-long', { ...loop, ...change })
  const max = await plan({ exposure_amount: 'max' })
  expect(max.body.message).toBe('Loop long does not support max exposure amount')
  expect(max.headers.get('x-svc-sim-hint')).toContain('send how much is to be bought')
  const cost = await costOf(ether + (ether * 4n) / 9996n)
  expect(await plan({ max_swap_backing_amount: (cost - 1n).toString() })).toMatchObject(
    planFailure(`SwapCostTooHigh(${cost}, ${cost - 1n})`),
  )
  expect((await plan({ max_swap_backing_amount: cost.toString() })).status).toBe(201)
  expect(await plan({ max_provided_backing_amount: '1500000001' })).toMatchObject(
    planFailure('insufficient resources of USDC'),
  )
  // The market lends up to 86 % of the collateral.
  expect(await plan({ max_provided_backing_amount: '400000000' })).toMatchObject(
    planFailure('insufficient collateral'),
  )
  expect(await plan({ exposure_amount: (10n ** 9n * ether).toString() })).toMatchObject(
    planFailure('NotEnoughLiquidity('),
  )
})

test.each([500, 3000, 10_000])(
  'default: loop-long on the pool of fee %d reaches the exposure at the pool’s price, to the unit',
  async (pool_fee) => {
    const { backed, costOf, chain } = loops
    const user = await backed()
    const fee = (ether * 4n) / 9996n
    const [cost, paidBefore] = [
      await costOf(ether + fee, pool_fee),
      await chain.balance('WETH', feeRecipient),
    ]
    const { plan, activity } = await user.run('loop-long', { ...loop, pool_fee })
    expect(plan.details.svc_operation_actions).toHaveLength(1)
    expect(plan.details.svc_operation_actions[0]!.action.action_context).toMatchObject({
      action_type: 'LOOP_LONG',
      exposure_amount: ether.toString(),
      fee_amount: fee.toString(),
      fee_asset_symbol: 'WETH',
      borrow_market_id: loopMarket.id,
      borrow_venue: 'MORPHO_BLUE',
      swap_venue: 'UNISWAP_V3',
      is_increase: true,
    })
    expect(activity.activity_status).toBe('confirmed')
    const { debt, collateral } = await chain.morpho(loopMarket.id, user.wallet)
    expect(collateral).toBe(ether)
    const borrowed = cost - 1_500_000_000n
    expect(debt - borrowed).toBeLessThanOrEqual(1n)
    expect(debt).toBeGreaterThanOrEqual(borrowed)
    expect(await chain.balance('USDC', user.wallet)).toBe(0n)
    expect(await chain.balance('WETH', user.wallet)).toBe(0n)
    expect((await chain.balance('WETH', feeRecipient)) - paidBefore).toBe(fee)
    expect(activity.activity_metadata[0]).toMatchObject({
      action_type: 'LOOP_LONG',
      semantic_events: [
        {
          event_type: 'loop_long',
          event_metadata: {
            exposure_amount: ether.toString(),
            backing_amount: '1500000000',
            swap_input_token: usdc,
            swap_input_amount: cost.toString(),
            swap_output_token: weth,
            swap_output_amount: (ether + fee).toString(),
          },
        },
      ],
    })
  },
)

test('behavior: loop-long: everything the wallet has on all networks is provided, but no more than the cost', async () => {
  const { backed, costOf, chain } = loops
  const user = await backed(1_000_000_000n)
  await user.fund('optimism', 'USDC', 1_000_000_000n)
  const { plan, activity } = await user.run('loop-long', {
    ...loop,
    max_provided_backing_amount: 'max',
  })
  const types = plan.details.svc_operation_actions.map(
    ({ action }) => action.action_context.action_type,
  )
  expect(types).toEqual(['BRIDGE', 'LOOP_LONG'])
  expect(activity.activity_status).toBe('confirmed')
  expect(await chain.balance('USDC', user.wallet)).toBe(0n)

  const rich = await backed(10_000_000_000n)
  const fee = (ether * 4n) / 9996n
  const cost = await costOf(ether + fee)
  await rich.run('loop-long', { ...loop, max_provided_backing_amount: 'max' })
  expect((await chain.morpho(loopMarket.id, rich.wallet)).shares).toBe(0n)
  expect(await chain.balance('USDC', rich.wallet)).toBe(10_000_000_000n - cost)
})

test('behavior: loop-long adds to a position, also without new backing', async () => {
  const { looped, chain } = loops
  const user = await looped()
  await user.run('loop-long', {
    ...loop,
    is_increase: false,
    exposure_amount: (ether / 10n).toString(),
    max_provided_backing_amount: '0',
  })
  expect((await chain.morpho(loopMarket.id, user.wallet)).collateral).toBe(ether + ether / 10n)
})
