import { expect, test } from 'vitest'
import { failuresOf } from './failures.js'

const none = { failed: [], repeated: [] }

const answer = { at: '2026-01-01T00:00:02Z', status: 200, headers: {}, bytes: 2, cut: false }
const exchange = {
  cursor: 1,
  at: '2026-01-01T00:00:01Z',
  request_id: 'req_1',
  method: 'POST',
  url: '/accounts/acc_000000000001/plan/execute',
  headers: {},
  body: { plan_id: 'pln_000000000001' },
  notes: [],
  answer,
}
const stale = { error: 'plan_stale', message: 'Plan is stale' }

test('default: refusals and failed activities, newest first, with what their verdicts are about', () => {
  const refused = { ...exchange, answer: { ...answer, status: 409, body: stale } }
  const failed = { activity_id: 'act_1', account_id: 'acc_1', reasons: ['refunded', 'later'] }
  const at = '2026-01-01T00:00:05.000Z'
  const repeated = [{ activity_id: 'act_2', account_id: 'acc_1', at: '2026-01-01T00:00:03.000Z' }]
  const ended = { failed: [{ ...failed, at }], repeated }
  expect(failuresOf([refused], ended, () => undefined, 5)).toEqual([
    { at, cursor: 0, said: 'failed', of: 'act_1', about: 'act_1' },
    { at: repeated[0]!.at, cursor: 0, said: 'done twice', of: 'act_2', about: 'act_2' },
    {
      at: '2026-01-01T00:00:02Z',
      cursor: 1,
      title: 'POST plan/execute',
      said: 'refused: 409 plan_stale',
      of: 'pln_000000000001',
      about: 'req_1',
    },
  ])
})

test('behavior: what a frozen clock has at one time, and within one second, has the order of the journal', () => {
  const execution = { at: '', type: 'activity', plan_id: 'pln_2', activity_id: 'act_2' }
  const refused = [9, 8, 7, 5, 4, 3, 2].map((cursor) => ({
    ...{ ...exchange, cursor, request_id: `req_${cursor}` },
    answer: { ...answer, at: `2026-01-01T00:00:02.${cursor}00Z`, status: 409, body: stale },
  }))
  const run = { ...exchange, cursor: 6, notes: [execution] }
  const failed = {
    ...{ activity_id: 'act_2', account_id: 'acc_1', reasons: [], at: '2026-01-01T00:00:02Z' },
  }
  const all = [...refused.slice(0, 3), run, ...refused.slice(3)]
  const found = failuresOf(all as never, { failed: [failed], repeated: [] }, () => undefined, 6)
  expect(found.map(({ cursor }) => cursor)).toEqual([9, 8, 7, 6, 5, 4])
  expect(found[3]!.about).toBe('act_2')
})

test('behavior: a refusal names its plan', () => {
  const refused = { ...exchange, answer: { ...answer, status: 409, body: stale } }
  const [failure] = failuresOf([refused], none, ({ body }) => `Earn ${JSON.stringify(body)}`, 5)
  expect(failure!.title).toBe('Earn {"plan_id":"pln_000000000001"}')
})

test('behavior: an execution whose response was lost is no refusal', () => {
  const begun = { at: '', type: 'activity' }
  const events = ['pending', 'confirmed'].map((activity_status) => ({
    ...{ at: '', type: 'event', activity_status },
  }))
  const lie = { ...answer, status: 500, body: { error: 'internal_error' } }
  const saidOf = (notes: object[], answered: object) =>
    failuresOf(
      [{ ...exchange, notes, answer: { ...answer, ...answered } } as never],
      none,
      () => 'Earn',
      1,
    )[0]!.said
  expect(saidOf([begun, ...events], lie)).toBe('executed, but returned 500 internal_error')
  expect(saidOf([begun], { cut: true })).toBe('executed, but the response was lost')
  expect(saidOf(events, lie)).toBe('refused: 500 internal_error')
})

test('behavior: no successes, nothing of the control API, no more than asked for', () => {
  const cut = { ...exchange, body: undefined, answer: { ...answer, cut: true } }
  const control = { ...exchange, url: '/_sim/fund', answer: { ...answer, status: 400 } }
  const many = Array.from({ length: 9 }, () => ({
    ...exchange,
    answer: { ...answer, status: 404, body: stale },
  }))
  expect(failuresOf([exchange, control, cut], none, () => undefined, 5)).toMatchObject([
    {
      ...{ title: 'POST plan/execute', of: 'req_1', about: 'req_1' },
      said: 'not executed: the connection was cut',
    },
  ])
  const read = { ...cut, url: '/accounts/acc_000000000001/folio' }
  expect(failuresOf([read], none, () => undefined, 5)).toMatchObject([{ said: 'was cut' }])
  expect(failuresOf(many, none, () => undefined, 3)).toHaveLength(3)
})
