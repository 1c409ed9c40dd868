import { at, holds, listAt, must, same, textAt } from '../expect.js'
import type { Member } from '../member.js'
import type { Probe } from '../probe.js'
import type { Setting } from '../setting.js'
import { chosen, probe, published, shown } from './define.js'
import { stake, transferDone, transferOf } from './doings.js'

/** What happened to accounts, and how it is told. */
export const eventProbes: Probe[] = [
  probe({
    name: 'an account to which nothing happened has no events, and the cursor that was sent, or 0',
    axis: 'events',
    cells: ['200@events'],
    from: published('empty answers'),
    reach: 'plan',
    async attempt({ member }) {
      const user = await member('newcomer')
      for (const [query, cursor] of [
        ['', 0],
        ['?since=7', 7],
      ] as const) {
        const page = await user.events(query)
        const where = `GET ${user.path}/events${query}`
        same(`${where}: events`, listAt(where, page, 'events').length, 0)
        same(`${where}: cursor`, at(page, 'cursor') as number, cursor)
      }
    },
  }),
  probe({
    name: 'an execution is followed by an event that confirms its activity',
    axis: 'events',
    cells: ['200@events', '200@execute'],
    from: shown('Events'),
    reach: 'all',
    async attempt(setting) {
      const { sender, done } = await transferDone(setting)
      const events = await eventsOf(sender)
      const where = `GET ${sender.path}/events`
      const last = events
        .filter((each) => at(each, 'data', 'activity_id') === done.activityId)
        .at(-1)
      holds(where, last !== undefined, `an event of ${done.activityId}`, events)
      same(`${where}: event_type`, at(last, 'event_type') as string, 'activity_updated')
      same(
        `${where}: activity_type`,
        at(last, 'data', 'activity_type') as string,
        'svc_operation_executed',
      )
      same(`${where}: activity_status`, at(last, 'data', 'activity_status') as string, 'confirmed')
    },
  }),
  probe({
    name: 'after its cursor there is nothing; what happens next is there, and nothing else, and each event is told once',
    axis: 'events',
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
    axis: 'events',
    cells: ['200@events'],
    from: published('events'),
    reach: 'all',
    async attempt(setting) {
      const { sender } = await transferDone(setting)
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
    axis: 'events',
    cells: ['200@events'],
    from: shown('Events'),
    reach: 'all',
    async attempt({ funded, caller, pace }) {
      const user = await funded('woken', stake)
      const before = pace.now()
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
      const seconds = Math.round((pace.now() - before) / 1_000)
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
    axis: 'events',
    cells: ['200@events'],
    from: shown('Events'),
    reach: 'all',
    async attempt(setting) {
      const { sender } = await transferDone(setting)
      const polled = await sender.events('?since=0&poll=true')
      same(
        `GET ${sender.path}/events?poll=true`,
        JSON.stringify(polled),
        JSON.stringify(await sender.events('?since=0')),
      )
    },
  }),
  probe({
    name: 'an activity reads the same by itself, below its account, in the list, and by its number',
    axis: 'events',
    cells: ['200@GET /activities/{activity_id}', '200@activities'],
    from: published('activities'),
    reach: 'all',
    async attempt(setting) {
      const { sender, done } = await transferDone(setting)
      const { caller } = setting
      const own = JSON.stringify(done.activity)
      const list = must('activities', await caller.get(`${sender.path}/activities`), {
        status: 200,
      })
      const listed = listAt('activities', list, 'activities').find(
        (each) => at(each, 'activity_id') === done.activityId,
      )
      same(`GET ${sender.path}/activities`, JSON.stringify(listed), own)
      for (const path of [
        `${sender.path}/activities/${done.activityId}`,
        `/activities/${done.activity.id}`,
      ]) {
        const read = must(`GET ${path}`, await caller.get(path), { status: 200 })
        same(`GET ${path}`, JSON.stringify(read), own)
      }
    },
  }),
  probe({
    name: 'activities have numbers that grow',
    axis: 'events',
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
    axis: 'events',
    cells: ['200@GET /activities/{activity_id}'],
    from: published('activities'),
    reach: 'all',
    async attempt(setting) {
      const { sender, done } = await transferDone(setting)
      const where = `GET /activities/${done.activityId}`
      same(`${where}: account_id`, done.activity.account_id as string, sender.id)
      same(`${where}: plan_id`, done.activity.plan_id as string, done.plan.id)
      same(
        `${where}: svc_intent_id`,
        done.activity.svc_intent_id as string,
        textAt(where, done.executed, 'svc_intent_id'),
      )
      const item = at(done.activity, 'activity_metadata', 0)
      textAt(`${where}: activity_metadata.0`, item, 'action_type')
      same(`${where}: success`, at(item, 'success') as boolean, true)
    },
  }),
  probe({
    name: 'amounts of expected and observed values are decimal strings, and observed is what happened',
    axis: 'events',
    cells: ['200@GET /activities/{activity_id}'],
    from: chosen('`expected_values`, `observed_values`'),
    reach: 'all',
    async attempt(setting) {
      const { done } = await transferDone(setting)
      const action = at(done.activity, 'executions', 0, 'actions', 0)
      for (const values of ['expected_values', 'observed_values'])
        same(
          `GET /activities/${done.activityId}: ${values}.amount`,
          at(action, values, 'amount') as string,
          '1234567',
        )
    },
  }),
  probe({
    name: 'an activity knows the intent, with its amount as a decimal string',
    axis: 'events',
    cells: ['200@GET /activities/{activity_id}'],
    from: chosen('`svc_intent` of an activity'),
    reach: 'all',
    async attempt(setting) {
      const { done } = await transferDone(setting)
      const where = `GET /activities/${done.activityId}: svc_intent`
      same(
        `${where}.intent_type`,
        at(done.activity, 'svc_intent', 'intent_type') as string,
        'transfer',
      )
      same(
        `${where}.intent.amount`,
        at(done.activity, 'svc_intent', 'intent', 'amount') as string,
        '1234567',
      )
    },
  }),
  probe({
    name: 'what another account sends is an activity of the one that gets it, from outside',
    axis: 'events',
    cells: ['200@activities', '200@events'],
    from: chosen('A plan that sends to the wallet of another sub-account'),
    reach: 'all',
    concerns: () => false,
    async attempt(setting) {
      same('activity_type', at(await inbound(setting), 'activity_type') as string, 'exogenous')
    },
  }),
  probe({
    name: 'what comes from outside is an INBOUND_TRANSFER of what came',
    axis: 'events',
    cells: ['200@activities', '200@events'],
    from: chosen('What comes to a wallet from outside'),
    reach: 'all',
    concerns: () => false,
    async attempt(setting) {
      const item = at(await inbound(setting), 'activity_metadata', 0)
      same('activity_metadata.0.action_type', at(item, 'action_type') as string, 'INBOUND_TRANSFER')
      same(
        'activity_metadata.0.action_context.amount',
        at(item, 'action_context', 'amount') as string,
        '1234567',
      )
    },
  }),
]

/** All events of an account. */
export async function eventsOf(user: Member): Promise<readonly unknown[]> {
  return listAt(`GET ${user.path}/events`, await user.events(), 'events')
}

/** The activity that the receiver of the executed transfer has of it. It may come a moment after the transfer. */
async function inbound(setting: Setting): Promise<unknown> {
  const { receiver } = await transferDone(setting)
  const { caller } = setting
  const where = `GET ${receiver.path}/activities`
  must(where, await caller.get(`${receiver.path}/events?since=0&poll=true`), { status: 200 })
  const list = must(where, await caller.get(`${receiver.path}/activities`), { status: 200 })
  const [first] = listAt(where, list, 'activities')
  holds(where, first !== undefined, 'an activity of what came', list)
  return first
}
