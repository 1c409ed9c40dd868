import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createSkipLimits } from './autoClock.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Limits of a clock that stands at 0, with a plan that expires at 120 s. */
function limited() {
  const open = new Set(['pln_1'])
  const state = { begun: 0, waiting: [] as number[] }
  const limits = createSkipLimits({
    clock: { now: () => 0 },
    isOpenPlan: (id) => open.has(id),
    requestsBegun: () => state.begun,
    isWaitedForSince: (begun) => state.waiting.some((number) => number > begun),
  })
  const changed = vi.fn()
  limits.onChange(changed)
  const plan = { planId: 'pln_1', expiresAtMs: 120_000 }
  return { limits, changed, open, state, plan }
}

const execution = { activityId: 'act_1', accountId: 'acc_1' }

test('default: a plan keeps the clock before its expiry for ten seconds of the machine, and then says so', () => {
  const { limits, changed, plan } = limited()
  limits.planned(plan)
  expect([119_999, 120_000, 600_000].map(limits.keepFrom)).toEqual([false, true, true])
  vi.advanceTimersByTime(9_999)
  expect(limits.keepFrom(120_000)).toBe(true)
  expect(changed).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(changed).toHaveBeenCalled()
  expect(limits.keepFrom(120_000)).toBe(false)
})

test('behavior: a plan that is executed, expired by a fault or lifted keeps nothing', () => {
  const { limits, open, plan } = limited()
  limits.planned(plan)
  limits.planned({ ...plan, expiresAtMs: 0 })
  expect(limits.keepFrom(120_000)).toBe(false)
  limits.planned(plan)
  limits.lift()
  expect(limits.keepFrom(120_000)).toBe(false)
  limits.planned(plan)
  open.clear()
  expect(limits.keepFrom(120_000)).toBe(false)
})

test('behavior: an execution keeps the clock until it is seen, it ends, a later request waits, or two seconds are over', () => {
  const { limits, changed, state } = limited()
  const keeps = () => limits.keepFrom(1)
  limits.began(execution)
  limits.clientRead({ accountId: 'acc_2' })
  limits.clientRead({ activityId: 'act_2' })
  expect([keeps(), changed.mock.calls.length]).toEqual([true, 0])
  limits.clientRead({ accountId: 'acc_1' })
  expect([keeps(), changed.mock.calls.length]).toEqual([false, 1])
  for (const end of [
    () => limits.clientRead({ activityId: 'act_1' }),
    () => limits.clientRead(),
    () => limits.ended('act_1'),
    () => vi.advanceTimersByTime(2_000),
  ]) {
    limits.began(execution)
    expect(keeps()).toBe(true)
    end()
    expect(keeps()).toBe(false)
  }
  state.begun = 5
  limits.began(execution)
  state.waiting = [5]
  expect(keeps()).toBe(true)
  state.waiting = [6]
  expect(keeps()).toBe(false)
})
