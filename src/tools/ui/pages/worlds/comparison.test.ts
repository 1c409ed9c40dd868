import { expect, test } from 'vitest'
import type { ExchangeView } from '../../api/types.js'
import { compareWorlds, differencesOf, differenceText, mostAligned } from './comparison.js'

let cursor = 0
const exchange = (asked: string, status: number, body?: object, error?: string, more = {}) => {
  const [method, url] = asked.split(' ') as [string, string]
  const answer = { status, cut: false, headers: {}, bytes: 2, body: error ? { error } : {} }
  return {
    cursor: ++cursor,
    method,
    url,
    body,
    answer,
    notes: [],
    ...more,
  } as unknown as ExchangeView
}

const execute = (id: string) => `POST /accounts/acc_${id.repeat(12)}/plan/execute`

const world = (id: string, last: ExchangeView, polls = 1) => [
  exchange('POST /accounts', 201, { signer_address: `0x${id.repeat(40)}` }),
  ...Array.from({ length: polls }, () =>
    exchange(`GET /accounts/acc_${id.repeat(12)}/events`, 200),
  ),
  exchange(`POST /accounts/acc_${id.repeat(12)}/plan/earn`, 201, { amount: '1' }),
  last,
]

const shown = (...worlds: [ExchangeView[], ExchangeView[]]) =>
  compareWorlds(...worlds).steps.map(({ isSame, one, other }) =>
    isSame ? 'same' : `${one?.url ?? '-'} ${other?.url ?? '-'}`,
  )

test('default: they differ at the first request that was answered otherwise; ids and polls do not count', () => {
  const good = world('1', exchange(execute('1'), 200))
  const bad = world('2', exchange(execute('2'), 409, {}, 'plan_stale'), 5)
  const { steps } = compareWorlds(good, bad)
  expect(steps.map(({ isSame }) => isSame)).toEqual([true, true, false])
  expect(steps[2]!.other!.answer!.status).toBe(409)
})

test('behavior: an extra request stands alone, and the rest stays aligned', () => {
  const fund = () => exchange('POST /_sim/fund', 200, { amount: '7' })
  const more = () => exchange('POST /_sim/fund', 200, { amount: '9' })
  const good = [fund(), ...world('1', exchange(execute('1'), 200)), fund()]
  const [first, ...others] = world('2', exchange(execute('2'), 200))
  const bad = [fund(), first!, more(), ...others, exchange('GET /nowhere', 404), fund()]
  expect(shown(good, bad)).toEqual([
    'same',
    'same',
    '- /_sim/fund',
    'same',
    'same',
    '- /nowhere',
    'same',
  ])
  expect(shown(bad, good)[2]).toBe('/_sim/fund -')
  expect(shown([more(), fund()], [fund()])).toEqual(['/_sim/fund -', 'same'])
})

test('behavior: another amount in the request or in the response differs, and so does another end of the activity', () => {
  const plan = (body: object, response = {}) => {
    const made = exchange('POST /accounts/acc_aaaaaaaaaaaa/plan/earn', 201, body)
    return { ...made, answer: { ...made.answer!, body: response } }
  }
  const activity = { type: 'activity', activity_id: 'act_1', plan_id: 'pln_1' }
  const ended = (activity_status: string) =>
    exchange(execute('1'), 200, {}, undefined, {
      notes: [activity, { type: 'event', activity_id: 'act_1', activity_status }],
    })
  const alike = [plan({ amount: '1' }, { id: 'pln_aaaaaaaaaaaa', details: { expiry: '5' } })]
  expect(
    shown(alike, [plan({ amount: '1' }, { id: 'pln_b123456789bb', details: { expiry: '6' } })]),
  ).toEqual(['same'])
  expect(shown(alike, [plan({ amount: '2' })])[0]).not.toBe('same')
  expect(shown([plan({}, { fee: '1' })], [plan({}, { fee: '2' })])[0]).not.toBe('same')
  expect(shown([ended('confirmed')], [ended('confirmed')])).toEqual(['same'])
  expect(shown([ended('confirmed')], [ended('failed')])).toEqual([
    `${execute('1').slice(5)} ${execute('1').slice(5)}`,
  ])
})

test('behavior: the first difference is said in one line: who has the request, its outcome, or the field with both values', () => {
  const said = (one: ExchangeView[], other: ExchangeView[]) =>
    differenceText(compareWorlds(one, other).steps.find(({ isSame }) => !isSame)!, ['a', 'b'])
  const plan = (amount: string, response = {}) => {
    const made = exchange('POST /accounts/acc_aaaaaaaaaaaa/plan/earn', 201, { amount })
    return { ...made, answer: { ...made.answer!, body: response } }
  }
  const fees = (fee: string, network?: string) => ({ details: { fee, network } })
  expect(said([plan('1')], [plan('2')])).toBe('request.amount: 1 in a, 2 in b.')
  expect(said([plan('1', fees('5'))], [plan('1', fees('9'.repeat(60), 'base'))])).toBe(
    `response.details.fee: 5 in a, ${'9'.repeat(47)}… in b, and 1 other field.`,
  )
  expect(said([exchange(execute('1'), 200)], [exchange(execute('1'), 409, {}, 'stale')])).toBe(
    'status: 200 in a, 409 stale in b, and 1 other field.',
  )
  expect(said([], [plan('1')])).toBe('Only b has POST /accounts/acc_aaaaaaaaaaaa/plan/earn.')
})

test('behavior: long journals are aligned up to a bound, and what is left is counted', () => {
  const many = (amount: string, length: number) =>
    Array.from({ length }, () => exchange('POST /_sim/fund', 200, { amount }))
  const { steps, rest } = compareWorlds(many('1', 5_000), many('1', 5_000))
  expect([steps.length, rest]).toEqual([5_000, 0])
  const other = compareWorlds(many('1', mostAligned + 4), many('2', mostAligned + 3))
  expect([other.steps.length, other.rest]).toEqual([mostAligned, 7])
})

test('default: bodies differ in fields, and not in ids, hashes and times', () => {
  const one = {
    id: 'acc_aaaaaaaaaaaa',
    at: '2026-01-01T00:00:00Z',
    of: [{ amount: '1' }],
    no: null,
  }
  const other = {
    id: 'acc_bbbbbbbbbbbb',
    at: '2026-01-02T00:00:00Z',
    of: [{ amount: '2' }, {}],
    yes: true,
  }
  expect(differencesOf(one, other)).toEqual([
    { path: 'of.0.amount', values: ['1', '2'] },
    { path: 'no', values: ['null', undefined] },
    { path: 'yes', values: [undefined, 'true'] },
  ])
  expect(differencesOf(one, one)).toEqual([])
})
