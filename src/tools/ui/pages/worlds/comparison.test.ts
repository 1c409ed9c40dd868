import { expect, test } from 'vitest'
import type { ExchangeView } from '../../api/types.js'
import { compareWorlds } from './comparison.js'

let cursor = 0
const exchange = (asked: string, status: number, body?: object, error?: string) => {
  const [method, url] = asked.split(' ') as [string, string]
  const answer = { status, cut: false, headers: {}, bytes: 2, body: error ? { error } : {} }
  return { cursor: ++cursor, method, url, body, answer } as unknown as ExchangeView
}

const world = (id: string, last: ExchangeView, polls = 1) => [
  exchange('POST /accounts', 201, { signer_address: `0x${id.repeat(40)}` }),
  ...Array.from({ length: polls }, () =>
    exchange(`GET /accounts/acc_${id.repeat(12)}/events`, 200),
  ),
  exchange(`POST /accounts/acc_${id.repeat(12)}/plan/earn`, 201, { amount: '1' }),
  last,
]

test('default: they differ at the first request that was answered otherwise; ids and polls do not count', () => {
  const execute = (id: string) => `POST /accounts/acc_${id.repeat(12)}/plan/execute`
  const good = world('1', exchange(execute('1'), 200))
  const bad = world('2', exchange(execute('2'), 409, {}, 'plan_stale'), 5)
  const steps = compareWorlds(good, bad)
  expect(steps.map(({ isSame }) => isSame)).toEqual([true, true, false])
  expect(steps[2]!.other!.answer!.status).toBe(409)
})

test('behavior: another amount is a difference, and so is a request that only one of them has', () => {
  const one = [exchange('POST /accounts/acc_aaaaaaaaaaaa/plan/earn', 201, { amount: '1' })]
  const two = [
    exchange('POST /accounts/acc_bbbbbbbbbbbb/plan/earn', 201, { amount: '2' }),
    exchange('GET /nowhere', 404, undefined, 'not_found'),
  ]
  const steps = compareWorlds(one, two)
  expect(steps.map(({ isSame, one: first }) => [isSame, !!first])).toEqual([
    [false, true],
    [false, false],
  ])
})
