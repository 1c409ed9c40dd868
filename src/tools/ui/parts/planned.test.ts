import { expect, test } from 'vitest'
import { executionOf, planTitle } from './planned.js'

const decimalsOf = (symbol: string) => ({ USDC: 6, WETH: 18 })[symbol]
const titled = (kind: string, body?: unknown) =>
  planTitle({ url: `/accounts/acc_1/plan/${kind}`, body }, decimalsOf)

test('default: a plan is named by its kind, its amount and the asset of that amount', () => {
  expect(titled('earn', { amount: '50000000', asset: 'USDC' })).toBe('Earn 50.00 USDC')
  const swap = { sell_asset: 'USDC', buy_asset: 'WETH', buy_amount: '1000000000000000000' }
  expect(titled('swap-and-supply', swap)).toBe('Swap and supply 1.00 WETH')
  const everything = (2n ** 256n - 1n).toString()
  expect(titled('withdraw', { amount: everything, asset: 'USDC' })).toBe('Withdraw all USDC')
  expect(titled('withdraw', { amount: 'max', asset: 'USDC' })).toBe('Withdraw max USDC')
})

test('behavior: without amount or known asset it is the kind; other requests are no plans', () => {
  expect(titled('claim-rewards', { asset: 'COMP' })).toBe('Claim rewards')
  expect(titled('earn', '{"amount"')).toBe('Earn')
  expect(titled('earn')).toBe('Earn')
  expect(titled('earn', { amount: 7, asset: 'NOPE' })).toBe('Earn 7 smallest units of NOPE')
  expect(titled('execute', { plan_id: 'pln_1' })).toBeUndefined()
  expect(planTitle({ url: '/_sim/fund', body: {} }, decimalsOf)).toBeUndefined()
})

test('default: an execution is what its last event says; a refused one is none', () => {
  const at = '2026-01-01T00:00:00Z'
  const begun = { at, type: 'activity', activity_id: 'act_1', plan_id: 'pln_1' }
  const event = (activity_id: string, activity_status: string) => ({
    at,
    type: 'event',
    activity_id,
    activity_status,
  })
  const ids = { activity_id: 'act_1', plan_id: 'pln_1' }
  expect(executionOf({ notes: [begun] })).toEqual({ ...ids, status: 'pending' })
  const notes = [
    event('act_1', 'pending'),
    begun,
    event('act_1', 'failed'),
    event('act_2', 'confirmed'),
  ]
  expect(executionOf({ notes })).toEqual({ ...ids, status: 'failed' })
  expect(executionOf({ notes: [event('act_2', 'confirmed')] })).toBeUndefined()
})
