import { expect, test } from 'vitest'
import { effects } from '../../faults/effects/index.js'
import { seamOf } from '../../faults/rules/rules.js'
import { problems } from '../../lib/errors.js'
import { nextOf } from './nextStep.js'
import type { Why } from './whySchema.js'

const related = { account_id: 'acc_1', plan_id: 'pln_1', activity_id: null, svc_intent_id: null }
const why: Why = { id: 'req_1', related, timeline: [], activity: null, now: '', is_complete: true }
const explanation = 'base has ETH, WETH and what else it has'

/** The step after a request that was answered so, with a hint that explains it. */
function stepAfter(now: string, request = 'POST /accounts/acc_1/plan/execute', more: object = {}) {
  const moment = { at: '2026-01-01T00:00:00.000Z', request_id: 'req_1' }
  const timeline = [
    { ...moment, type: 'request', title: request, details: {} },
    {
      ...moment,
      type: 'fault',
      title: 'fault rule mean fired',
      details: { rule: 'mean', ...more },
    },
    { ...moment, type: 'answer', title: '400', details: { hint: explanation } },
  ]
  return nextOf({ ...why, timeline, now })
}

/** How an instruction begins. */
const instruction =
  /^(remove|send|change|make|wait|create|use|correct|clear|lease|look|find out|let|sign|leave out|end|rewrite) /

test.each(Object.entries(problems))(
  'default: %s: an instruction, and never the hint',
  (code, { status }) => {
    for (const message of ['amount is missing', 'pending: failed: it expired', ''])
      for (const because of ['', ', because mean (quote.unavailable) fired']) {
        const step = stepAfter(`returned ${status} ${code} (${message})${because}`)
        expect(step).toMatch(instruction)
        expect(step).not.toContain('base has')
        // Not what the words of the message would call for.
        const other = stepAfter(`returned ${status} ${code} (other words)${because}`)
        expect(step).toBe(other)
        expect(
          step!.startsWith('remove the rule unless it has ended (DELETE /_sim/faults/mean), then '),
        ).toBe(because !== '')
        expect(step!.replace(/^remove .*?, then /, '')).toMatch(instruction)
      }
  },
)

const named = effects.map((each) => `${seamOf(each)}.${each.name}`)

test.each(named)(
  'default: %s: whatever it brings about is followed by an instruction',
  (effect) => {
    for (const now of [
      `returned 422 swap_quote_failed (No quote), because mean (${effect}) fired`,
      `the connection was cut, because mean (${effect}) fired`,
      `no response yet, because mean (${effect}) fired`,
      `failed: TRANSFER on base reverted, because mean (${effect}) fired`,
      `pending: it waits for TRANSFER on base to be sent, because mean (${effect}) fired`,
    ])
      for (const carried of [{}, { carried: true }]) {
        const step = stepAfter(now, undefined, carried)!
        expect(step).toMatch(instruction)
        expect(step.replace(/^(remove|end) .*?, then /, '')).toMatch(instruction)
        expect(step).not.toContain('base has')
        // A rule of the header is in no list of rules.
        expect(step.includes('/_sim/faults/mean')).toBe(
          !('carried' in carried) &&
            !(now.startsWith('returned') && /^answer|latency|serve_stale/.test(effect)),
        )
      }
  },
)

test.each([
  ['never executed; it expired at 2026-01-01T00:02:00Z', /^make a new plan/],
  ['returned 409 plan_stale, because the nonce was used up', /^make a new plan/],
  ['2 confirmed, 1 failed; activity act_1: failed: TRANSFER on base reverted', /^make a new plan/],
  ['pending: it waits for TRANSFER on base to be mined', /^let time pass/],
  [
    'confirmed; its client did not get the response (the connection was cut)',
    /^find out whether the plan ran/,
  ],
  ['returned 400 invalid_params (amount is missing)', /^change what the message names/],
  ['no plan of this account has been executed', /^make a plan/],
  ['fault rule chain.halt is armed: it has fired at 1 of 1 calls', /DELETE \/_sim\/faults\/req_1$/],
  [
    'returned 429 rate_limited (Too many requests; try again in 1 s)',
    /^wait as long as .*retry-after/,
  ],
  ['returned 404 activity_not_found (No activity)', /^change what the message names/],
])('behavior: %s', (now, next) => {
  expect(stepAfter(now)).toMatch(next)
})

test('behavior: an expired quote of an aggregator is followed by the same request, not by a new plan', () => {
  const now = 'returned 422 swap_quote_failed (No quote), because mean (quote.expired) fired'
  expect(stepAfter(now, 'POST /accounts/acc_1/plan/swap')).toBe(
    'remove the rule unless it has ended (DELETE /_sim/faults/mean), then send the request again',
  )
})

test('behavior: the rule that caused it is removed first, or it meets the next plan as well', () => {
  expect(
    stepAfter('failed: TRANSFER reverted, because mean (execute.revert by nonce) did it'),
  ).toBe(
    'remove the rule unless it has ended (DELETE /_sim/faults/mean), then make a new plan; this one cannot be executed any more',
  )
  const stale = 'because fault rule old (plan.stale by nonce) fired at 00:00:00, it used the nonce'
  expect(stepAfter(`returned 409 plan_stale, ${stale}`)).toContain(
    '(DELETE /_sim/faults/old), then make a new plan',
  )
  expect(
    stepAfter(
      'pending: it waits, because one (chain.halt) is in force, and two (chain.down) is in force',
    ),
  ).toMatch(
    /^remove the rules unless they have ended \(DELETE \/_sim\/faults\/one, DELETE \/_sim\/faults\/two\), then let time pass/,
  )
})

test('behavior: a rule of the request itself ends with its header', () => {
  const carried = { carried: true }
  expect(
    stepAfter(
      'returned 422 swap_quote_failed (x), because mean (quote.unavailable) fired',
      undefined,
      carried,
    ),
  ).toBe('leave out the header x-svc-sim-fault, and send the request again')
  expect(
    stepAfter('pending: it waits, because mean (bridge.stuck) did it', undefined, carried),
  ).toMatch(
    /^end the rule of the header x-svc-sim-fault, and all others with it \(DELETE \/_sim\/faults\), then let time pass/,
  )
})

test.each([
  ['POST /accounts/acc_1/plan/execute', /^find out whether the plan ran/],
  ['POST /accounts', /^look for the signer/],
  ['POST /accounts/acc_1/plan/earn', /^send the request again$/],
  ['GET /accounts/acc_1/folio?cached=true', /^send the request again$/],
  ['POST /_sim/fund', /^find out whether/],
])('behavior: a response that was lost or was a lie: %s', (request, next) => {
  expect(stepAfter('the connection was cut', request)).toMatch(next)
  const lie = ', because mean (request.respond) returned conflict after the request was carried out'
  expect(
    stepAfter(`returned 409 conflict (x)${lie}`, request)!.replace(/^remove .*?, then /, ''),
  ).toMatch(next)
  const account = `no plan of this account has been executed; the last refusal was ${request}: the connection was cut`
  expect(nextOf({ ...why, now: account })).toMatch(next)
})
