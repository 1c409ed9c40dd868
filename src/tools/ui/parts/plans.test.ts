import { afterAll, expect, test, vi } from 'vitest'
import type { ExchangeView, Overview } from '../api/types.js'

vi.stubGlobal('location', { origin: 'http://127.0.0.1' })
vi.stubGlobal('addEventListener', () => {})
afterAll(() => vi.unstubAllGlobals())
const { exchanges, overview, toldClock } = await import('../api/live.js')
const { knownPlans, stateOf, titleById } = await import('./plans.js')

const at = '2026-01-01T00:00:00.000Z'

test('behavior: an open plan whose request is not in the journal, as after a restart, is listed after the others', () => {
  const made = { type: 'plan', plan_id: 'pln_new', account_id: 'acc_1', at }
  const exchange = {
    ...{ cursor: 7, at, method: 'POST', url: '/accounts/acc_1/plan/transfer', headers: {} },
    ...{ request_id: 'req_1', body: {}, notes: [made], answer: null },
  }
  const open = (plan_id: string, kind: string) => {
    return { plan_id, account_id: 'acc_1', kind, created_at: at, expires_at: at, is_stale: false }
  }
  overview.value = {
    plans: [open('pln_old', 'swap'), open('pln_stale', 'earn'), open('pln_new', 'transfer')],
    ended_plans: [{ plan_id: 'pln_stale', outcome: 'stale' }],
    present: [{ after: 0, until: null }],
  } as unknown as Overview
  exchanges.value = [exchange as unknown as ExchangeView]
  toldClock.value = { unix_ms: Date.parse(at), mode: 'frozen', toldAt: 0 } as typeof toldClock.value
  expect(knownPlans.value.map((plan) => [plan.plan_id, plan.cursor, stateOf(plan)])).toEqual([
    ['pln_new', 7, 'open'],
    ['pln_stale', 0, 'stale'],
    ['pln_old', 0, 'open'],
  ])
  expect(titleById('pln_old')).toBe('swap')
})
