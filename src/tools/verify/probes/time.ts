import { reads } from '../corpus/steps.js'
import { at, holds, listAt, must, same, textAt } from '../expect.js'
import type { Probe } from '../probe.js'
import type { ProbeContext } from '../probeContext.js'
import { chosen, probeOn, published, shown } from './define.js'
import { accountWith, stake, transferDone, transferOf } from './fixtures.js'

const probe = probeOn('time')

/** How long an answer may take, with what the server's clock is read too coarsely. */
const slackMs = 15_000

/** Moments, and how long things last. */
export const timeProbes: Probe[] = [
  probe({
    name: 'a plan lives for two minutes',
    cells: ['201@transfer'],
    from: shown('Limits'),
    reach: 'plan',
    async attempt({ funded, serverNow }) {
      const user = await funded('planner', stake)
      const before = await serverNow()
      const { expiresAt } = await user.plan('transfer', transferOf(user, '1000000'))
      const where = `POST ${user.path}/plan/transfer: expires_at`
      mustBeNear(where, expiresAt, before + 120_000)
    },
  }),
  probe({
    name: 'an operation outlives its plan: it expires 900 seconds after its creation',
    cells: ['201@transfer'],
    from: published('expiry of operations'),
    reach: 'plan',
    async attempt({ funded }) {
      const user = await funded('planner', stake)
      const { body, expiresAt } = await user.plan('transfer', transferOf(user, '1000000'))
      const where = `POST ${user.path}/plan/transfer: operation.expiry`
      const expiry = Number(
        textAt(where, body, 'details', 'svc_operation_actions', 0, 'operation', 'expiry'),
      )
      const beyond = expiry - Date.parse(expiresAt) / 1_000
      holds(
        where,
        Math.abs(beyond - 780) <= 5,
        '780 seconds after expires_at',
        `${beyond} seconds after it`,
      )
    },
  }),
  probe({
    name: 'an account says when it was made, in ISO 8601',
    cells: ['201@POST accounts', '200@account'],
    from: published('timestamps'),
    reach: 'plan',
    async attempt({ caller, account, serverNow }) {
      const { path } = await account('newcomer')
      const body = must(`GET ${path}`, await caller.get(path), { status: 200 })
      const text = textAt(`GET ${path}`, body, 'created_at')
      const where = `GET ${path}: created_at`
      holds(
        where,
        /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text),
        'such as 2026-01-05T09:00:00Z',
        text,
      )
      // Made in this run, which may have gone on for minutes.
      const age = (await serverNow()) - Date.parse(text)
      holds(where, age > -slackMs && age < 3_600_000, 'a moment of this run', text)
    },
  }),
  probe({
    name: 'events carry Unix seconds, of when they happened',
    cells: ['200@events'],
    from: shown('Event'),
    reach: 'all',
    async attempt(context) {
      const { sender, done } = await transferDone(context)
      const where = `GET ${sender.path}/events: timestamp`
      const events = listAt(where, await sender.events(), 'events')
      const own = events.filter((each) => at(each, 'data', 'activity_id') === done.activityId)
      const updated = Date.parse(textAt(where, done.activity, 'updated_at'))
      for (const each of own) {
        const time = at(each, 'timestamp')
        const isNear = Number.isInteger(time) && Math.abs(Number(time) * 1_000 - updated) < 60_000
        holds(where, isNear, `an integer near ${updated / 1_000}`, time)
      }
      holds(where, own.length > 0, 'an event of the execution', events)
    },
  }),
  probe({
    name: 'a long poll without anything new ends after about 30 seconds, empty, with the cursor that was sent',
    cells: ['200@events'],
    from: shown('Limits'),
    reach: 'plan',
    isSlow: true,
    async attempt(context) {
      const { caller, account, clock } = context
      await agingPlan(context).catch(() => {})
      const user = await account('quiet')
      const path = `${user.path}/events?since=5&poll=true`
      let isOver = false
      const answer = caller.get(path).finally(() => {
        isOver = true
      })
      await clock.wait(20_000)
      const early = isOver
      await clock.wait(20_000)
      const body = must(`GET ${path}`, await answer, { status: 200 })
      same(`GET ${path}: has answered after 20 seconds`, early, false)
      same(`GET ${path}: events`, listAt(path, body, 'events').length, 0)
      same(`GET ${path}: cursor`, at(body, 'cursor') as number, 5)
    },
  }),
  probe({
    name: 'a plan is gone when its two minutes are over',
    cells: ['404:plan_not_found@execute'],
    from: shown('Plan lifecycle'),
    reach: 'plan',
    isSlow: true,
    async attempt(context) {
      const { clock } = context
      const { user, plan, madeAt } = await agingPlan(context)
      await clock.wait(Math.max(0, madeAt + 122_000 - clock.now()))
      must(`POST ${user.path}/plan/execute`, await user.execute(plan), {
        status: 404,
        code: 'plan_not_found',
      })
    },
  }),
]

/** A plan that nobody executes; it grows old while others wait. */
function agingPlan(context: ProbeContext) {
  return context.once('a plan to expire', async () => {
    const user = await context.funded('late', stake)
    const plan = await user.plan('transfer', transferOf(user, '1000000'))
    return { user, plan, madeAt: context.clock.now() }
  })
}

function mustBeNear(where: string, text: string, expected: number): void {
  const apart = Date.parse(text) - expected
  const seen = `${text}, ${Math.round(apart / 1_000)} s off`
  holds(where, Math.abs(apart) <= slackMs, `about ${new Date(expected).toISOString()}`, seen)
}

/** Kept here, since it is about what is answered when. */
export const cachedFolio: Probe = probe({
  name: 'a cached folio is the last one that was computed, whole',
  cells: ['200@folio'],
  from: chosen('`cached=true` while something is in flight'),
  reach: 'all',
  concerns: ({ url }) => url.includes('cached=true'),
  steps: [
    accountWith('cached', stake),
    reads('/accounts/{cached.id}/folio', { keep: { folio: ['folio'] } }),
    reads('/accounts/{cached.id}/folio?cached=true', {
      checks: [{ at: ['folio'], equals: '{folio}' }],
    }),
  ],
})
