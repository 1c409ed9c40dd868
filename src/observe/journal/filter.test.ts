import { expect, test } from 'vitest'
import { faultsOf, filterOf, isFound, noFilter } from './filter.js'

const answer = {
  at: '',
  status: 409,
  headers: { 'x-svc-sim-fault': 'moved' },
  bytes: 2,
  cut: false,
}
const exchange = {
  cursor: 1,
  at: '',
  request_id: 'req_1',
  method: 'POST',
  url: '/accounts/acc_1/plan/earn',
  headers: {},
  notes: [
    { at: '', type: 'fault', rule: 'late' },
    { at: '', type: 'fault', rule: 'moved' },
  ],
  answer,
}

test('default: everything is found without a filter; each field narrows', () => {
  expect(isFound(exchange, noFilter)).toBe(true)
  const found = { account: 'acc_1', path: 'post /ACC', status: '4', fault: 'late', api: 'service' }
  expect(isFound(exchange, found)).toBe(true)
  const others = { account: 'acc_2', path: 'folio', status: '2', fault: 'x', api: 'control' }
  for (const [name, value] of Object.entries(others))
    expect([name, isFound(exchange, { ...found, [name]: value })]).toEqual([name, false])
})

test('behavior: ids and error codes are found wherever they are, other words only in method and URL', () => {
  const refused = {
    ...exchange,
    answer: { ...answer, body: { error: 'plan_stale', message: 'x' } },
  }
  const finds = (path: string): boolean => isFound(refused, { ...noFilter, path })
  expect(['plan_stale', 'req_1', 'message', 'plan_gone'].map(finds)).toEqual([
    true,
    true,
    false,
    false,
  ])
})

test('behavior: a link narrows it, and whatever else it says is left', () => {
  const query = new URLSearchParams('account=acc_1&world=wld_1&status=4')
  expect(filterOf(query)).toEqual({ ...noFilter, account: 'acc_1', status: '4' })
})

test('behavior: rules are named by the header and by notes, each once', () => {
  expect(faultsOf(exchange)).toEqual(['moved', 'late'])
  expect(isFound(exchange, { ...noFilter, fault: 'any' })).toBe(true)
  const calm = { ...exchange, notes: [], answer: { ...answer, headers: {} } }
  expect(isFound(calm, { ...noFilter, fault: 'any' })).toBe(false)
})

test('behavior: a request that was refused for what a rule had changed before is one of the rule', () => {
  const stale = { at: '', type: 'stale', plan_id: 'pln_1', cause: 'fault', rule: 'moved' }
  const refused = { ...exchange, notes: [stale], answer: { ...answer, headers: {} } }
  const { rule: _, ...otherwise } = stale
  const found = ['moved', 'any', 'late', 'plan'].map((fault) =>
    [refused, { ...refused, notes: [otherwise] }].map((each) =>
      isFound(each, { ...noFilter, fault }),
    ),
  )
  expect(found).toEqual([
    [true, false],
    [true, false],
    [false, false],
    [false, false],
  ])
  expect(faultsOf(refused)).toEqual([])
})

test('behavior: a status is found by itself and by its class; cut and unanswered exchanges have one of their own', () => {
  const finds = (status: string): boolean => isFound(exchange, { ...noFilter, status })
  expect(['409', '404', '4', '40', 'problem'].map(finds)).toEqual([true, false, true, false, true])
  const cut = { ...exchange, answer: { ...answer, cut: true } }
  const open = { ...exchange, answer: null }
  const statuses = ['4', 'cut', 'open'].map((status) =>
    [exchange, cut, open].map((each) => isFound(each, { ...noFilter, status })),
  )
  expect(statuses).toEqual([
    [true, false, false],
    [false, true, false],
    [false, false, true],
  ])
})

test('behavior: a failed activity is found though its request was answered well', () => {
  const event = (activity_status: string, activity_id = 'act_1') => ({
    type: 'event',
    activity_id,
    activity_status,
  })
  const well = { ...answer, status: 200 }
  const activity = { type: 'activity', activity_id: 'act_1' }
  const begun = { ...exchange, answer: well, notes: [activity, event('pending')] }
  const failed = { ...begun, notes: [...begun.notes, event('failed')] }
  // Somebody else's activity that failed while the clock was moved.
  const moved = { ...begun, notes: [event('failed')] }
  // And one that failed while this one was executed.
  const beside = { ...begun, notes: [...begun.notes, event('failed', 'act_2')] }
  const found = ['failed', 'problem', '2'].map((status) =>
    [exchange, failed, begun, moved, beside].map((each) => isFound(each, { ...noFilter, status })),
  )
  expect(found).toEqual([
    [false, true, false, false, false],
    [true, true, false, false, false],
    [false, true, true, true, true],
  ])
})
