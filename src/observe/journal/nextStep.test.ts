import { expect, test } from 'vitest'
import { effects } from '../../faults/effects/index.js'
import { seamOf } from '../../faults/rules/rules.js'
import { problems } from '../../lib/errors.js'
import type { Shortfall } from '../../service/context/requestContext.js'
import { nextOf } from './nextStep.js'
import type { ActivityVerdict, NamedFault, RequestVerdict, Verdict } from './verdict.js'
import { textOfVerdict } from './verdictText.js'

const fault = (effect: string, more: Partial<NamedFault> = {}): NamedFault => ({
  ...{ rule: 'mean', effect, text: `mean (${effect}) fired` },
  ...more,
})

/** A request that was refused with this code. */
function refused(code: string, more: Partial<RequestVerdict> = {}): RequestVerdict {
  const { status = 400 } = (problems as Partial<Record<string, { status: number }>>)[code] ?? {}
  return {
    ...{ outcome: 'refused', method: 'POST', url: '/accounts/acc_1/plan/execute', status, code },
    ...{ faults: [], bystanders: [] },
    ...more,
  }
}

const activity = (more: Partial<ActivityVerdict> = {}): ActivityVerdict => ({
  ...{ outcome: 'confirmed', activityId: 'act_1', partialFills: [], faults: [], notRun: [] },
  ...more,
})
const part = { name: 'TRANSFER on base', network: 'base' }

/** How an instruction begins. */
const instruction =
  /^(remove|send|change|make|wait|create|use|correct|clear|lease|look|find out|let|sign|leave out|end|rewrite|follow|fund) /

test.each(Object.keys(problems))('default: %s: an instruction', (code) => {
  for (const faults of [[], [fault('quote.unavailable')]]) {
    const step = nextOf(refused(code, { faults, message: 'pending: failed: it expired' }))!
    expect(step).toMatch(instruction)
    // Not what the words of the message would call for.
    expect(step).toBe(nextOf(refused(code, { faults, message: 'other words' })))
    expect(step.startsWith('remove the rule mean (DELETE /_sim/faults/mean), then ')).toBe(
      faults.length > 0,
    )
    expect(step.replace(/^remove .*?, then /, '')).toMatch(instruction)
  }
})

const named = effects.map((each) => `${seamOf(each)}.${each.name}`)

test.each(named)(
  'default: %s: whatever it brings about is followed by an instruction',
  (effect) => {
    for (const carried of [{}, { carried: true }]) {
      const faults = [fault(effect, carried)]
      const verdicts: Verdict[] = [
        refused('swap_quote_failed', { faults }),
        refused('', { outcome: 'cut', faults }),
        refused('', { outcome: 'open', faults }),
        activity({ outcome: 'failed', part, ending: { verb: 'reverted' }, faults }),
        activity({ outcome: 'pending', part, waiting: { for: 'send', standing: [] }, faults }),
      ]
      for (const verdict of verdicts) {
        const step = nextOf(verdict)!
        expect(step).toMatch(instruction)
        expect(step.replace(/^(remove|end) .*?\), then /, '')).toMatch(instruction)
        // A rule of the header is in no list of rules.
        expect(step.includes('/_sim/faults/mean')).toBe(
          !('carried' in carried) &&
            !(verdict.outcome === 'refused' && /^answer|latency|serve_stale/.test(effect)),
        )
      }
    }
  },
)

const cause = { reason: 'its nonce is used', cause: 'plan', by_plan: 'pln_2' } as const
const until = '2026-01-01T00:02:00Z'

test.each<[Verdict, string, RegExp | undefined]>([
  [{ outcome: 'ready', until }, `not executed; it can be until ${until}`, /^sign the digest/],
  [{ outcome: 'stale', cause }, 'stale, and cannot be executed: plan pln_2', /^make a new plan/],
  [{ outcome: 'expired', at: until, faults: [] }, 'never executed; it expired', /^make a new plan/],
  [
    { outcome: 'gone', id: 'pln_1', cause: undefined },
    'the simulator no longer has',
    /^make a new/,
  ],
  [
    { outcome: 'gone', id: 'pln_1', cause: undefined, isAccountGone: true },
    'the simulator no longer has',
    /^create the account again \(POST \/accounts\), and make a new plan there$/,
  ],
  [{ outcome: 'gone', id: 'acc_1', cause: undefined }, 'the simulator no longer has', undefined],
  [refused('plan_stale', { cause }), 'returned 409 plan_stale, because plan', /^make a new plan/],
  [
    refused('plan_stale', { cause: { ...cause, cause: 'executed', activity_id: 'act_1' } }),
    'returned 409 plan_stale, because the plan was executed before (activity act_1)',
    /^follow activity act_1, and do not make a new plan/,
  ],
  [activity(), 'confirmed', undefined],
  [
    activity({ lost: { how: 'the connection was cut', faults: [] } }),
    'confirmed; its client did not get the response (the connection was cut)',
    /^follow activity act_1, and do not make a new plan/,
  ],
  [refused('invalid_params'), 'returned 400 invalid_params', /^change what the message names/],
  [refused('activity_not_found'), 'returned 400 activity_not_found', /^change what the message/],
  [refused('rate_limited'), 'returned 429 rate_limited', /^wait as long as .*retry-after/],
  [
    { outcome: 'idle', counts: [], activities: [] },
    'no plan of this account has been executed',
    /^fund the account if it is empty, make a plan/,
  ],
  [
    {
      outcome: 'active',
      counts: [{ status: 'failed', count: 1 }],
      activities: [activity({ outcome: 'failed', part, ending: { verb: 'reverted' } })],
    },
    'activity act_1: failed: TRANSFER on base reverted',
    /^make a new plan/,
  ],
  [
    {
      ...{ outcome: 'armed', id: 'mean', what: 'chain.halt', hits: 1, seen: 1, times: undefined },
      ...{ met: [], holds: [] },
    },
    'fault rule chain.halt is armed: it has fired at 1 of 1 matching calls',
    /DELETE \/_sim\/faults\/mean$/,
  ],
])('behavior: %j: %s', (verdict, text, next) => {
  expect(textOfVerdict(verdict).startsWith(text)).toBe(true)
  if (next) expect(nextOf(verdict)).toMatch(next)
  else expect(nextOf(verdict)).toBeUndefined()
})

test('behavior: an expired quote of an aggregator is followed by the same request, not by a new plan', () => {
  const url = '/accounts/acc_1/plan/swap'
  expect(nextOf(refused('swap_quote_failed', { url, faults: [fault('quote.expired')] }))).toBe(
    'remove the rule mean (DELETE /_sim/faults/mean), then send the request again',
  )
})

test('behavior: the rule that caused it is removed first, or it meets the next plan as well', () => {
  const faults = [fault('execute.revert')]
  expect(nextOf(activity({ outcome: 'failed', part, faults }))).toBe(
    'remove the rule mean (DELETE /_sim/faults/mean), then make a new plan; this one cannot be executed any more',
  )
  const stale = { reason: '', cause: 'fault', rule: 'old', effect: 'plan.stale by nonce' } as const
  for (const verdict of [
    refused('plan_stale', { cause: stale }),
    { outcome: 'stale', cause: stale },
  ])
    expect(nextOf(verdict as Verdict)).toContain('(DELETE /_sim/faults/old), then make a new plan')
  const standing = ['one', 'two'].map((rule) => fault('chain.halt', { rule }))
  expect(
    nextOf(activity({ outcome: 'pending', part, waiting: { for: 'send', standing } })),
  ).toMatch(
    /^remove the rule one, which releases what it holds \(DELETE \/_sim\/faults\/one\) and the rule two, .+ \(DELETE \/_sim\/faults\/two\), then let time pass/,
  )
})

test.each([
  ['bridge.stuck', 'spent', 'remove the rule mean, which releases what it holds (DELETE'],
  ['bridge.stuck', 'removed', 'let time pass'],
  ['execute.stuck', 'spent', 'remove the rule mean, which releases what it holds (DELETE'],
  ['chain.reorg', 'spent', 'let time pass'],
  ['chain.reorg', 'armed', 'remove the rule mean (DELETE'],
] as const)('behavior: pending for %s, which is %s: %s', (effect, state, step) => {
  const faults = [fault(effect)]
  expect(nextOf(activity({ outcome: 'pending', part, faults }), () => state)).toMatch(
    new RegExp(`^${step.replaceAll(/[()]/g, '.')}`),
  )
})

test.each(['request.latency', 'folio.latency', 'quote.timeout', 'chain.slow'])(
  'behavior: an open request that %s still holds, when it is spent: remove the rule',
  (effect) => {
    const open = refused('', { outcome: 'open', faults: [fault(effect)] })
    expect(nextOf(open, () => 'spent')).toMatch(/^remove the rule mean, which releases what it /)
    expect(nextOf(open, () => 'removed')).toMatch(/^let time pass/)
  },
)

test.each([
  ['execute.revert', 'spent', /^make a new plan/],
  ['execute.revert', 'removed', /^make a new plan/],
  [
    'quote.drain',
    'spent',
    /^remove the rule mean, which undoes it \(DELETE .+\), then look at this/,
  ],
  ['quote.drain', 'removed', /^make a new plan/],
] as const)('behavior: stale for %s, which is %s: %s', (effect, state, step) => {
  const cause = { reason: '', cause: 'fault', rule: 'mean', effect } as const
  const again = { ...cause, is_refused: true as const }
  if (effect === 'quote.drain')
    expect(nextOf({ outcome: 'stale', cause: again }, () => state)).toMatch(step)
  expect(nextOf({ outcome: 'stale', cause }, () => state)).toMatch(step)
})

const short: Shortfall = {
  ...{ account_id: 'acc_1', network: 'base', asset: 'USDC', amount: '4000000' },
  ...{ needs: '5 USDC', available: '1 USDC', missing: '4 USDC' },
}
const isFunding =
  'fund the account with 4 USDC on base (svc-sim fund --account acc_1 --asset USDC --amount 4000000 --network base, '

test.each<[string, object, string]>([
  ['short', { short, is_refused: true }, isFunding],
  ['refused again', { is_refused: true }, 'change the request, or what the cause names'],
  ['in the way of another', { is_under_way: true }, 'wait until what is under way has ended, then'],
  [
    'perhaps for the same payment as another',
    { activity_id: 'act_1', changed: 'nonce', short },
    `look at activity act_1; unless it does what this plan was for, ${isFunding}`,
  ],
])('behavior: a stale plan that is %s', (_, more, step) => {
  const told = { reason: '', cause: 'plan', ...more } as const
  for (const verdict of [
    { outcome: 'stale', cause: told },
    { outcome: 'expired', at: until, faults: [], cause: told },
    refused('plan_stale', { cause: told }),
  ])
    expect(nextOf(verdict as Verdict)!.startsWith(step)).toBe(true)
})

test('behavior: what became of the plan decides what to do about the refusal of its execution', () => {
  const stale = refused('plan_stale', { cause })
  const gone = refused('plan_not_found')
  const overtaken = { ...cause, activity_id: 'act_1', reason: '' }
  const after = (of: RequestVerdict, plan: RequestVerdict['plan']) => nextOf({ ...of, plan })
  expect(after(stale, { outcome: 'ready', until })).toMatch(/^sign the digest/)
  expect(after(stale, { outcome: 'executed', activityId: 'act_1', status: 'confirmed' })).toMatch(
    /^follow activity/,
  )
  expect(after(stale, { outcome: 'stale', cause: { ...cause, short } })).toMatch(
    /^fund the account .+\), then look at this plan again: if it can be executed, sign/,
  )
  for (const plan of [
    { outcome: 'expired', at: until, faults: [], cause: overtaken },
    { outcome: 'gone', id: 'pln_1', cause: undefined, overtaken },
  ] as const) {
    const step = after(gone, plan)!
    expect(step).toMatch(
      /^look at activity act_1; unless it does what this plan was for, make a new plan; this/,
    )
    expect(nextOf(plan)).toBe(step)
    expect(textOfVerdict({ ...gone, plan })).toBe(
      'returned 404 plan_not_found. Also, plan pln_2 of the same wallet was executed (activity act_1)',
    )
  }
  expect(
    after(gone, {
      outcome: 'gone',
      id: 'pln_1',
      cause: undefined,
      overtaken: { ...overtaken, has_others: true },
    }),
  ).toMatch(/^look at activity act_1 and the other activities of the account; unless one of them/)
})

test('behavior: a plan that was refused for want of funds, until they are given', () => {
  const lacking = refused('plan_failed', { short, message: 'target 5000000, max 1000000' })
  expect(nextOf(lacking)!.startsWith(isFunding)).toBe(true)
  expect(textOfVerdict(lacking)).toBe(
    'returned 400 plan_failed, because the plan needs 5 USDC on base, but the account can bring only 1 USDC there',
  )
  expect(nextOf({ ...lacking, isFunded: true })).toBe('send the request again')
})

test.each([
  ['holds', 'the position holds'],
  ['owes', 'the wallet owes'],
] as const)(
  'behavior: a request for more than the position or the wallet %s is advised to ask for less, whatever its message says',
  (limit, most) => {
    const url = '/accounts/acc_1/plan/withdraw'
    const beyond = { market: 'M', limit, asked: '9 USDC', most: '5 USDC' } as const
    const again = 'and send the request again'
    const less = `ask for at most what ${most} (the message says how much), ${again}`
    const told = refused('plan_failed', { url, beyond, message: 'other words' })
    expect(nextOf(told)).toBe(less)
    // A rule that met it, too, was not why.
    expect(nextOf({ ...told, faults: [fault('chain.slow')] })).toBe(
      `remove the rule mean (DELETE /_sim/faults/mean), then ${less}`,
    )
    // The position has so much by now; what else may be missing is money.
    expect(nextOf({ ...told, isFunded: true })).toBe('send the request again')
    const poor = nextOf({ ...told, isFunded: true, lacks: short })!
    expect(poor.startsWith(isFunding) && !poor.includes(most)).toBe(true)
    for (const message of [
      'insufficient balance: the position in M on base holds 5 of USDC, 9 was asked',
      'repay amount exceeds debt: the wallet owes 5 of USDC to M on base, 9 was asked',
    ])
      expect(nextOf(refused('plan_failed', { url, message }))).toBe(
        `change the request, or what the message names, ${again}`,
      )
  },
)

test('behavior: a wrong signature: the plan and its refused execution say whose it has to be, also where a rule met it', () => {
  const step = nextOf({ outcome: 'ready', until, signer: '0x51' })!
  expect(step).toMatch(
    /^sign the digest of the plan as a raw hash with the key of .+ 0x51, and POST/,
  )
  const wrong = refused('internal_error', { signer: '0x51' })
  expect(nextOf(wrong)).toBe(step)
  expect(nextOf({ ...wrong, faults: [fault('chain.slow')] })).toBe(
    `remove the rule mean (DELETE /_sim/faults/mean), then ${step}`,
  )
})

test('behavior: a request that was refused for another reason, of an account that has no money by now', () => {
  const url = '/accounts/acc_1/plan/swap'
  const again = 'send the request again; or ask for less'
  const lacking = { url, lacks: short, faults: [fault('quote.unavailable')] }
  const verdict = refused('swap_quote_failed', lacking)
  for (const state of ['spent', 'removed'] as const) {
    const step = nextOf(verdict, () => state)!
    expect(step.startsWith(isFunding)).toBe(true)
    expect(step.endsWith(`, and ${again}`)).toBe(true)
  }
  expect(nextOf(verdict)).toMatch(
    /^remove the rule mean \(DELETE \S+\), then fund the account with 4/,
  )
  const carried = [fault('quote.unavailable', { carried: true })]
  expect(nextOf({ ...verdict, faults: carried })).toMatch(/^leave out the header \S+, and fund the/)
  // What the faucet gave is spent again.
  const spent = refused('plan_failed', { url, short, isFunded: true, lacks: short })
  expect(nextOf(spent)!.startsWith(isFunding)).toBe(true)
  for (const more of [{ outcome: 'cut' }, { code: 'rate_limited' }, { code: 'timeout' }] as const)
    expect(nextOf(refused('', { url, lacks: short, ...more }))!.startsWith(isFunding)).toBe(true)
})

test('behavior: an account that was refused after its last activity says so, also while something is pending', () => {
  const stale = refused('plan_stale', { cause: { ...cause, is_refused: true } })
  const counts = [{ status: 'confirmed', count: 1 }] as const
  const account = { outcome: 'active', counts, activities: [activity()], refused: stale } as const
  expect(textOfVerdict(account)).toBe(
    'activity act_1: confirmed. Also, the last refusal was POST /accounts/acc_1/plan/execute: returned 409 plan_stale, because plan pln_2 of the same wallet was executed; its nonce is used',
  )
  expect(nextOf(account)).toMatch(/^change the request/)
  const pending = { ...account, activities: [activity({ outcome: 'pending', part }), activity()] }
  expect(nextOf(pending)).toMatch(
    /^of activity act_1: let time pass .+\. Of the last refusal: change the request/,
  )
})

test('behavior: of an account, a lost response, a failed activity and a refusal each have their own step', () => {
  const lost = activity({
    ...{ activityId: 'act_3', lost: { how: 'the connection was cut', faults: [] } },
  })
  const failed = activity({
    ...{ activityId: 'act_2', outcome: 'failed', part, ending: { verb: 'reverted' } },
  })
  const overtaken = { ...cause, activity_id: 'act_3', reason: '' }
  const retried = { ...failed, overtaken }
  const older = { ...failed, activityId: 'act_1' }
  const counts = [
    { status: 'confirmed', count: 1 },
    { status: 'failed', count: 2 },
  ] as const
  const account = { outcome: 'active', counts, activities: [lost, retried, older] } as const
  const follow = 'follow activity act_3, and do not make a new plan for it'
  const again = 'make a new plan; this one cannot be executed any more'
  const both = `of activity act_3: ${follow}. Of activity act_2: look at activity act_3; unless it does what this plan was for, ${again}`
  expect(nextOf(account)).toBe(both)
  expect(nextOf({ ...account, activities: [failed, older, lost] })).toBe(
    `of activity act_3: ${follow}. Of activity act_2: ${again}`,
  )
  const last = refused('swap_quote_failed', { faults: [fault('quote.unavailable')] })
  const all = { ...account, refused: last }
  expect(nextOf(all, () => 'spent')).toBe(`${both}. Of the last refusal: send the request again`)
  expect(textOfVerdict(account)).toBe(
    '1 confirmed, 2 failed. Activity act_3: confirmed; its client did not get the response (the connection was cut); the client can find this activity by its plan_id. Activity act_2: failed: TRANSFER on base reverted. Activity act_1: failed: TRANSFER on base reverted',
  )
  // The same step is said once, and one that is alone needs no name.
  const gone = refused('plan_not_found')
  expect(nextOf({ ...account, activities: [failed], refused: gone })).toBe(nextOf(failed))
})

test('behavior: a rule of the request itself ends with its header', () => {
  const carried = { carried: true }
  expect(
    nextOf(refused('swap_quote_failed', { faults: [fault('quote.unavailable', carried)] })),
  ).toBe('leave out the header x-svc-sim-fault, and send the request again')
  const faults = [fault('bridge.stuck', carried)]
  expect(nextOf(activity({ outcome: 'pending', part, faults }))).toMatch(
    /^end the rule of the header x-svc-sim-fault, and all others with it \(DELETE \/_sim\/faults\), then let time pass/,
  )
})

test.each([
  ['POST', '/accounts/acc_1/plan/execute', /^find out whether the plan ran/],
  ['POST', '/accounts', /^look for the signer/],
  ['POST', '/accounts/acc_1/plan/earn', /^send the request again$/],
  ['GET', '/accounts/acc_1/folio?cached=true', /^send the request again$/],
  ['POST', '/_sim/fund', /^find out whether/],
])('behavior: a response that was lost or was a lie: %s %s', (method, url, next) => {
  const cut = refused('', { outcome: 'cut', method, url })
  expect(nextOf(cut)).toMatch(next)
  const faults = [fault('request.respond', { isDone: true })]
  const lie = nextOf(refused('conflict', { method, url, faults }))!
  expect(lie.replace(/^remove .*?, then /, '')).toMatch(next)
  expect(nextOf({ outcome: 'idle', counts: [], activities: [], refused: cut })).toMatch(next)
})
