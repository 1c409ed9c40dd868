import type { Probe } from '../probe.js'
import { ResponseValue } from '../responseValue.js'
import { chosen, probesOn, published, type Shared, shown } from './define.js'
import { executesTransfer, readsActivity, readsEvents, stake, transferDone } from './fixtures.js'
import { as, hasLength, hasType, is, reads } from './steps.js'

const sent: Shared = {
  accounts: { teller: stake, hearer: {} },
  setup: {
    name: 'a transfer',
    steps: executesTransfer('sent', 'teller', '1234567', 'hearer.wallet'),
  },
}
const activity = '{{sent_execution.body.activity_id}}'

const confirmation = {
  event_type: 'activity_updated',
  data: {
    activity_id: activity,
    activity_type: 'svc_operation_executed',
    activity_status: 'confirmed',
  },
}

/** Events may come a moment after the money. */
const hears = reads('/accounts/{{hearer.id}}/events?since=0&poll=true')
const came = 'activities.0.activity_metadata.0'

export const eventProbes: Probe[] = probesOn('events', {
  'an account to which nothing happened has no events, and the cursor that was sent, or 0': {
    from: published('empty answers', '200@events'),
    accounts: { newcomer: {} },
    steps: Object.entries({ '': 0, '?since=7': 7 }).map(([query, cursor]) =>
      reads(
        `/accounts/{{newcomer.id}}/events${query}`,
        hasLength('events', 0),
        is('cursor', cursor),
      ),
    ),
  },
  'an execution is followed by an event that confirms its activity': {
    from: shown('Events', '200@events', '200@execute'),
    ...sent,
    steps: [reads('/accounts/{{teller.id}}/events', hasType(['events', confirmation], 'object'))],
  },
  'after its cursor there is nothing; what happens next is there, and nothing else, and each event is told once':
    {
      from: shown('Events', '200@events'),
      accounts: { watched: stake },
      steps: [
        ...executesTransfer('first', 'watched', '100000'),
        readsEvents('watched', 'before'),
        reads(
          '/accounts/{{watched.id}}/events?since={{before.body.cursor}}',
          hasLength('events', 0),
          hasType('events', 'list'),
        ),
        ...executesTransfer('second', 'watched', '100000'),
        readsEvents('watched', 'after', '?since={{before.body.cursor}}'),
        readsEvents('watched', 'all'),
      ],
      compute({ body }) {
        const [before, after] = [body('before'), body('after')]
        const cursor = before.at('cursor')
        cursor.holds(Number.isInteger(cursor.value), 'an integer')
        const pages = [before, after].flatMap((page) => page.at('events').list())
        // All events are those before the cursor and those after it.
        body('all')
          .at('events')
          .is(pages.map(({ value }) => value))
        const grown = after.at('cursor')
        grown.holds(Number(grown.value) > Number(cursor.value), `more than ${cursor.value}`)
      },
    },
  'events are told in the order in which they happened': {
    from: published('events', '200@events'),
    ...transferDone,
    steps: [readsEvents('sender', 'told')],
    compute({ body }) {
      const page = body('told')
      const events = page.at('events').list()
      const times = events.map((each) => Number(each.at('timestamp').value))
      const isSorted = times.every((time, i) => i === 0 || time >= times[i - 1]!)
      new ResponseValue(page.request, times, 'timestamps').holds(
        isSorted,
        'none before the one it follows',
      )
      const statuses = events.map((each) => each.at('data', 'activity_status').value)
      const isInOrder = statuses.lastIndexOf('pending') < statuses.indexOf('confirmed')
      new ResponseValue(page.request, statuses, 'statuses').holds(
        isInOrder,
        'pending before confirmed',
      )
    },
  },
  'a long poll wakes up when something happens, and answers at once when something has': {
    from: shown('Events', '200@events'),
    accounts: { woken: stake },
    reach: 'all',
    async compute({ play, body, clock }) {
      const begun = clock.now()
      const path = '/accounts/{{woken.id}}/events?since=0&poll=true'
      await play(
        { call: { method: 'GET', path, as: 'woke', background: true, expect: { status: 200 } } },
        ...executesTransfer('sent', 'woken', '100000'),
        { join: 'woke' },
        reads(path, as('at_once')),
      )
      for (const page of [body('woke'), body('at_once')]) {
        const events = page.at('events')
        events.holds(events.list().length > 0, 'events')
      }
      const seconds = Math.round((clock.now() - begun) / 1_000)
      const passed = new ResponseValue(body('woke').request, seconds, 'seconds until the answer')
      passed.holds(seconds < 25, 'an answer as soon as something happens')
    },
  },
  'a long poll is as good as a plain request in what it tells': {
    from: shown('Events', '200@events'),
    ...sent,
    steps: [
      readsEvents('teller', 'page', '?since=0'),
      reads('/accounts/{{teller.id}}/events?since=0&poll=true', is('', '{{page.body}}')),
    ],
  },
  'an activity reads the same by itself, below its account, in the list, and by its number': {
    from: published('activities', '200@GET /activities/{activity_id}', '200@activities'),
    ...sent,
    steps: [
      reads(`/activities/${activity}`, as('own')),
      reads(
        '/accounts/{{teller.id}}/activities',
        is(['activities', { activity_id: activity }], '{{own.body}}'),
      ),
      reads(`/accounts/{{teller.id}}/activities/${activity}`, is('', '{{own.body}}')),
      reads('/activities/{{own.body.id}}', is('', '{{own.body}}')),
    ],
  },
  'activities have numbers that grow': {
    from: chosen('Numbers of an activity', '200@GET /activities/{activity_id}'),
    accounts: { numbered: stake },
    steps: ['first', 'second'].flatMap((name) => [
      ...executesTransfer(name, 'numbered', '100000'),
      readsActivity(name),
    ]),
    compute({ body }) {
      const [a, b] = ['first', 'second'].map((name) => body(`${name}_activity`).at('id'))
      a!.holds(Number.isInteger(a!.value), 'an integer')
      b!.holds(
        Number.isInteger(b!.value) && Number(b!.value) > Number(a!.value),
        'a larger integer',
      )
    },
  },
  'an activity names its account, plan and intent, and has the action with what it did': {
    from: published('activities', '200@GET /activities/{activity_id}'),
    ...sent,
    steps: [
      reads(
        `/activities/${activity}`,
        is('account_id', '{{teller.id}}'),
        is('plan_id', '{{sent_execution.body.plan_id}}'),
        is('svc_intent_id', '{{sent_execution.body.svc_intent_id}}'),
        hasType('activity_metadata.0.action_type', 'text'),
        is('activity_metadata.0.success', true),
      ),
    ],
  },
  'amounts of expected and observed values are decimal strings, and observed is what happened': {
    from: chosen('`expected_values`, `observed_values`', '200@GET /activities/{activity_id}'),
    ...sent,
    steps: [
      reads(
        `/activities/${activity}`,
        is('executions.0.actions.0.expected_values.amount', '1234567'),
        is('executions.0.actions.0.observed_values.amount', '1234567'),
      ),
    ],
  },
  'an activity knows the intent, with its amount as a decimal string': {
    from: chosen('`svc_intent` of an activity', '200@GET /activities/{activity_id}'),
    ...sent,
    steps: [
      reads(
        `/activities/${activity}`,
        is('svc_intent.intent_type', 'transfer'),
        is('svc_intent.intent.amount', '1234567'),
      ),
    ],
  },
  'what another account sends is an activity of the one that gets it, from outside': {
    from: chosen(
      'A plan that sends to the wallet of another sub-account',
      '200@activities',
      '200@events',
    ),
    ...sent,
    steps: [
      hears,
      reads('/accounts/{{hearer.id}}/activities', is('activities.0.activity_type', 'exogenous')),
    ],
  },
  'what comes from outside is an INBOUND_TRANSFER of what came': {
    from: chosen('Funds that come to a wallet from outside', '200@activities', '200@events'),
    ...sent,
    steps: [
      hears,
      reads(
        '/accounts/{{hearer.id}}/activities',
        is(`${came}.action_type`, 'INBOUND_TRANSFER'),
        is(`${came}.action_context.amount`, '1234567'),
      ),
    ],
  },
})
