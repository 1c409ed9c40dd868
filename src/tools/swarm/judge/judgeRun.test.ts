import { expect, test } from 'vitest'
import type { Exchange } from '../world/exchange.js'
import { baselineOf, judgeRun } from './judgeRun.js'
import type { MoneyOutcome } from './outcome.js'
import type { Run } from './run.js'

const execute = '/accounts/acc_a/plan/execute'
const at = (second: number): string => new Date(second * 1000).toISOString()

/** A request at a second of the clock and of the machine. */
function exchange(second: number, given: Partial<Exchange> = {}): Exchange {
  const answer = { at: at(second), status: 200, headers: {}, bytes: 0, cut: false, took_ms: 1 }
  return {
    ...{ cursor: second, at: at(second), received_ms: second * 1000, request_id: `req_${second}` },
    ...{ method: 'GET', url: '/activities/act_1', headers: {}, notes: [], answer },
    ...given,
  }
}

/** The execution of a plan, confirmed at a second of the clock. */
function executed(second: number, endsAt: number, given: Partial<Exchange> = {}): Exchange {
  const event = { type: 'event', activity_id: 'act_1' }
  return exchange(second, {
    method: 'POST',
    url: execute,
    body: { plan_id: 'pln_1', signature: '0x1' },
    notes: [
      { at: at(second), type: 'activity', activity_id: 'act_1' },
      { at: at(second), ...event, cursor: 1, activity_status: 'pending' },
      { at: at(endsAt), ...event, cursor: 2, activity_status: 'confirmed' },
    ],
    ...given,
  })
}

function refused(second: number, status: number, error: string, given: Partial<Exchange> = {}) {
  const { answer } = exchange(second)
  return exchange(second, { answer: { ...answer!, status, body: { error } }, ...given })
}

/** An account that has moved 4 of 10 so many times. */
function outcome(times: number): MoneyOutcome {
  const moves = Array.from({ length: times }, (_, n) => ({
    ...{ activityId: `act_${n + 1}`, planId: `pln_${n + 1}` },
    ...{ intent: 'transfer asset_symbol=USDC', amounts: { amount: 4_000_000n } },
  }))
  const left = 10_000_000n - 4_000_000n * BigInt(times)
  return { accounts: [{ id: 'acc_a', holdings: { 'token/base/USDC': left }, moves }] }
}

function runOf(given: Partial<Run> & { exit?: number; hung?: boolean } = {}): Run {
  const { exit = 0, hung = false, ...others } = given
  return {
    rules: [],
    ending: { exit, hung, tookMs: 300, output: 'boom' },
    exchanges: [executed(1, 1), exchange(2)],
    outcome: outcome(1),
    ...others,
  }
}

const baseline = baselineOf(runOf())
const causes = (exchanges: Exchange[], given: Parameters<typeof runOf>[0]): string[] =>
  judgeRun(baseline, runOf({ exchanges, ...given }), { survivable: true }).map(({ cause }) => cause)
const kinds = (run: Run, survivable = true): string[] =>
  judgeRun(baseline, run, { survivable }).map(({ kind }) => kind)

test('default', () => {
  expect(kinds(runOf())).toEqual([])
})

test('behavior: moved_twice, also when the client failed, and instead of claimed_success and gave_up', () => {
  const [finding, ...others] = judgeRun(baseline, runOf({ outcome: outcome(2) }), {
    survivable: true,
  })
  expect(finding).toMatchObject({ kind: 'moved_twice', about: 'acc_a', until: 'act_2' })
  expect(finding!.message).toContain('2 times; without faults it did so once')
  expect(others).toEqual([])
  expect(kinds(runOf({ outcome: outcome(2), exit: 1 }))).toEqual(['moved_twice'])
})

test('behavior: claimed_success when the client ended with 0 and the money is elsewhere, and not with another exit code', () => {
  expect(kinds(runOf({ outcome: outcome(0) }))).toEqual(['claimed_success'])
  expect(kinds(runOf({ outcome: outcome(0), exit: 1 }), false)).toEqual([])
})

test('behavior: fees, interest and prices are within the tolerance of one in fifty, and no more', () => {
  const holding = (units: bigint): MoneyOutcome => {
    const [account] = outcome(1).accounts
    return { accounts: [{ ...account!, holdings: { 'token/base/USDC': units } }] }
  }
  expect(kinds(runOf({ outcome: holding(5_900_000n) }))).toEqual([])
  expect(kinds(runOf({ outcome: holding(5_800_000n) }))).toEqual(['claimed_success'])
})

test('behavior: accounts in which nothing ever happened are not compared', () => {
  const empty = { id: 'acc_lost', holdings: {}, moves: [] }
  expect(kinds(runOf({ outcome: { accounts: [empty, ...outcome(1).accounts] } }))).toEqual([])
})

test('behavior: gave_up only when all rules are survivable', () => {
  expect(kinds(runOf({ exit: 1 }))).toEqual(['gave_up'])
  expect(kinds(runOf({ exit: 1 }), false)).toEqual([])
})

test('behavior: left_behind when the clock had to move on after the last answer', () => {
  expect(kinds(runOf({ exchanges: [executed(1, 31), exchange(2)] }))).toEqual(['left_behind'])
  expect(kinds(runOf({ exchanges: [executed(1, 31), exchange(31)] }))).toEqual([])
})

test('behavior: hung, and neither gave_up nor left_behind besides', () => {
  expect(kinds(runOf({ hung: true, exit: 137, exchanges: [executed(1, 31)] }))).toEqual(['hung'])
})

test('behavior: hammered when retry-after is ignored, and not when it is waited for', () => {
  const limited = refused(3, 429, 'rate_limited')
  limited.answer!.headers = { 'retry-after': '1' }
  const early = exchange(3.5, { received_ms: 3_500 })
  const patient = exchange(4, { received_ms: 4_000 })
  const other = exchange(4, { received_ms: 3_500, url: '/activities/act_2' })
  expect(kinds(runOf({ exchanges: [executed(1, 1), limited, early] }))).toEqual(['hammered'])
  expect(kinds(runOf({ exchanges: [executed(1, 1), limited, other, patient] }))).toEqual([])
  // The end of an answer may be noted long after the client has it.
  limited.answer!.took_ms = 400
  expect(kinds(runOf({ exchanges: [executed(1, 1), limited, patient] }))).toEqual([])
})

test('behavior: a client that waits by the clock has waited, however little of real time that takes', () => {
  const limited = refused(3, 429, 'rate_limited')
  limited.answer!.headers = { 'retry-after': '1' }
  const skipped = exchange(4, { received_ms: 3_005 })
  expect(kinds(runOf({ exchanges: [executed(1, 1), limited, skipped] }))).toEqual([])
})

test('behavior: hammered by more than 50 refused requests within a second', () => {
  const burst = (count: number): Exchange[] =>
    Array.from({ length: count }, (_, n) =>
      refused(3, 500, 'internal_error', { received_ms: 3_000 + n }),
    )
  expect(kinds(runOf({ exchanges: [executed(1, 1), ...burst(51)] }))).toEqual(['hammered'])
  expect(kinds(runOf({ exchanges: [executed(1, 1), ...burst(50)] }))).toEqual([])
})

test('behavior: misused by a plan that was gone, but not when it had been executed before', () => {
  const gone = (second: number) =>
    refused(second, 404, 'plan_not_found', {
      ...{ method: 'POST', url: execute, body: { plan_id: 'pln_9', signature: '0x9' } },
    })
  const again = (second: number) =>
    refused(second, 404, 'plan_not_found', {
      ...{ method: 'POST', url: execute, body: { plan_id: 'pln_1', signature: '0x1' } },
    })
  expect(kinds(runOf({ exchanges: [gone(0), executed(1, 1), gone(2)] }))).toEqual(['misused'])
  expect(kinds(runOf({ exchanges: [gone(0), executed(1, 1)] }))).toEqual([])
  const untold = { ...gone(0), answer: { ...gone(0).answer!, cut: true } }
  expect(kinds(runOf({ exchanges: [untold, executed(1, 1), gone(2)] }))).toEqual([])
  expect(kinds(runOf({ exchanges: [executed(1, 1), again(2), again(3)] }))).toEqual([])
})

test('behavior: misused by the signature of another plan, unless both have one digest', () => {
  const planned = (plan_id: string, digest: string) =>
    exchange(0, { method: 'POST', notes: [{ at: at(0), type: 'plan', plan_id, digest }] })
  const other = (digest: string) => [
    planned('pln_1', '0xd1'),
    planned('pln_2', digest),
    executed(1, 1, { body: { plan_id: 'pln_2', signature: '0x1' } }),
    executed(2, 2),
  ]
  expect(kinds(runOf({ exchanges: other('0xd2') }))).toEqual(['misused'])
  expect(kinds(runOf({ exchanges: other('0xd1') }))).toEqual([])
})

test('behavior: misused by a cursor that went back, not by polls at once or by what the baseline does', () => {
  const poll = (second: number, since: number, cursor: number): Exchange => {
    const { answer } = exchange(second)
    const url = `/accounts/acc_a/events?poll=true&since=${since}`
    return exchange(second, { url, answer: { ...answer!, body: { events: [], cursor } } })
  }
  const back = [executed(1, 1), poll(2, 0, 5), poll(3, 5, 7), poll(4, 5, 7)]
  expect(kinds(runOf({ exchanges: back }))).toEqual(['misused'])
  const atOnce = [executed(1, 1), poll(2, 0, 5), poll(3, 5, 7), { ...poll(3, 5, 7), cursor: 4 }]
  expect(kinds(runOf({ exchanges: atOnce }))).toEqual([])
  const usual = baselineOf(runOf({ exchanges: back }))
  expect(judgeRun(usual, runOf({ exchanges: back }), { survivable: true })).toEqual([])
})

test('behavior: an intent is told with its asset and the name of its network', () => {
  const [account] = outcome(2).accounts
  const intent = 'supply chain_id=8453 asset_symbol=USDC market_type=COMET market=0xb1'
  const moves = account!.moves.map((move) => ({ ...move, intent }))
  const run = runOf({ outcome: { accounts: [{ ...account!, moves }] } })
  expect(judgeRun(baseline, run, { survivable: true })[0]!.message).toContain(
    'Account acc_a executed "supply USDC on base (market_type COMET, market 0xb1)" 2 times;',
  )
})

test('behavior: of several payments, the one that was made twice is named', () => {
  const paid = (...amounts: bigint[]): MoneyOutcome => {
    const moves = amounts.map((amount, n) => ({
      ...{ activityId: `act_${n + 1}`, planId: `pln_${n + 1}` },
      ...{ intent: 'transfer asset_symbol=USDC', amounts: { amount } },
    }))
    return { accounts: [{ id: 'acc_a', holdings: {}, moves }] }
  }
  const before = baselineOf(runOf({ outcome: paid(3_000_000n, 2_000_000n, 1_000_000n) }))
  const run = runOf({ outcome: paid(3_000_000n, 2_000_000n, 2_000_000n, 1_000_000n) })
  expect(judgeRun(before, run, { survivable: true })).toMatchObject([
    { kind: 'moved_twice', message: expect.stringMatching(/act_3 .*amount 2000000/) },
  ])
})

/** A request at which an effect fired. */
function met(second: number, effect: string, given: Partial<Exchange> = {}): Exchange {
  const { notes = [] } = given
  const fault = { at: at(second), type: 'fault', rule: 'fault_1', effect }
  return { ...exchange(second, given), notes: [fault, ...notes] }
}

const cut = { ...exchange(3).answer!, cut: true }

test('behavior: faults that a client cannot tell apart are one cause', () => {
  const gaveUp = { exit: 1 }
  for (const effect of ['request.reset_before', 'request.reset_after', 'request.truncate'])
    expect(causes([met(3, effect, { answer: cut })], gaveUp)).toEqual([
      'a request that has to be sent again',
    ])
  const error = { ...cut, cut: false, status: 500, body: { error: 'internal_error' } }
  for (const effect of ['request.respond', 'quote.http_error'])
    expect(causes([met(3, effect, { answer: error })], gaveUp)).toEqual([
      'a request that has to be sent again',
    ])
  for (const effect of ['events.delay', 'events.reorder'])
    expect(causes([met(3, effect)], gaveUp)).toEqual(['late or out-of-order events'])
  const stale = { ...error, status: 409, body: { error: 'plan_stale' } }
  expect(causes([met(3, 'plan.stale', { answer: stale })], gaveUp)).toEqual(['409 plan_stale'])
  const lost = (effect: string, answer = cut) => {
    const { notes, ...started } = executed(3, 3, { answer })
    return [met(3, effect, { ...started, notes })]
  }
  const twice = { outcome: outcome(2) }
  expect(causes(lost('execute.response_lost'), twice)).toEqual(['a lost response to an execution'])
  expect(causes(lost('request.respond', error), twice)).toEqual(['a lost response to an execution'])
  expect(causes([met(3, 'request.rate_limit')], twice)).toEqual(['a refused request'])
})

test('behavior: gave_up says which refusal or fault came last', () => {
  const message = (...exchanges: Exchange[]): string =>
    judgeRun(baseline, runOf({ exit: 1, exchanges }), { survivable: true })[0]!.message
  expect(message(refused(3, 500, 'internal_error'))).toContain(
    'The last refusal that it met was GET /activities/act_1 (500 internal_error).',
  )
  expect(message(met(3, 'events.delay'))).toContain(
    'The last fault was events.delay at GET /activities/act_1 (200).',
  )
})

test('behavior: gave_up shows the line of the output that names the error, or the last ones', () => {
  const message = (output: string): string => {
    const ending = { exit: 1, hung: false, tookMs: 1, output }
    return judgeRun(baseline, runOf({ ending }), { survivable: true })[0]!.message
  }
  expect(message('x\nSvcError: 500 no\n  at a (b:1:2)\n}\n\nNode.js v20\n')).toMatch(
    /It wrote: SvcError: 500 no$/,
  )
  expect(message('a\nb\n\nc\nd\n')).toMatch(/It wrote: b \| c \| d$/)
})

test('behavior: hung says what the client asked last, for how long, and which faults there were', () => {
  const message = (exchanges: Exchange[], tookMs = 10_000): string => {
    const ending = { exit: 137, hung: true, tookMs, output: '' }
    return judgeRun(baseline, runOf({ exchanges, ending }), { survivable: false })[0]!.message
  }
  const waiting = met(2, 'request.hang', { answer: { ...cut, took_ms: 9_000 } })
  expect(message([exchange(1), waiting])).toBe(
    'The client had not ended after 10.0 s, and was stopped; without faults it takes 0.3 s. It was waiting for the response to GET /activities/act_1, for 9.0 s. Faults that fired before: request.hang.',
  )
  const ending = { exit: 137, hung: true, tookMs: 10_000, output: '' }
  expect(causes([exchange(1), waiting], { ending })).toEqual(['a response that does not come'])
  expect(causes([exchange(1)], { ending })).toEqual(['after GET /activities/* (200)'])
  expect(message([exchange(1), exchange(2)])).toContain(
    'After its last request, GET /activities/act_1 (200), it sent nothing for about 9.0 s.',
  )
  expect(message([executed(1, 1), exchange(10), exchange(11)])).toContain(
    'It was still sending requests: GET /activities/act_1 (200) 2 times.',
  )
  const { notes, ...others } = executed(1, 1)
  expect(message([{ ...others, notes: notes.slice(0, 2) }])).toContain(
    'Activity act_1 had not ended by then.',
  )
})

test('behavior: a client that polls on is not waiting, and the poll that ends with it was cut by no fault', () => {
  const delivery = (of: number, cursor: number, activity_status: string) => ({
    ...{ at: at(1), type: 'delivery', account_id: 'acc_a', of, cursor, activity_status },
    activity_id: 'act_1',
  })
  const { notes, ...others } = executed(1, 1)
  const reordered = met(1, 'events.reorder', {
    ...others,
    notes: [...notes, delivery(2, 2, 'confirmed'), delivery(1, 3, 'pending')],
  })
  const poll = (second: number, given: Partial<Exchange> = {}) =>
    exchange(second, { url: `/accounts/acc_a/events?since=${second}`, ...given })
  const ending = { exit: 137, hung: true, tookMs: 10_000, output: '' }
  for (const took_ms of [300, 3_000]) {
    const stopped = poll(11 - took_ms / 1000, { answer: { ...cut, took_ms } })
    const exchanges = [reordered, poll(2), poll(5), stopped]
    const [finding] = judgeRun(baseline, runOf({ exchanges, ending }), { survivable: true })
    expect(finding).toEqual({
      ...{ kind: 'hung', cause: 'late or out-of-order events', about: 'acc_a' },
      at: 'events.reorder at POST /accounts/*/plan/execute (200)',
      message: [
        'The client had not ended after 10.0 s, and was stopped; without faults it takes 0.3 s.',
        'It was still sending requests: GET /accounts/acc_a/events (200) 3 times.',
        'Of activity act_1, event 2 (confirmed) came before event 3 (pending).',
        'Faults that fired before: events.reorder.',
      ].join(' '),
    })
  }
})

test('behavior: hammered shows the refusal and the retry, and names the fault that refused', () => {
  const limited = met(3, 'request.rate_limit', refused(3, 429, 'rate_limited'))
  limited.answer!.headers = { 'retry-after': '1' }
  const lost = executed(1, 1, { answer: cut })
  const other = met(1, 'execute.response_lost', lost)
  expect(
    judgeRun(baseline, runOf({ exchanges: [other, limited, exchange(3.1)] }), { survivable: true }),
  ).toMatchObject([
    {
      ...{ kind: 'hammered', about: 'req_3', and: 'req_3.1' },
      at: 'request.rate_limit at GET /activities/* (429 rate_limited)',
    },
  ])
})

test('behavior: rewards that accrue while the clock skips are no finding, and neither is any other gain; a loss of them is', () => {
  const holding = (key: string, units: bigint): MoneyOutcome => {
    const [account] = outcome(1).accounts
    return { accounts: [{ ...account!, holdings: { ...account!.holdings, [key]: units } }] }
  }
  const reward = 'reward/base/COMP'
  const with_ = baselineOf(runOf({ outcome: holding(reward, 1_000n) }))
  const judged = (units: bigint) =>
    judgeRun(with_, runOf({ outcome: holding(reward, units) }), { survivable: true })
  expect([judged(5_000n), judged(600n)]).toEqual([[], []])
  expect(judged(100n)).toMatchObject([{ kind: 'claimed_success' }])
  expect(kinds(runOf({ outcome: holding('token/base/WETH', 7n) }))).toEqual([])
})

test('behavior: lost_track: after a failure 0 with less than asked, and an execution of which nobody knows the end', () => {
  const recovers = { survivable: false, recoverable: true }
  const failed = executed(1, 1, {
    notes: [
      { at: at(1), type: 'activity', activity_id: 'act_1' },
      { at: at(1), type: 'event', activity_id: 'act_1', cursor: 2, activity_status: 'failed' },
    ],
  })
  const less = runOf({ exchanges: [failed, exchange(2)], outcome: outcome(0) })
  expect(judgeRun(baseline, less, recovers)).toMatchObject([
    { kind: 'lost_track', cause: 'a failed activity taken for done', about: 'act_1' },
  ])
  const loud = { ...less, ending: { ...less.ending, exit: 1 } }
  expect(judgeRun(baseline, loud, recovers)).toEqual([])
  const early = runOf({ exit: 1, exchanges: [executed(1, 600)], outcome: outcome(0) })
  expect(judgeRun(baseline, early, recovers)).toMatchObject([{ kind: 'lost_track' }])
})

test('behavior: impatient: a folio given up before 30 s, and a long poll for which the client failed', () => {
  const held = (url: string, seconds: number, given: { exit?: number; hung?: boolean } = {}) => {
    const answer = { ...exchange(2).answer!, cut: true, took_ms: seconds * 1000 }
    const notes = [{ at: at(2), type: 'fault', effect: 'request.hang', rule: 'r' }]
    const run = runOf({
      ...given,
      exchanges: [executed(1, 1), exchange(2, { url, answer, notes })],
    })
    return judgeRun(baseline, run, { survivable: false }).map(
      ({ kind, cause }) => `${kind} ${cause}`,
    )
  }
  const [folio, poll] = ['/accounts/acc_a/folio', '/accounts/acc_a/events?since=1&poll=true']
  expect(held(folio, 10)).toEqual(['impatient a folio that takes 30 s'])
  expect(held(folio, 31)).toEqual([])
  expect(held('/networks', 10)).toEqual([])
  expect(held(poll, 10)).toEqual([])
  expect(held(poll, 10, { exit: 1 })).toEqual(['impatient a long poll that takes 30 s'])
  expect(held(folio, 10, { hung: true })).not.toContain('impatient a folio that takes 30 s')
})

test('behavior: colours and the E of pytest are left out of the last words', () => {
  const red = '\u001b[31mE   ValueError: no luck\u001b[0m\nmore\n'
  const run = runOf({ exit: 1, exchanges: [refused(1, 500, 'internal_error')] })
  const [found] = judgeRun(
    baseline,
    { ...run, ending: { ...run.ending, output: red } },
    { survivable: true },
  )
  expect(found!.message).toContain('It wrote: E   ValueError: no luck')
})

test('behavior: holdings are named in whole tokens', () => {
  const [account] = outcome(1).accounts
  const less = { accounts: [{ ...account!, holdings: { 'token/base/USDC': 1_500_000n } }] }
  const [found] = judgeRun(baseline, runOf({ outcome: less }), { survivable: true })
  expect(found!.message).toContain(
    'holds 1.5 USDC on base (token/base/USDC); without faults it holds 6 USDC on base',
  )
})

test('behavior: bridge.partial is named as what took the money, with its part and what to do', () => {
  const rules = [{ on: 'bridge', effect: { partial: { percent: 60 } }, times: 1 }] as const
  const run = runOf({ rules, outcome: outcome(0) })
  const [found] = judgeRun(baseline, run, { survivable: false })
  expect(found).toMatchObject({ kind: 'claimed_success' })
  expect(found!.message).toContain('The bridge kept 40 % of what it should have delivered')
  expect(kinds(run)).toEqual(['claimed_success'])
  expect(
    judgeRun(baseline, runOf({ outcome: outcome(0) }), { survivable: false })[0]!.message,
  ).not.toContain('bridge kept')
})

test('behavior: after a restart an earlier cursor is right, and 429 of an earlier life is not known; money moved twice is its own cause', () => {
  const note = { at: at(3), type: 'fault', rule: 'fault_1', effect: 'request.crash' }
  const last = exchange(3, { notes: [note], answer: { ...exchange(3).answer!, cut: true } })
  const poll = (second: number, since: number, cursor: number): Exchange =>
    exchange(second, {
      url: `/accounts/acc_a/events?since=${since}`,
      answer: { ...exchange(second).answer!, body: { events: [], cursor } },
    })
  const limited = refused(2, 429, 'rate_limited', { url: '/networks' })
  limited.answer!.headers = { 'retry-after': '60' }
  const again = exchange(4, { url: '/networks' })
  const lives = [executed(1, 1), poll(1, 0, 2), limited, last, again, poll(5, 0, 2)]
  expect(kinds(runOf({ exchanges: lives }))).toEqual([])
  const one = lives.filter((each) => each !== last)
  expect(kinds(runOf({ exchanges: one }))).toEqual(['hammered', 'misused'])
  expect(causes(lives, { outcome: outcome(2) })).toEqual(['a restart'])
})

test('behavior: lost_track names the read that said failed, and ends there: the activity, a list, or events', () => {
  const event = { type: 'event', activity_id: 'act_1', cursor: 2, activity_status: 'failed' }
  const failed = executed(1, 1, { notes: [{ at: at(1), ...event }] })
  const said = { activity_id: 'act_1', activity_status: 'failed' }
  const found = (body: object, url = '/activities/act_1') => {
    const read = exchange(3, { url, answer: { ...exchange(3).answer!, body } })
    const run = runOf({ exchanges: [failed, exchange(2), read, exchange(4)], outcome: outcome(0) })
    return judgeRun(baseline, run, { survivable: false, recoverable: true })[0]!
  }
  for (const body of [said, { activities: [said] }, { events: [{ data: said }] }])
    expect(found(body)).toMatchObject({
      message: expect.stringContaining('failed: GET /activities/act_1 had returned "failed"'),
      until: 'req_3',
    })
  const unread = found({ ...said, activity_id: 'act_2' })
  expect(unread.message).toContain('failed: it never read that')
  expect(unread).not.toHaveProperty('until')
})
