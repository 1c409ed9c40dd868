import { expect, test } from 'vitest'
import { anActivity, wallet } from '../../test/kit/records.js'
import { activityKey, drawNumbers, joinNumbers, noNumbers } from './numbers.js'

const operation = (chain_id: number) => ({ svc_operation_nonce: '0xaa', chain_id })
const bridged = anActivity({
  metadata: [operation(10), { svc_operation_nonce: null }, operation(8453), operation(8453)],
})

test('default: every kind counts by itself, by what an activity holds', () => {
  const numbers = noNumbers()
  const ones = { activity: 1, intent: 1, wallet: 1, operation: 1, execution: 1 }
  expect(drawNumbers(numbers, bridged, wallet)).toEqual(ones)
  const outside = { ...anActivity({ planId: null }), metadata: [] }
  expect(drawNumbers(numbers, outside, `${wallet.slice(0, -1)}b`)).toMatchObject({
    activity: 2,
    intent: null,
    wallet: 2,
  })
  expect(drawNumbers(numbers, bridged, wallet.toUpperCase())).toEqual({
    activity: 3,
    intent: 2,
    wallet: 1,
    operation: 4,
    execution: 3,
  })
})

test('behavior: what either of two lives has given is not given again; a wallet keeps its number', () => {
  const [one, other] = [noNumbers(), noNumbers()]
  for (let i = 0; i < 3; i++) drawNumbers(one, bridged, wallet)
  drawNumbers(other, bridged, '0xbb')
  for (const joined of [joinNumbers(one, other), joinNumbers(other, one)])
    expect(drawNumbers(joined, bridged, wallet)).toEqual({
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
