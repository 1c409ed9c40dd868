import { expect, test } from 'vitest'
import type { Why } from './whySchema.js'
import { textOfWhy } from './whyText.js'

const related = { account_id: 'acc_1', plan_id: 'pln_1', activity_id: null, svc_intent_id: null }
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

test('behavior: where all is well nothing is to be done', () => {
  for (const now of [
    'confirmed',
    'returned 200',
    'fault rule execute.revert has fired 1 of 1 times',
  ])
    expect(endOf(now)).toBe(`now: ${now}\n`)
})

test('behavior: a timeline without its beginning says so', () => {
  expect(textOfWhy({ ...why, is_complete: false })).toContain(
    '\n(older requests are missing: the journal begins with the process, and drops the oldest when it is full)\n',
  )
})
