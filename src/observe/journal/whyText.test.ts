import { expect, test } from 'vitest'
import type { Why } from './whySchema.js'
import { briefOfWhy, textOfWhy } from './whyText.js'

const related = { account_id: 'acc_1', plan_id: 'pln_1', activity_id: null, svc_intent_id: null }
const verdict: Why['verdict'] = { outcome: 'confirmed', cause: null, next: null }
const why: Why = {
  ...{ id: 'pln_1', related, timeline: [], activity: null, now: 'confirmed', verdict },
  is_complete: true,
}

/** The lines behind the timeline. */
function endOf(more: Partial<Why>): string {
  const text = textOfWhy({ ...why, ...more })
  return text.slice(text.indexOf('now: '))
}

test('default: the last line says what to do next', () => {
  const next = 'sign the digest of the plan, and POST it to plan/execute'
  expect(endOf({ now: 'not executed', verdict: { outcome: 'ready', cause: null, next } })).toBe(
    `now: not executed\nnext: ${next}\n`,
  )
})

test('behavior: in brief it is the id, the outcome and what to do next', () => {
  expect(briefOfWhy({ ...why, now: 'confirmed' })).toBe('pln_1\nnow: confirmed\n')
})

test('behavior: where all is well nothing is to be done', () => {
  expect(endOf({})).toBe('now: confirmed\n')
})

test('behavior: a timeline without its beginning says so', () => {
  expect(textOfWhy({ ...why, is_complete: false })).toContain(
    '\n(older requests are missing: the journal begins with the process, and drops the oldest when it is full)\n',
  )
})
