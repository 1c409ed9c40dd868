import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../../../../test/kit/client.js'
import { loop, loopsOf, planFailure, unloop } from '../../../../test/kit/loops.js'
import { createSimulator, type SimulatorHandle } from '../../../../test/kit/simulator.js'
import type { User } from '../../../../test/kit/user.js'
import { maxUint256 } from '../model/fields.js'

/** What refusals of loops tell somebody who has only the answer: the bound, its value, and what would do. */

const ether = 10n ** 18n
let sim: SimulatorHandle
let loops: ReturnType<typeof loopsOf>

beforeAll(async () => {
  sim = await createSimulator({ bridgeDelayMs: 20 })
  loops = loopsOf(sim)
})
afterAll(() => sim.close())

const half = (2n ** 255n).toString()
const refusals: [kind: string, change: object, says: string[]][] = [
  ['loop-long', { exposure_amount: 'max' }, ['Loop long does not support max exposure amount']],
  [
    'loop-long',
    { exposure_amount: maxUint256.toString() },
    ['Loop long does not support max exposure amount'],
  ],
  [
    'loop-long',
    { exposure_amount: (maxUint256 - 1n).toString() },
    [`exposure_amount ${maxUint256 - 1n} and the fee of `, 'any pool can trade, which is 2^255-1'],
  ],
  ['loop-long', { exposure_amount: half }, [`exposure_amount ${half} and the fee of `]],
  [
    'loop-long',
    { exposure_amount: (2n ** 128n).toString() },
    ['NotEnoughLiquidity(', 'the pool of pool_fee 500 can trade', 'ask for less exposure_amount'],
  ],
  [
    'loop-long',
    { max_swap_backing_amount: '1' },
    ['SwapCostTooHigh(', 'more than max_swap_backing_amount 1; raise that'],
  ],
  [
    'loop-long',
    { max_provided_backing_amount: '0' },
    ['insufficient collateral', 'with max_provided_backing_amount 0 more would have to be'],
  ],
  [
    'loop-long',
    { max_provided_backing_amount: '2000000000' },
    ['target 2000000000, max 1500000000; max_provided_backing_amount asks for that much'],
  ],
  [
    'loop-long',
    { max_provided_backing_amount: (maxUint256 - 1n).toString() },
    ['target 3100000000, max 1500000000; max_swap_backing_amount asks for that much'],
  ],
  ['loop-long', { pool_fee: 501 }, ['NoPool(', 'no Uniswap V3 pool of WETH and USDC', 'fee 501']],
  [
    'unloop-long',
    { min_swap_backing_amount: half },
    ['SwapYieldTooLow(', `less than min_swap_backing_amount ${half}; lower that`],
  ],
  [
    'unloop-long',
    { exposure_amount: '1' },
    ['SwapYieldTooLow(', 'less than min_swap_backing_amount 2900000000'],
  ],
  ['unloop-long', { exposure_amount: half }, [`holds ${ether} of WETH, ${half} was asked`]],
  [
    'unloop-long',
    { backing_amount_to_exit: 'max' },
    ['when exposureAmount is max (full unloop), backingAmountToExit must be 0'],
  ],
  [
    'unloop-long',
    { ...tenth(1n), backing_amount_to_exit: half },
    ['ExitAboveProceeds(', `backing_amount_to_exit ${half} is more than the `],
  ],
  [
    'unloop-long',
    { ...tenth(9n), backing_amount_to_exit: 'max' },
    ['insufficient collateral', 'with backing_amount_to_exit max too much debt stays'],
  ],
  ['unloop-long', { pool_fee: 501 }, ['NoPool(', 'no Uniswap V3 pool of WETH and USDC', 'fee 501']],
]

function tenth(times: bigint) {
  return { exposure_amount: ((ether * times) / 10n).toString(), min_swap_backing_amount: '0' }
}

describe('refusals of a request', () => {
  let backed: User
  let looped: User
  beforeAll(async () => {
    backed = await loops.backed()
    looped = await loops.looped()
  })

  test.each(refusals)('error: %s with %o says which bound it is', async (kind, change, says) => {
    const [user, body] = kind === 'loop-long' ? [backed, loop] : [looped, unloop]
    const answer = await user.plan(kind, { ...body, ...change })
    for (const text of says) expect(answer).toMatchObject(planFailure(text))
  })

  test('behavior: what a refusal names as enough is enough', async () => {
    const asked = { ...loop, max_swap_backing_amount: '1' }
    const { body } = await backed.plan('loop-long', asked)
    const [, cost] = /the swap costs (\d+) of USDC/.exec(body.message)!
    expect(
      await backed.plan('loop-long', { ...loop, max_swap_backing_amount: cost }),
    ).toMatchObject({ status: 201 })
  })
})

test('error: an amount that is none says what "max" would mean there', async () => {
  const user = await loops.backed()
  for (const amount of ['0', '-1', '1e18', '1.5', '01', (maxUint256 + 1n).toString(), 1, null]) {
    const body = { ...loop, exposure_amount: amount, max_swap_backing_amount: amount }
    expect(await user.plan('loop-long', body)).toMatchObject({
      status: 400,
      body: {
        error: 'invalid_params',
        message: expect.stringMatching(
          /exposure_amount must .* is refused with 400 plan_failed.*; max_swap_backing_amount must .* sets no limit, received/,
        ),
      },
    })
  }
})

/** What a whole WETH costs from now on. */
async function priced(usd: string) {
  const control = createClient({ url: sim.url, apiKey: sim.apiKey })
  const moved = await control.send('PUT', '/_sim/prices/WETH', JSON.stringify({ usd }), {
    headers: { 'content-type': 'application/json' },
  })
  expect(moved.status).toBe(200)
}

test('error: a position whose sale does not pay its debt says what is missing', async () => {
  const user = await loops.looped()
  await priced('1000')
  const answer = await user.plan('unloop-long', { ...unloop, min_swap_backing_amount: '0' })
  await priced('3000')
  expect(answer).toMatchObject(planFailure('ProceedsBelowDebt('))
  expect(answer).toMatchObject(planFailure('less than the debt of '))
})
