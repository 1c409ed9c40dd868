import { carriesOut, once, reads } from '../corpus/steps.js'
import { at, holds, listAt, must, same } from '../expect.js'
import type { Probe } from '../probe.js'
import type { TestAccount } from '../testAccount.js'
import { chosen, probeOn, published, shown } from './define.js'
import { accountWith, stake, transferDone, transferFrom, transferOf } from './fixtures.js'

const probe = probeOn('events')

/** A transfer between two accounts of the run, and the names of what came of it. */
const sent = once('a transfer', [
  accountWith('teller', stake),
  { account: 'hearer' },
  ...carriesOut(
    'plan',
    'teller',
    'transfer',
    { ...transferFrom('teller', '1234567'), recipient: '{hearer.wallet}' },
    { keep: { activity: ['activity_id'], plan_id: ['plan_id'], intent: ['svc_intent_id'] } },
  ),
])

/** What came may be told a moment later. */
const received = [sent, reads('/accounts/{hearer.id}/events?since=0&poll=true')]
const came = ['activities', 0, 'activity_metadata', 0]

/** What happened to accounts, and how it is told. */
export const eventProbes: Probe[] = [
  probe({
    name: 'an account to which nothing happened has no events, and the cursor that was sent, or 0',
    cells: ['200@events'],
    from: published('empty answers'),
    steps: [
      { account: 'newcomer' },
      ...Object.entries({ '': 0, '?since=7': 7 }).map(([query, cursor]) =>
        reads(`/accounts/{newcomer.id}/events${query}`, {
          checks: [
            { at: ['events'], length: 0 },
            { at: ['cursor'], equals: cursor },
          ],
        }),
      ),
    ],
  }),
  probe({
    name: 'an execution is followed by an event that confirms its activity',
    cells: ['200@events', '200@execute'],
    from: shown('Events'),
    steps: [
      sent,
      reads('/accounts/{teller.id}/events', {
        checks: [
          {
            at: [
              'events',
              {
                event_type: 'activity_updated',
                data: {
                  activity_id: '{activity}',
                  activity_type: 'svc_operation_executed',
                  activity_status: 'confirmed',
                },
              },
            ],
            type: 'object',
          },
        ],
      }),
    ],
  }),
  probe({
    name: 'after its cursor there is nothing; what happens next is there, and nothing else, and each event is told once',
    cells: ['200@events'],
    from: shown('Events'),
    reach: 'all',
    async attempt({ funded }) {
      const user = await funded('watched', stake)
      await user.carryOut('transfer', transferOf(user, '100000'))
      const where = `GET ${user.path}/events`
      const first = await user.events()
      const cursor = at(first, 'cursor')
      holds(`${where}: cursor`, Number.isInteger(cursor), 'an integer', cursor)
      const after = `?since=${cursor}`
      same(`${where}${after}`, listAt(where, await user.events(after), 'events').length, 0)
      await user.carryOut('transfer', transferOf(user, '100000'))
      const next = await user.events(after)
      const all = await eventsOf(user)
      const joined = [...listAt(where, first, 'events'), ...listAt(where, next, 'events')]
      same(
        `${where}: all events are those before the cursor and those after it`,
        JSON.stringify(all),
        JSON.stringify(joined),
      )
      const grown = at(next, 'cursor')
      holds(`${where}: cursor`, Number(grown) > Number(cursor), `more than ${cursor}`, grown)
    },
  }),
  probe({
    name: 'events are told in the order in which they happened',
    cells: ['200@events'],
    from: published('events'),
    reach: 'all',
    async attempt(context) {
      const { sender } = await transferDone(context)
      const where = `GET ${sender.path}/events`
      const events = await eventsOf(sender)
      const times = events.map((each) => Number(at(each, 'timestamp')))
      holds(
        `${where}: timestamps`,
        times.every((time, i) => i === 0 || time >= times[i - 1]!),
        'none before the one it follows',
        times,
      )
      const statuses = events.map((each) => at(each, 'data', 'activity_status'))
      const pending = statuses.lastIndexOf('pending')
      holds(
        `${where}: statuses`,
        pending < statuses.indexOf('confirmed'),
        'pending before confirmed',
        statuses,
      )
    },
  }),
  probe({
    name: 'a long poll wakes up when something happens, and answers at once when something has',
    cells: ['200@events'],
    from: shown('Events'),
    reach: 'all',
    async attempt({ funded, caller, clock }) {
      const user = await funded('woken', stake)
      const before = clock.now()
      const poll = caller.get(`${user.path}/events?since=0&poll=true`)
      await user.carryOut('transfer', transferOf(user, '100000'))
      const where = `GET ${user.path}/events?poll=true`
      for (const answer of [
        await poll,
        await caller.get(`${user.path}/events?since=0&poll=true`),
      ]) {
        const events = listAt(where, must(where, answer, { status: 200 }), 'events')
        holds(where, events.length > 0, 'events', events)
      }
      const seconds = Math.round((clock.now() - before) / 1_000)
      holds(
        where,
        seconds < 25,
        'an answer as soon as something happens',
        `an answer after ${seconds} s`,
      )
    },
  }),
  probe({
    name: 'a long poll is as good as a plain request in what it tells',
    cells: ['200@events'],
    from: shown('Events'),
    steps: [
      sent,
      reads('/accounts/{teller.id}/events?since=0', { keep: { page: [] } }),
      reads('/accounts/{teller.id}/events?since=0&poll=true', {
        checks: [{ at: [], equals: '{page}' }],
      }),
    ],
  }),
  probe({
    name: 'an activity reads the same by itself, below its account, in the list, and by its number',
    cells: ['200@GET /activities/{activity_id}', '200@activities'],
    from: published('activities'),
    steps: [
      sent,
      reads('/activities/{activity}', { keep: { own: [], number: ['id'] } }),
      reads('/accounts/{teller.id}/activities', {
        checks: [{ at: ['activities', { activity_id: '{activity}' }], equals: '{own}' }],
      }),
      ...['/accounts/{teller.id}/activities/{activity}', '/activities/{number}'].map((path) =>
        reads(path, { checks: [{ at: [], equals: '{own}' }] }),
      ),
    ],
  }),
  probe({
    name: 'activities have numbers that grow',
    cells: ['200@GET /activities/{activity_id}'],
    from: chosen('Numbers of an activity'),
    reach: 'all',
    concerns: ({ url }) => /\/activities\/\d+$/.test(url),
    async attempt({ funded }) {
      const user = await funded('numbered', stake)
      const first = await user.carryOut('transfer', transferOf(user, '100000'))
      const second = await user.carryOut('transfer', transferOf(user, '100000'))
      const [a, b] = [first.activity.id, second.activity.id]
      holds(
        'GET /activities/:id: id',
        Number.isInteger(a) && Number.isInteger(b) && Number(b) > Number(a),
        'integers that grow',
        [a, b],
      )
    },
  }),
  probe({
    name: 'an activity names its account, plan and intent, and has the action with what it did',
    cells: ['200@GET /activities/{activity_id}'],
    from: published('activities'),
    steps: [
      sent,
      reads('/activities/{activity}', {
        checks: [
          { at: ['account_id'], equals: '{teller.id}' },
          { at: ['plan_id'], equals: '{plan_id}' },
          { at: ['svc_intent_id'], equals: '{intent}' },
          { at: ['activity_metadata', 0, 'action_type'], type: 'text' },
          { at: ['activity_metadata', 0, 'success'], equals: true },
        ],
      }),
    ],
  }),
  probe({
    name: 'amounts of expected and observed values are decimal strings, and observed is what happened',
    cells: ['200@GET /activities/{activity_id}'],
    from: chosen('`expected_values`, `observed_values`'),
    steps: [
      sent,
      reads('/activities/{activity}', {
        checks: ['expected_values', 'observed_values'].map((values) => ({
          at: ['executions', 0, 'actions', 0, values, 'amount'],
          equals: '1234567',
        })),
      }),
    ],
  }),
  probe({
    name: 'an activity knows the intent, with its amount as a decimal string',
    cells: ['200@GET /activities/{activity_id}'],
    from: chosen('`svc_intent` of an activity'),
    steps: [
      sent,
      reads('/activities/{activity}', {
        checks: [
          { at: ['svc_intent', 'intent_type'], equals: 'transfer' },
          { at: ['svc_intent', 'intent', 'amount'], equals: '1234567' },
        ],
      }),
    ],
  }),
  probe({
    name: 'what another account sends is an activity of the one that gets it, from outside',
    cells: ['200@activities', '200@events'],
    from: chosen('A plan that sends to the wallet of another sub-account'),
    concerns: () => false,
    steps: [
      ...received,
      reads('/accounts/{hearer.id}/activities', {
        checks: [{ at: ['activities', 0, 'activity_type'], equals: 'exogenous' }],
      }),
    ],
  }),
  probe({
    name: 'what comes from outside is an INBOUND_TRANSFER of what came',
    cells: ['200@activities', '200@events'],
    from: chosen('Funds that come to a wallet from outside'),
    concerns: () => false,
    steps: [
      ...received,
      reads('/accounts/{hearer.id}/activities', {
        checks: [
          { at: [...came, 'action_type'], equals: 'INBOUND_TRANSFER' },
          { at: [...came, 'action_context', 'amount'], equals: '1234567' },
        ],
      }),
    ],
  }),
]

/** All events of an account. */
export async function eventsOf(user: TestAccount): Promise<readonly unknown[]> {
  return listAt(`GET ${user.path}/events`, await user.events(), 'events')
}
