import { expect, test } from 'vitest'
import { scenarioOfJournal } from './fromJournal.js'
import { reasonNotPlayed } from './leftOut.js'
import { OlderAccountsError, playPart, SeveralRunsError } from './playPart.js'
import { ofOlderAccounts, playTitle } from './requestFacts.js'
import type { SavedRequest } from './savedRun.js'

const [acc, other] = ['acc_000000000001', 'acc_000000000002']
const [pln, stale] = ['pln_000000000001', 'pln_000000000002']
const wallet = `0x${'Ab'.repeat(20)}`

/** Exchanges at the cursors 10, 20, 30... */
function journal(...asked: [string, object?, object?, number?, object[]?][]): SavedRequest[] {
  return asked.map(([line, body, answered, status = 200, notes = []], place) => {
    const [method = '', url = ''] = line.split(' ')
    const cursor = (place + 1) * 10
    return {
      ...{ cursor, request_id: `req_${cursor}`, method, url, body, at: '', headers: {} },
      notes: notes.map((note) => ({ order: cursor + 1, type: '', ...note })),
      answer: { at: '', status, body: answered, cut: false },
    }
  })
}

const part = (
  all: readonly SavedRequest[],
  isWanted?: (each: SavedRequest) => boolean,
  marks: { order: number; taken?: number }[] = [],
  until?: number,
) => playPart({ all, marks, until, isWanted })

const cursorsOf = ({ exchanges }: { exchanges: SavedRequest[] }) =>
  exchanges.map(({ cursor }) => cursor)

const isRefused = ({ answer }: SavedRequest): boolean => answer?.status === 409

test('default: what a wanted exchange needs is kept: its account, funds, plan and changes of the world; others are not', () => {
  const all = journal(
    ['POST /accounts', {}, { account_id: other }],
    ['POST /accounts', {}, { account_id: acc, svc_wallet_address: wallet }],
    ['POST /_sim/fund', { account_id: other }, {}],
    ['POST /_sim/fund', { account_id: acc }, {}],
    ['PUT /_sim/prices/ETH', { usd: '1' }, {}],
    ['POST /_sim/clock/advance', { seconds: -1 }, {}, 400],
    ['POST /_sim/clock/freeze', {}, {}],
    [`POST /_sim/events/again`, { account_id: other }, {}],
    [`POST /accounts/${acc}/plan/earn`, {}, { plan_id: 'pln_000000000009' }],
    [`POST /accounts/${acc}/plan/earn`, {}, { plan_id: pln }],
    [`POST /accounts/${acc}/plan/execute`, { plan_id: pln }, { error: 'plan_stale' }, 409],
    [`POST /accounts/${acc}/plan/earn`, {}, {}],
  )
  const found = part(all, isRefused)
  expect(cursorsOf(found)).toEqual([20, 40, 50, 100, 110])
  expect(playTitle(found.focus!, all)).toBe('earn: plan_stale')
  expect(cursorsOf(part(all, () => false))).toEqual([])
})

test.each([
  [
    '/activities/act_000000000001',
    { activity_status: 'pending' },
    'activities: pending, bridge.delay',
  ],
  [`/accounts/${acc}/events?since=0`, { events: [] }, 'events: bridge.delay'],
  [
    `/accounts/${acc}/events`,
    { events: [{ data: { activity_status: 'pending' } }, { data: { activity_status: 'failed' } }] },
    'events: failed, bridge.delay',
  ],
  [`/accounts/${acc}/folio`, {}, 'folio: bridge.delay'],
])(
  'behavior: a read of %s is named after what it showed and the faults of its run',
  (url, body, title) => {
    const fault = { type: 'fault', rule: 'late', effect: 'bridge.delay' }
    const all = journal(
      ['POST /accounts', {}, { account_id: acc }],
      [`POST /accounts/${acc}/plan/execute`, {}, {}, 200, [fault, { ...fault, order: 22 }]],
      [`GET ${url}`, undefined, body],
    )
    const { focus, exchanges } = part(all)
    expect(playTitle(focus!, all, exchanges)).toBe(title)
    expect(playTitle(focus!, all)).toBe(title.replace(/(, |: )bridge.delay/, ''))
  },
)

test('behavior: so are the executions that moved its money, or made its plan stale, with the account that sent them', () => {
  const execute = [{ type: 'activity' }]
  const all = journal(
    ['POST /accounts', {}, { account_id: acc, svc_wallet_address: wallet }],
    ['POST /accounts', {}, { account_id: other }],
    [`POST /accounts/${other}/plan/transfer`, { recipient: wallet }, { plan_id: pln }],
    [`POST /accounts/${other}/plan/execute`, { plan_id: pln }, {}, 200, execute],
    [`POST /accounts/${other}/plan/execute`, { plan_id: stale }, {}, 409],
    [`POST /accounts/${acc}/plan/transfer`, {}, {}, 400],
  )
  const found = part(all, ({ answer }) => answer?.status === 400)
  expect(cursorsOf(found)).toEqual([10, 20, 30, 40, 60])
  const caused = journal(
    ['POST /accounts', {}, { account_id: other }],
    [`POST /rpc/base`, { method: 'evm_mine' }],
    [`POST /accounts/${other}/plan/borrow`, {}, {}],
    [`POST /accounts/${acc}/plan/execute`, {}, {}, 409, [{ type: 'stale', by_request: 'req_30' }]],
  )
  expect(cursorsOf(part(caused, isRefused))).toEqual([10, 20, 30, 40])
})

test('behavior: a rule is kept when it hit what is kept, and narrowed to it; one that counts calls comes right before its hit', () => {
  const hit = { type: 'fault', rule: 'r', effect: 'plan.stale', settings: { by: 'price' } }
  const rule = { id: 'r', on: 'plan', effect: 'x', match: {}, after: 0, times: 5, seen: 0, hits: 0 }
  const planned = `POST /accounts/${acc}/plan/swap`
  const made = (given: object) =>
    journal(
      ['POST /accounts', {}, { account_id: acc }],
      ['POST /_sim/faults', {}, { ...rule, id: 'idle' }],
      ['POST /_sim/faults', {}, { ...rule, ...given }],
      ['PUT /_sim/faults', [], { faults: [{ ...rule, ...given }] }],
      [planned, {}, {}, 200, [{ ...hit, carried: true }]],
      [planned, {}, {}, 409, [hit]],
      ['DELETE /_sim/faults/r'],
      ['DELETE /_sim/faults/idle'],
      [planned, {}, {}, 409],
    )
  const rulesOf = (given: object) =>
    part(made(given))
      .exchanges.slice(1)
      .map(({ method, url, answer }) =>
        /faults/.test(url) && method === 'POST' ? answer!.body : method,
      )
  const narrowed = { id: 'r', on: 'plan', match: { account_id: acc, kind: 'swap' }, times: 1 }
  expect(rulesOf({})).toEqual([{ ...narrowed, effect: 'x' }, 'POST', 'POST', 'DELETE', 'POST'])
  const placed = { ...narrowed, effect: { stale: { by: 'price' } } }
  for (const given of [{ after: 1 }, { probability: 0.5 }, { sequence: ['ok', 'stale'] }])
    expect(rulesOf(given)).toEqual(['POST', placed, 'POST', 'DELETE', 'POST'])
  // The last one that is wanted was hit as well, and what a fault changed before still counts.
  expect(cursorsOf(part(made({}).slice(0, 6), isRefused))).toEqual([10, 40, 50, 60])
  const changed = journal(...[200, 400].map((status) => [planned, {}, {}, status, [hit]] as never))
  expect(part(changed, ({ answer }) => answer?.status === 400).exchanges).toHaveLength(4)
  // The program itself added this one.
  const added = journal(
    ['POST /accounts', {}, { account_id: acc }],
    [planned, {}, {}, 200, [{ ...hit, only: 'base' }]],
  )
  expect(part(added).exchanges[1]!.answer!.body).toEqual({
    ...placed,
    match: { ...placed.match, network: 'base' },
  })
  // Of several hits each has a rule, whose id is free.
  const twice = journal(
    ['POST /_sim/faults', {}, { ...rule, sequence: ['x', 'x'] }],
    ...[400, 400].map((status) => [planned, {}, {}, status, [hit]] as never),
  )
  expect(part(twice).exchanges.map(({ answer }) => (answer!.body as { id?: string }).id)).toEqual([
    'r',
    undefined,
    'r_2',
    undefined,
  ])
  // No account of the play: a rule for it could never fire.
  const strange = `POST /accounts/${other}/plan/swap`
  const unknown = journal(
    ['POST /_sim/faults', {}, { ...rule, times: undefined }],
    [strange, {}, {}, 403, [{ ...hit, settings: undefined }]],
  )
  expect(part(unknown).exchanges[0]!.answer!.body).toMatchObject({ match: { kind: 'swap' } })
  expect(JSON.stringify(part(unknown).exchanges[0]!.answer!.body)).not.toContain(other)
  // The wait for an execution reads its activity, so the rule comes after it.
  const read = (given: object, effect: string) =>
    part(
      journal(
        ['POST /_sim/faults', {}, { ...rule, on: 'answer', ...given }],
        ['GET /accounts'],
        [`GET /activities/act_000000000001`, undefined, {}, 200, [{ ...hit, effect }]],
      ),
    ).exchanges.map(({ url }) => url.split('/')[1])
  expect(read({ times: undefined }, 'answer.other_times')).toEqual([
    '_sim',
    'accounts',
    'activities',
  ])
  for (const [given, effect] of [
    [{ times: 3 }, 'answer.other_times'],
    [{ times: undefined }, 'answer.pending_first'],
    [{ times: undefined, on: 'request' }, 'request.timeout'],
  ] as const)
    expect(read(given, effect)).toEqual(['accounts', '_sim', 'activities'])
})

test('behavior: a run is what led to its end, also before the snapshot that it began with', () => {
  const all = journal(
    ['POST /accounts', {}, { account_id: acc }],
    ['POST /_sim/snapshots', {}, { id: 'snp_1' }],
    [`POST /accounts/${acc}/plan/swap`, {}, {}, 409],
    ['POST /_sim/snapshots/snp_1/restore', {}, {}],
    [`POST /accounts/${acc}/plan/earn`, {}, {}],
    ['POST /_sim/snapshots/snp_1/restore', {}, {}],
    ['POST /_sim/prices/ETH', {}, {}],
  )
  const marks = [41, 61].map((order) => ({ order, taken: 21 }))
  expect(cursorsOf(part(all, undefined, marks, 30))).toEqual([10, 30])
  expect(cursorsOf(part(all, isRefused, marks))).toEqual([10, 30])
  expect(cursorsOf(part(all, undefined, marks, 50))).toEqual([10, 50])
  const choose = () => part(all, undefined, marks)
  expect(choose).toThrow(SeveralRunsError)
  try {
    choose()
  } catch (error) {
    const { ends } = error as SeveralRunsError<SavedRequest>
    expect(ends.map(({ cursor }) => cursor)).toEqual([30, 50])
  }
})

test('behavior: the end of an execution belongs to it, with the moves of time until then, but not beyond a restore', () => {
  const ended = [{ type: 'event', activity_status: 'failed', order: 45 }]
  const all = journal(
    [`POST /accounts/${acc}/plan/execute`, {}, {}, 200, ended],
    [`POST /accounts/${acc}/plan/earn`, {}, {}],
    ['POST /_sim/clock/advance', { seconds: 1 }, {}],
    ['POST /_sim/clock/advance', { seconds: 2 }, {}],
    ['POST /_sim/clock/advance', { seconds: 3 }, {}],
  )
  const isExecution = ({ url }: SavedRequest): boolean => url.endsWith('execute')
  for (const found of [part(all, isExecution), part(all, undefined, [], 10)]) {
    expect(cursorsOf(found)).toEqual([10, 30, 40])
    expect(found.end).toBe(45)
  }
  expect(part(all, isExecution, [{ order: 35 }]).end).toBe(10)
})

test('behavior: what restores have undone is no part of what they have kept', () => {
  const bought = { type: 'event', activity_status: 'confirmed' }
  const all = journal(
    ['POST /accounts', {}, { account_id: acc }],
    [
      `POST /accounts/${acc}/plan/execute`,
      {},
      {},
      200,
      [{ type: 'activity' }, { ...bought, order: 45 }],
    ],
    ['POST /_sim/snapshots', {}, { id: 'snp_1' }],
    ['DELETE /_sim/faults', undefined, {}],
    ['POST /_sim/snapshots/snp_1/restore', {}, {}],
    ['POST /_sim/clock/advance', { seconds: 5 }, {}],
  )
  const marks = [{ order: 51, taken: 31 }]
  const isExecution = ({ url }: SavedRequest): boolean => url.endsWith('execute')
  const found = part(all, isExecution, marks)
  expect(cursorsOf(found)).toEqual([10, 20])
  expect(playTitle(found.focus!, all)).toBe('execute')
  expect([20, 51].map((until) => part(all, isExecution, marks, until).end)).toEqual([21, 21])
  // Saved up to a place of the other run, it had that end.
  expect(part(all, isExecution, marks, 40).end).toBe(45)
  const later = [...all]
  later[1] = { ...all[1]!, notes: [...all[1]!.notes, { ...bought, order: 65 }] }
  expect(cursorsOf(part(later, isExecution, marks))).toEqual([10, 20, 60])
})

test('error: what depends on accounts that are older than the journal is refused; reads and refusals of theirs beside it are left out', () => {
  const [body, status] = [{ account_id: acc, signer_address: wallet }, 201] as const
  const mine = journal(
    ['GET /accounts', undefined, { accounts: [{ account_id: other }] }],
    [`GET /accounts/${other}/folio`, undefined, {}],
    [`POST /accounts/${other}/plan/earn`, {}, { error: 'plan_failed' }, 400],
    ['POST /accounts', { signer_address: '0x1' }, { error: 'account_already_exists' }, 409],
    ['POST /_sim/fund', { account_id: other }, {}],
    ['GET /accounts/acc_000000000009', undefined, { error: 'account_not_found' }, 404],
    ['GET /activities/act_000000000009', undefined, {}],
    ['POST /accounts', body, body, status],
    ['POST /accounts', body, { error: 'account_already_exists' }, 409],
    [`POST /accounts/${acc}/plan/earn`, {}, { plan_id: pln }, status],
    [`POST /accounts/${acc}/plan/earn`, {}, { error: 'plan_failed' }, 400],
  )
  const save = (all: SavedRequest[], isWanted?: (each: SavedRequest) => boolean, until?: number) =>
    playPart({ all, marks: [], until, isWanted, older: ofOlderAccounts(all) })
  const whole = save(mine)
  expect(cursorsOf(whole)).toEqual([10, 60, 80, 90, 100, 110])
  expect(whole.leftOut.map(([{ cursor }, of]) => [cursor, of])).toEqual([
    [20, other],
    [30, other],
    [40, '0x1'],
    [50, other],
    [70, 'act_000000000009'],
  ])
  expect(whole.focus?.cursor).toBe(110)
  const last = journal(
    ['POST /accounts', body, body, status],
    [`GET /accounts/${acc}/folio`, undefined, {}],
    [`POST /accounts/${other}/plan/earn`, {}, { error: 'plan_failed' }, 400],
  )
  expect(() => save(last)).toThrow(`depend on ${other}`)
  expect(() => save([last[0]!, mine[1]!])).toThrow(`depend on ${other}`)
  expect(cursorsOf(save([last[0]!, last[1]!, { ...mine[1]!, cursor: 25 }]))).toEqual([10, 20])
  const isOf = (id: string) => (each: SavedRequest) => each.url.includes(id)
  expect(cursorsOf(save(mine, isOf(acc)))).toEqual([80, 100, 110])
  expect(() => save(mine, isOf(other))).toThrow(OlderAccountsError)
  expect(() => save(mine, undefined, 30)).toThrow(`depend on ${other}`)
  expect(() => save(mine.slice(1, 3))).toThrow(OlderAccountsError)
  // An older account that has paid the new one.
  const paid = journal(
    ['POST /accounts', body, body, status],
    [`POST /accounts/${other}/plan/execute`, {}, {}, 200, [{ type: 'activity' }]],
    [`POST /accounts/${acc}/plan/earn`, {}, { plan_id: pln }, status],
  )
  expect(() => save(paid)).toThrow(OlderAccountsError)
})

test('behavior: a fork and a saved test leave out the calls that play something else, for the same reason', async () => {
  const exchanges = journal(['POST /_sim/scenarios', {}, {}], ['POST /_sim/worlds', {}, {}])
  const { leftOut } = await scenarioOfJournal({ exchanges, clock: 'frozen', name: 'it' })
  expect(leftOut).toEqual(
    exchanges.map((each) => [each.cursor, `${each.method} ${each.url}: ${reasonNotPlayed(each)}`]),
  )
})

test.each([
  ['after a request that failed', 408, [10, 20, 30, 32, 40]],
  ['before a request that waited for it', 201, [10, 20, 29.5, 30, 40]],
])(
  'behavior: a rule that ended by itself is removed there, and has no time of its own: %s',
  (_, status, cursors) => {
    const rule = { id: 'it', on: 'chain', match: {}, after: 0, seen: 1, hits: 1 }
    const all = journal(
      ['POST /accounts', {}, { account_id: acc }],
      ['POST /_sim/faults', {}, { ...rule, effect: { down: { ms: 5_000 } }, ends: 'T' }, 201],
      [`POST /accounts/${acc}/plan/earn`, {}, {}, status],
      [`POST /accounts/${acc}/plan/earn`, {}, { plan_id: pln }],
    ).map((each) => ({ ...each, answered: each.cursor + 5 }))
    all[1] = { ...all[1]!, notes: [{ order: 32, type: 'rule_end', rule: 'it', at: '' }] }
    all.splice(2, 0, { ...all[2]!, cursor: 25, answered: 26, request_id: 'req_25' })
    const { exchanges } = part(all)
    expect(cursorsOf({ exchanges })).toEqual(cursors.toSpliced(2, 0, 25))
    expect(exchanges[1]!.answer!.body).toEqual({ id: 'it', on: 'chain', effect: 'down' })
    expect(exchanges.find(({ method }) => method === 'DELETE')!.url).toBe('/_sim/faults/it')
  },
)

test('behavior: what was read before a reorganisation had ended is not expected', async () => {
  const activity_id = 'act_000000000001'
  const event = { type: 'event', activity_id, activity_status: 'confirmed' }
  const fault = { type: 'fault', rule: 'it', effect: 'chain.reorg', settings: { depth: 2 } }
  const sent = { plan_id: pln, signature: `0x${'11'.repeat(65)}` }
  const all = (notes: object[]) =>
    journal(
      ['POST /accounts', {}, { account_id: acc }, 201],
      [`POST /accounts/${acc}/plan/earn`, {}, { plan_id: pln }, 201],
      [
        `POST /accounts/${acc}/plan/execute`,
        sent,
        { activity_id },
        200,
        [{ type: 'activity', activity_id }, ...notes],
      ],
      [`GET /activities/${activity_id}`, undefined, { activity_id, activity_status: 'confirmed' }],
    )
  const saved = async (notes: object[]) =>
    (await scenarioOfJournal({ exchanges: all(notes), clock: 'real', end: 50, name: 'x' }))
      .notExpected
  const what = `GET /activities/${activity_id}: confirmed:`
  expect(await saved([event])).toEqual([])
  expect(await saved([event, fault])).toEqual([
    `${what} chain.reorg had not ended, and the test may read it later`,
  ])
  expect(await saved([event, fault, { ...event, order: 45 }])).toEqual([
    `${what} it changed again, and the test may read it later`,
  ])
  expect(await saved([event, fault, { ...event, order: 36 }])).toEqual([])
})
