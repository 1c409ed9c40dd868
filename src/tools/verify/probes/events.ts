import { carriesOut, hasLength, hasType, is, keeps, once, reads } from '../corpus/steps.js'
import { must, Seen } from '../expect.js'
import type { Probe } from '../probe.js'
import { chosen, probesOn, published, shown } from './define.js'
import { accountWith, stake, transferDone, transferFrom, transferOf } from './fixtures.js'

/** A transfer between two accounts of the run, and the names of what came of it. */
const sent = once('a transfer', [
  accountWith('teller', stake),
  { account: 'hearer' },
  ...carriesOut(
    'plan',
    'teller',
    'transfer',
    { ...transferFrom('teller', '1234567'), recipient: '{hearer.wallet}' },
    keeps('activity', 'activity_id'),
    keeps('plan_id', 'plan_id'),
    keeps('intent', 'svc_intent_id'),
  ),
])

const confirmation = {
  event_type: 'activity_updated',
  data: {
    activity_id: '{activity}',
    activity_type: 'svc_operation_executed',
    activity_status: 'confirmed',
  },
}

/** What came may be told a moment later. */
const received = [sent, reads('/accounts/{hearer.id}/events?since=0&poll=true')]
const came = 'activities.0.activity_metadata.0'

/** What happened to accounts, and how it is told. */
export const eventProbes: Probe[] = probesOn('events', {
  'an account to which nothing happened has no events, and the cursor that was sent, or 0': {
    from: published('empty answers', '200@events'),
    steps: [
      { account: 'newcomer' },
      ...Object.entries({ '': 0, '?since=7': 7 }).map(([query, cursor]) =>
        reads(
          `/accounts/{newcomer.id}/events${query}`,
          hasLength('events', 0),
          is('cursor', cursor),
        ),
      ),
    ],
  },
  'an execution is followed by an event that confirms its activity': {
    from: shown('Events', '200@events', '200@execute'),
    steps: [
      sent,
      reads('/accounts/{teller.id}/events', hasType(['events', confirmation], 'object')),
    ],
  },
  'after its cursor there is nothing; what happens next is there, and nothing else, and each event is told once':
    {
      from: shown('Events', '200@events'),
      all: async ({ funded }) => {
        const user = await funded('watched', stake)
        await user.carryOut('transfer', transferOf(user, '100000'))
        const first = await user.events()
        const cursor = first.at('cursor')
        cursor.holds(Number.isInteger(cursor.value), 'an integer')
        const after = `?since=${cursor.value}`
        ;(await user.events(after)).at('events').is([])
        await user.carryOut('transfer', transferOf(user, '100000'))
        const next = await user.events(after)
        const pages = [first, next].flatMap((page) => page.at('events').list())
        // All events are those before the cursor and those after it.
        ;(await user.events()).at('events').is(pages.map(({ value }) => value))
        const grown = next.at('cursor')
        grown.holds(Number(grown.value) > Number(cursor.value), `more than ${cursor.value}`)
      },
    },
  'events are told in the order in which they happened': {
    from: published('events', '200@events'),
    all: async (context) => {
      const { sender } = await transferDone(context)
      const page = await sender.events()
      const events = page.at('events').list()
      const times = events.map((each) => Number(each.at('timestamp').value))
      const isSorted = times.every((time, i) => i === 0 || time >= times[i - 1]!)
      new Seen(page.request, times, 'timestamps').holds(isSorted, 'none before the one it follows')
      const statuses = events.map((each) => each.at('data', 'activity_status').value)
      const isInOrder = statuses.lastIndexOf('pending') < statuses.indexOf('confirmed')
      new Seen(page.request, statuses, 'statuses').holds(isInOrder, 'pending before confirmed')
    },
  },
  'a long poll wakes up when something happens, and answers at once when something has': {
    from: shown('Events', '200@events'),
    all: async ({ funded, caller, clock }) => {
      const user = await funded('woken', stake)
      const before = clock.now()
      const path = `${user.path}/events?since=0&poll=true`
      const poll = caller.get(path)
      await user.carryOut('transfer', transferOf(user, '100000'))
      for (const answer of [await poll, await caller.get(path)]) {
        const events = must(`GET ${path}`, answer, { status: 200 }).at('events')
        events.holds(events.list().length > 0, 'events')
      }
      const seconds = Math.round((clock.now() - before) / 1_000)
      const passed = new Seen(`GET ${path}`, seconds, 'seconds until the answer')
      passed.holds(seconds < 25, 'an answer as soon as something happens')
    },
  },
  'a long poll is as good as a plain request in what it tells': {
    from: shown('Events', '200@events'),
    steps: [
      sent,
      reads('/accounts/{teller.id}/events?since=0', keeps('page', '')),
      reads('/accounts/{teller.id}/events?since=0&poll=true', is('', '{page}')),
    ],
  },
  'an activity reads the same by itself, below its account, in the list, and by its number': {
    from: published('activities', '200@GET /activities/{activity_id}', '200@activities'),
    steps: [
      sent,
      reads('/activities/{activity}', keeps('own', ''), keeps('number', 'id')),
      reads(
        '/accounts/{teller.id}/activities',
        is(['activities', { activity_id: '{activity}' }], '{own}'),
      ),
      reads('/accounts/{teller.id}/activities/{activity}', is('', '{own}')),
      reads('/activities/{number}', is('', '{own}')),
    ],
  },
  'activities have numbers that grow': {
    from: chosen('Numbers of an activity', '200@GET /activities/{activity_id}'),
    all: async ({ funded }) => {
      const user = await funded('numbered', stake)
      const first = await user.carryOut('transfer', transferOf(user, '100000'))
      const second = await user.carryOut('transfer', transferOf(user, '100000'))
      const [a, b] = [first, second].map(({ activity }) => activity.at('id'))
      a!.holds(Number.isInteger(a!.value), 'an integer')
      b!.holds(
        Number.isInteger(b!.value) && Number(b!.value) > Number(a!.value),
        'a larger integer',
      )
    },
  },
  'an activity names its account, plan and intent, and has the action with what it did': {
    from: published('activities', '200@GET /activities/{activity_id}'),
    steps: [
      sent,
      reads(
        '/activities/{activity}',
        is('account_id', '{teller.id}'),
        is('plan_id', '{plan_id}'),
        is('svc_intent_id', '{intent}'),
        hasType('activity_metadata.0.action_type', 'text'),
        is('activity_metadata.0.success', true),
      ),
    ],
  },
  'amounts of expected and observed values are decimal strings, and observed is what happened': {
    from: chosen('`expected_values`, `observed_values`', '200@GET /activities/{activity_id}'),
    steps: [
      sent,
      reads(
        '/activities/{activity}',
        is('executions.0.actions.0.expected_values.amount', '1234567'),
        is('executions.0.actions.0.observed_values.amount', '1234567'),
      ),
    ],
  },
  'an activity knows the intent, with its amount as a decimal string': {
    from: chosen('`svc_intent` of an activity', '200@GET /activities/{activity_id}'),
    steps: [
      sent,
      reads(
        '/activities/{activity}',
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
    steps: [
      ...received,
      reads('/accounts/{hearer.id}/activities', is('activities.0.activity_type', 'exogenous')),
    ],
  },
  'what comes from outside is an INBOUND_TRANSFER of what came': {
    from: chosen('Funds that come to a wallet from outside', '200@activities', '200@events'),
    steps: [
      ...received,
      reads(
        '/accounts/{hearer.id}/activities',
        is(`${came}.action_type`, 'INBOUND_TRANSFER'),
        is(`${came}.action_context.amount`, '1234567'),
      ),
    ],
  },
})
