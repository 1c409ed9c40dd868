import { expect, test } from 'vitest'
import { accountOutcome, folioUnits } from './outcome.js'

const wallet = '0x9A9F78801c77e81562779e6988cb2ff4f4f20224'
const account = { account_id: 'acc_pfhi12skppci', svc_wallet_address: wallet }
const supply = {
  activity_id: 'act_1',
  plan_id: 'pln_1',
  activity_status: 'confirmed',
  svc_intent: {
    intent_type: 'supply',
    intent: {
      chain_id: 8453,
      asset_symbol: 'USDC',
      amount: '4000000',
      market: '0xb125',
      sender: wallet,
      block_timestamp: 1767225600,
    },
  },
}

test('default', () => {
  const balances = { [`token/base/USDC/${wallet.toLowerCase()}`]: '6e6' }
  expect(accountOutcome(account, balances, [supply])).toEqual({
    id: 'acc_pfhi12skppci',
    holdings: { 'token/base/USDC': 6_000_000n },
    moves: [
      {
        activityId: 'act_1',
        planId: 'pln_1',
        intent: 'supply chain_id=8453 asset_symbol=USDC market=0xb125',
        amounts: { amount: 4_000_000n },
      },
    ],
  })
})

test('behavior: only confirmed activities of plans are moves, oldest first', () => {
  const failed = { ...supply, activity_status: 'failed' }
  const fromOutside = { ...supply, plan_id: null }
  const later = { ...supply, activity_id: 'act_2' }
  const { moves } = accountOutcome(account, {}, [later, failed, fromOutside, supply])
  expect(moves.map(({ activityId }) => activityId)).toEqual(['act_1', 'act_2'])
})

test('behavior: amounts of intents in an intent are told apart by their paths', () => {
  const intent = {
    swap_intent: { sell_amount: '5', fee_amount: '1', is_buy: true },
    supply_intent: { amount: '7' },
  }
  const activity = { ...supply, svc_intent: { intent_type: 'swap_and_supply', intent } }
  const [move] = accountOutcome(account, {}, [activity]).moves
  expect(move).toMatchObject({
    intent: 'swap_and_supply swap_intent.is_buy=true',
    amounts: { 'swap_intent.sell_amount': 5n, 'supply_intent.amount': 7n },
  })
})

test('behavior: folio amounts become exact integers, however large', () => {
  expect(folioUnits('3.999999e6')).toBe(3_999_999n)
  expect(folioUnits('0.000000000000000001e18')).toBe(1n)
  expect(folioUnits('123456789012345678901234567890e18')).toBe(
    123456789012345678901234567890n * 10n ** 18n,
  )
})

test('error: what is no amount of a folio is named', () => {
  expect(() => folioUnits('1.5')).toThrow('"1.5" is not an amount of a folio, such as "1.5e6"')
  expect(() => folioUnits('1.2345e3')).toThrow('"1.2345e3"')
})
