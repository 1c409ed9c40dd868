import { expect, test } from 'vitest'
import { anActivity, anItem, wallet } from '../../../test/kit/records.js'
import type { OutsideItem } from '../plans/model/activityItem.js'
import {
  type ActivityNumbers,
  activityKey,
  joinNumbers,
  type NewActivity,
  type Numbers,
  nextNumbers,
  noNumbers,
} from './store.js'

const operation = (chain_id: number) => anItem({ chain_id })
const { action_type: _type, action_context: _context, ...about } = anItem()
const outside: OutsideItem = {
  ...about,
  activity_record_type: 'exogenous',
  svc_operation_nonce: null,
  action_type: 'COMET_LIQUIDATION',
  action_context: { action_type: 'COMET_LIQUIDATION', chain_id: '8453' },
}
const bridged = anActivity({
  metadata: [operation(10), outside, operation(8453), operation(8453)],
})

/** Gives an activity its numbers, for good. */
function draw(numbers: Numbers, activity: NewActivity, walletAddress: string): ActivityNumbers {
  const { own, last } = nextNumbers(numbers, activity, walletAddress)
  numbers.last = last
  numbers.wallets.set(walletAddress.toLowerCase(), own.wallet)
  return own
}

test('default: every kind counts by itself, by what an activity holds', () => {
  const numbers = noNumbers()
  const ones = { activity: 1, intent: 1, wallet: 1, operation: 1, execution: 1 }
  expect(draw(numbers, bridged, wallet)).toEqual(ones)
  const empty = { ...anActivity({ planId: null }), metadata: [] }
  expect(draw(numbers, empty, `${wallet.slice(0, -1)}b`)).toMatchObject({
    activity: 2,
    intent: null,
    wallet: 2,
  })
  expect(draw(numbers, bridged, wallet.toUpperCase())).toEqual({
    activity: 3,
    intent: 2,
    wallet: 1,
    operation: 4,
    execution: 3,
  })
})

test('behavior: what either of two lives has given is not given again; a wallet keeps its number', () => {
  const [one, other] = [noNumbers(), noNumbers()]
  for (let i = 0; i < 3; i++) draw(one, bridged, wallet)
  draw(other, bridged, '0xbb')
  for (const joined of [joinNumbers(one, other), joinNumbers(other, one)])
    expect(draw(joined, bridged, wallet)).toEqual({
      activity: 4,
      intent: 4,
      wallet: 1,
      operation: 10,
      execution: 7,
    })
})

test.each<[text: string, key: number | string]>([
  ['1', 1],
  ['9007199254740991', 9007199254740991],
  ...['9007199254740993', '0', '007', '-1', '+1', '1.0', '1e3', '0x1', ' 1', '', 'act_1'].map(
    (text): [string, string] => [text, text],
  ),
])('behavior: a path says %j', (text, key) => {
  expect(activityKey(text)).toBe(key)
})
