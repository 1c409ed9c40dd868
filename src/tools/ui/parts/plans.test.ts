import { afterAll, expect, test, vi } from 'vitest'
import type { ExchangeView, Overview } from '../api/types.js'

vi.stubGlobal('location', { origin: 'http://127.0.0.1' })
vi.stubGlobal('addEventListener', () => {})
afterAll(() => vi.unstubAllGlobals())
const { exchanges, followWorld, isJournalKnown, loadWholeJournal, overview, toldClock } =
  await import('../api/live.js')
const { knownPlans, stateOf, titleById } = await import('./plans.js')
const { isUnexecuted } = await import('./planned.js')

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

test('behavior: the end of an execution that was listed while it was in flight is applied, and a late list does not take it back', async () => {
  const made = { type: 'plan', plan_id: 'pln_1', account_id: 'acc_1', at }
  const plan = {
    ...{ cursor: 1, at, method: 'POST', url: '/accounts/acc_1/plan/transfer', headers: {} },
    ...{ request_id: 'req_1', body: {}, notes: [made], answer: { status: 200, cut: false } },
  }
  const begun = {
    ...{ cursor: 2, at, method: 'POST', url: '/accounts/acc_1/plan/execute', headers: {} },
    ...{ request_id: 'req_2', body: { plan_id: 'pln_1' }, notes: [], answer: null },
  }
  const activity = { type: 'activity', activity_id: 'act_1', plan_id: 'pln_1', status: 'pending' }
  const ended = { ...begun, notes: [{ ...activity, at }], answer: { status: 200, cut: false } }
  const page = new AbortController()
  let stream!: ReadableStreamDefaultController<Uint8Array>
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      stream = controller
    },
  })
  const answers: { [path: string]: unknown } = {
    '/_sim/journal': { exchanges: [plan, begun], cursor: 2 },
    '/_sim/overview': {
      ...{ plans: [], ended_plans: [], networks: [], faults: [], api_keys: [] },
      ...{
        present: [{ after: 0, until: null }],
        clock: { unix_ms: Date.parse(at), mode: 'frozen' },
      },
    },
  }
  vi.stubGlobal('fetch', async ({ url }: Request) => {
    const { pathname } = new URL(url)
    return pathname === '/_sim/stream' ? new Response(body) : Response.json(answers[pathname] ?? {})
  })
  vi.stubGlobal('document', { hidden: true })
  // A page has a base for relative URLs.
  const InPage = class extends Request {
    constructor(url: string | URL | Request, init?: RequestInit) {
      super(typeof url === 'string' ? new URL(url, location.origin) : url, init)
    }
  }
  vi.stubGlobal('Request', InPage)
  const following = followWorld(page.signal)
  const states = () => exchanges.value.map(({ cursor, answer }) => [cursor, answer?.status])
  await expect
    .poll(() => [isJournalKnown.value, ...states()])
    .toEqual([true, [2, undefined], [1, 200]])
  expect(knownPlans.value.map(stateOf)).toEqual(['open'])
  const send = (type: string, data: object) =>
    stream.enqueue(new TextEncoder().encode(`event: ${type}\ndata: ${JSON.stringify(data)}\n\n`))
  send('exchange', ended)
  await expect.poll(states).toEqual([
    [2, 200],
    [1, 200],
  ])
  expect(knownPlans.value.map(stateOf)).toEqual(['executed'])
  answers['/_sim/journal'] = {
    exchanges: [{ ...plan, cursor: 0, notes: [] }, plan, begun],
    cursor: 2,
  }
  loadWholeJournal()
  await expect.poll(states).toEqual([
    [2, 200],
    [1, 200],
    [0, 200],
  ])
  // Its client leaves; after that it is executed, which only the journal says.
  const left = { ...begun, cursor: 3, answer: { status: 200, cut: true } }
  send('exchange', left)
  await expect.poll(states).toEqual([
    [3, 200],
    [2, 200],
    [1, 200],
    [0, 200],
  ])
  expect(exchanges.value.map(isUnexecuted)).toEqual([true, false, false, false])
  const late = { ...left, notes: [{ ...activity, activity_id: 'act_2', at }] }
  answers['/_sim/journal'] = { exchanges: [late], cursor: 3 }
  const data = { activity_id: 'act_2', activity_status: 'pending' }
  send('event', { data, cursor: 1, timestamp: 0 })
  await expect.poll(() => exchanges.value.map(isUnexecuted)).toEqual([false, false, false, false])
  page.abort()
  stream.close()
  await following
})
