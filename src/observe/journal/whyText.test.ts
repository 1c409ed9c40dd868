import { expect, test } from 'vitest'
import type { Why } from './whySchema.js'
import { textOfWhy } from './whyText.js'

const related = { account_id: 'acc_1', plan_id: 'pln_1', activity_id: null, svc_intent_id: null }
const moment = { at: '2026-01-01T00:00:00.000Z', request_id: 'req_1' }
const why: Why = { id: 'pln_1', related, timeline: [], activity: null, now: '', is_complete: true }

/** The lines behind the timeline. */
function endOf(now: string, more: Partial<Why> = {}): string {
  const text = textOfWhy({ ...why, now, ...more })
  return text.slice(text.indexOf('now: '))
}

test('default: the last line says what to do next', () => {
  expect(endOf('not executed; it can be until 2026-01-01T00:02:00Z')).toBe(
    'now: not executed; it can be until 2026-01-01T00:02:00Z\nnext: sign the digest of the plan, and POST it to plan/execute\n',
  )
})

test.each([
  ['never executed; it expired at 2026-01-01T00:02:00Z', /^make a new plan/],
  ['returned 409 plan_stale, because the nonce was used up', /^make a new plan/],
  ['2 confirmed, 1 failed; activity act_1: failed: TRANSFER on base reverted', /^make a new plan/],
  ['pending: it waits for TRANSFER on base to be mined', /^let time pass/],
  ['confirmed; its client did not get the response (the connection was cut)', /^look for the plan/],
  ['returned 400 invalid_params (amount is missing)', /^change what the message names/],
  ['no plan of this account has been executed', /^make a plan/],
  ['fault rule chain.halt is armed: it has fired at 1 of 1 calls', /DELETE \/_sim\/faults\/pln_1$/],
])('behavior: %s', (now, next) => {
  expect(endOf(now).split('\nnext: ')[1]?.trim()).toMatch(next)
})

test('behavior: the rule that caused it is removed first, or it meets the next plan as well', () => {
  const failed = 'failed: TRANSFER on base reverted, because mean (execute.revert by nonce) did it'
  expect(endOf(failed)).toMatch(
    /\nnext: remove the rule unless it has ended \(DELETE \/_sim\/faults\/mean\), then make a new plan/,
  )
  const halted = 'pending: it waits for a part to be sent, because stop (chain.halt) is in force'
  expect(endOf(halted)).toContain('(DELETE /_sim/faults/stop), then let time pass')
})

test('behavior: a refusal with a hint says the hint', () => {
  const details = { message: 'insufficient resources', hint: 'Fund the account.' }
  const timeline = [{ ...moment, type: 'answer', title: '400 plan_failed', details }]
  expect(endOf('returned 400 plan_failed', { timeline })).toContain('\nnext: Fund the account.\n')
})

test('behavior: where all is well nothing is to be done', () => {
  for (const now of [
    'confirmed',
    'returned 200',
    'fault rule execute.revert has fired 1 of 1 times',
  ])
    expect(endOf(now)).toBe(`now: ${now}\n`)
})
