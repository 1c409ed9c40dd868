import { expect, test } from 'vitest'
import { whySchema } from '../../../../observe/journal/whySchema.js'
import { elementOf, findingsOf, shownUrl } from './elements.js'
import { layoutOf, shownGap } from './layout.js'

const moment = (type: string, title = '', details: Record<string, unknown> = {}, at = 0) => ({
  at: new Date(at * 1000).toISOString(),
  request_id: 'req_1' as string | null,
  cursor: 1 as number | null,
  type,
  title,
  details,
})
const deposit = (network: string, depositId: string) =>
  moment('transaction', '', {
    activity_id: 'act_1',
    network,
    status: 'mined',
    gas_used: '228027',
    operations: [{ function: 'deposit' }],
    logs: [{ event: 'FundsDeposited', args: { depositId } }],
  })
const bridge = (from: string, deposit_id: string, status: string, at = 0) =>
  moment('bridge', '', { activity_id: 'act_1', from, to: 'base', deposit_id, status }, at)

test('default: sources stand left of destinations, each moment below the one before', () => {
  const { lanes, elements, height } = layoutOf([
    moment('request', 'POST /accounts/acc_000000000000/plan/earn'),
    moment('plan', '', { kind: 'earn', operations: [{ network: 'base' }, { network: 'polygon' }] }),
    deposit('polygon', '3'),
    moment('answer', '201'),
  ])
  expect(lanes).toEqual(['client', 'service', 'polygon', 'base'])
  expect(elements.map(({ label, sub, at, tone }) => [label, sub, at, tone])).toEqual([
    ['POST plan/earn', undefined, 'service', 'plain'],
    ['plan earn', '2 operations', 'service', 'plain'],
    ['deposit', 'mined, 228,027 gas', 'polygon', 'good'],
    ['201', undefined, 'client', 'good'],
  ])
  const ys = elements.map(({ y }) => y)
  expect(ys).toEqual(ys.toSorted((a, b) => a - b))
  expect(height).toBeGreaterThan(ys.at(-1)!)
})

test('behavior: an event waits in its queue until a read brings it to the client', () => {
  const { lanes, elements } = layoutOf([
    moment('event', 'event 1', { activity_status: 'confirmed' }),
    moment('event', 'event 2', { activity_status: 'pending', delivered: false }),
    moment('answer', '200', { status: 200, events: ['act_1 is confirmed'] }),
  ])
  expect(lanes).toEqual(['client', 'service', 'events'])
  expect(elements.map(({ label, sub, from, at }) => [label, sub, from, at])).toEqual([
    ['event: confirmed', undefined, 'service', 'events'],
    ['event: pending', 'not delivered', undefined, 'service'],
    ['200', 'event: confirmed', 'events', 'client'],
  ])
})

test('behavior: the times of folded reads are no networks', () => {
  const times = { from: '2026-01-01T00:00:00.000Z', to: '2026-01-01T00:09:00.000Z' }
  const { lanes } = layoutOf([moment('reads', 'GET folio, 9 times', { times: 9, ...times })])
  expect(lanes).toEqual(['client', 'service'])
})

test('behavior: a bridge under way is an open curve to its destination, and a fill says what has arrived', () => {
  const outputToken = `0x${'0'.repeat(24)}${'ab'.repeat(20)}`
  const sent = deposit('polygon', '7')
  sent.details.logs = [
    {
      event: 'FundsDeposited',
      args: { depositId: '7', destinationChainId: '8453', outputAmount: '5000000', outputToken },
    },
  ]
  const names = {
    networkOf: (id: string) => (id === '8453' ? 'base' : id),
    money: (...said: string[]) => said.join(' '),
  }
  const underWay = layoutOf([sent], names)
  expect(underWay.lanes).toEqual(['client', 'service', 'polygon', 'base'])
  expect(underWay.crossings).toEqual([
    { from: 'polygon', to: 'base', fromY: 40, toY: 66, tone: 'warn', isOpen: true },
  ])
  const filled = bridge('polygon', '7', 'filled')
  Object.assign(filled.details, { output_amount: '5000000' })
  const { crossings, elements } = layoutOf([sent, filled], names)
  expect(crossings.map(({ isOpen }) => isOpen)).toEqual([undefined])
  expect(elements[1]!.sub).toBe(`base 0x${'ab'.repeat(20)} 5000000`)
  // A restore has undone it: the money is still on its way.
  Object.assign(filled.details, { undone_by: 'snp_1' })
  const again = layoutOf([sent, filled], names)
  expect(again.crossings.map(({ isOpen }) => isOpen)).toEqual([true])
  expect(again.elements[1]).toMatchObject({ sub: 'undone by a restore', tone: 'dim' })
})

test('behavior: a fill comes from its own deposit, not from another of that number', () => {
  const { crossings, elements } = layoutOf([
    deposit('polygon', '0'),
    deposit('mainnet', '0'),
    deposit('polygon', '1'),
    bridge('polygon', '1', 'filled'),
    bridge('mainnet', '0', 'filled'),
    bridge('mainnet', '9', 'failed'),
  ])
  const row = (y: number) => elements.findIndex((element) => element.y === y)
  expect(crossings.map(({ fromY, toY, tone }) => [row(fromY), row(toY), tone])).toEqual([
    [2, 3, 'good'],
    [1, 4, 'good'],
    // Its deposit has left the journal.
    [5, 5, 'bad'],
  ])
})

test('behavior: time that passes and lives that end are lines through all lanes', () => {
  const { dividers, elements } = layoutOf([
    moment('request', 'GET /x', {}, 0),
    moment('answer', '200', {}, 121),
    moment('reset', 'reset to the start', {}, 0),
    moment('request', 'GET /x', {}, 0),
  ])
  expect(dividers.map(({ text, isEnd }) => [text, isEnd])).toEqual([
    ['2 m 1 s later', false],
    ['reset to the start', true],
  ])
  expect(elements.map(({ index }) => index)).toEqual([0, 1, 3])
})

test('behavior: requests that overlap stand beside each other; one without an answer lasts to the end', () => {
  // With a seed, they may have one id on both sides of a restore.
  const of = (cursor: number, type: string) => ({ ...moment(type, '200'), cursor })
  const { spans, elements } = layoutOf([
    of(1, 'request'),
    of(2, 'request'),
    of(1, 'answer'),
    of(3, 'request'),
    of(3, 'answer'),
  ])
  expect(spans.map(({ depth }) => depth)).toEqual([0, 1, 0])
  expect(spans[1]!.bottom).toBe(elements.at(-1)!.y)
})

test('behavior: nothing at all, and facts that were left out for their size', () => {
  expect(layoutOf([])).toMatchObject({ lanes: ['client', 'service'], elements: [], spans: [] })
  const { elements } = layoutOf([moment('plan', '', { kind: 'loop' }), moment('transaction')])
  expect(elements.map(({ label, sub }) => [label, sub])).toEqual([
    ['plan loop', 'many operations'],
    ['sent', 'sent'],
  ])
})

test('behavior: the moments at which something went wrong: causes first, then rules and refusals with what they say', () => {
  const why = {
    id: 'pln_1',
    related: { account_id: null, plan_id: null, activity_id: null, svc_intent_id: null },
    timeline: [
      moment('request', 'POST /accounts/acc_000000000000/plan/execute'),
      moment('fault', '', { rule: 'moved', effect: 'plan.stale' }),
      moment('answer', '409 plan_stale', { status: 409, message: 'stale', hint: 'plan again' }),
      moment('cause', 'a rule used up the nonce'),
    ],
    activity: null,
    now: 'stale',
    verdict: { outcome: 'stale' as const, cause: null, next: 'make a new plan' },
    is_complete: true,
  }
  expect(findingsOf(why).map(({ title, text, index }) => [title, text, index])).toEqual([
    ['Cause', 'a rule used up the nonce', 3],
    ['Fault moved fired', 'plan.stale', 1],
    ['POST plan/execute: 409 plan_stale', 'stale', 2],
  ])
  expect(findingsOf({ ...why, timeline: [] })).toEqual([])
  // What a restore has undone went wrong in another life.
  const undone = why.timeline.map((each) => ({
    ...each,
    details: { ...each.details, undone_by: 'snp_1' },
  }))
  expect(findingsOf({ ...why, timeline: undone })).toEqual([])
  // The plan can be executed again, or has been since.
  for (const outcome of ['ready', 'pending', 'confirmed', 'failed'] as const)
    expect(findingsOf({ ...why, verdict: { ...why.verdict, outcome } })[0]).toMatchObject({
      ...{ tone: 'plain', title: 'Cause of an earlier refusal', text: 'a rule used up the nonce' },
    })
})

test('behavior: every cause that `why` knows has a label; only an unknown one is called so', () => {
  const { cause } = whySchema.shape.verdict.shape
  const text = cause.unwrap().shape.cause.description!.replace(/ \(.*?\)/g, '')
  const causes = text.slice(0, -1).split(/, (?:or )?/)
  expect(causes.length).toBeGreaterThan(13)
  const labels = causes.map((each) => elementOf(moment('cause', '', { cause: each })).label)
  expect(labels.filter((label) => label === 'unknown')).toEqual(['unknown'])
  expect(causes.indexOf('unknown')).toBe(labels.indexOf('unknown'))
  const early = moment('expiry', 'plan pln_1 expired', { at: '2026-01-01T00:00:00Z' })
  expect(elementOf(early)).toMatchObject({ label: 'plan expired', sub: '2026-01-01T00:00:00Z' })
})

test('behavior: words', () => {
  expect(['GET /networks', 'GET /activities/act_1'].map(shownUrl)).toEqual([
    'GET networks',
    'GET activities/act_1',
  ])
  expect([100, 2_500, 125_000, 7_260_000].map(shownGap)).toEqual([
    '0.1 s later',
    '2.5 s later',
    '2 m 5 s later',
    '2 h 1 m later',
  ])
})
