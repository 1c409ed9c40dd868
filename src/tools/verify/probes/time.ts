import { is, keeps, reads } from '../corpus/steps.js'
import { must, Seen } from '../expect.js'
import type { Probe } from '../probe.js'
import type { ProbeContext } from '../probeContext.js'
import { chosen, probesOn, published, refusals, shown } from './define.js'
import { accountWith, stake, transferDone, transferOf } from './fixtures.js'

/** How long an answer may take, with what the server's clock is read too coarsely. */
const slackMs = 15_000

const iso8601 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

/** Moments, and how long things last. */
export const timeProbes: Probe[] = probesOn('time', {
  'a cached folio is the last one that was computed, whole': {
    from: chosen('`cached=true` while something is in flight', '200@folio'),
    reach: 'all',
    steps: [
      accountWith('cached', stake),
      reads('/accounts/{cached.id}/folio', keeps('folio', 'folio')),
      reads('/accounts/{cached.id}/folio?cached=true', is('folio', '{folio}')),
    ],
  },
  'a plan lives for two minutes': {
    from: shown('Limits', '201@transfer'),
    plan: async ({ funded, serverNow }) => {
      const user = await funded('planner', stake)
      const expected = (await serverNow()) + 120_000
      const plan = await user.plan('transfer', transferOf(user, '1000000'))
      const expires = plan.at('expires_at').text()
      const isNear = Math.abs(Date.parse(expires.value) - expected) <= slackMs
      expires.holds(isNear, `about ${new Date(expected).toISOString()}`)
    },
  },
  'an operation outlives its plan: it expires 900 seconds after its creation': {
    from: published('expiry of operations', '201@transfer'),
    plan: async ({ funded }) => {
      const user = await funded('planner', stake)
      const plan = await user.plan('transfer', transferOf(user, '1000000'))
      const expiry = plan.at('details', 'svc_operation_actions', 0, 'operation', 'expiry').text()
      const expires = Date.parse(plan.at('expires_at').text().value) / 1_000
      const isSo = Math.abs(Number(expiry.value) - expires - 780) <= 5
      expiry.holds(isSo, `780 seconds after expires_at, ${expires + 780}`)
    },
  },
  'an account says when it was made, in ISO 8601': {
    from: published('timestamps', '201@POST accounts', '200@account'),
    plan: async ({ caller, account, serverNow }) => {
      const { path } = await account('newcomer')
      const created = (await caller.read(path)).at('created_at').text()
      created.holds(iso8601.test(created.value), 'such as 2026-01-05T09:00:00Z')
      // Made in this run, which may have gone on for minutes.
      const age = (await serverNow()) - Date.parse(created.value)
      created.holds(age > -slackMs && age < 3_600_000, 'a moment of this run')
    },
  },
  'events carry Unix seconds, of when they happened': {
    from: shown('Event', '200@events'),
    all: async (context) => {
      const { sender, done } = await transferDone(context)
      const events = (await sender.events()).at('events')
      const own = events
        .list()
        .filter((each) => each.at('data', 'activity_id').value === done.activityId)
      events.holds(own.length > 0, 'an event of the execution')
      const updated = Date.parse(done.activity.at('updated_at').text().value)
      for (const time of own.map((each) => each.at('timestamp'))) {
        const isNear = Math.abs(Number(time.value) * 1_000 - updated) < 60_000
        time.holds(Number.isInteger(time.value) && isNear, `an integer near ${updated / 1_000}`)
      }
    },
  },
  'a long poll without anything new ends after about 30 seconds, empty, with the cursor that was sent':
    {
      from: shown('Limits', '200@events'),
      isSlow: true,
      plan: async (context) => {
        const { caller, account, clock } = context
        await agingPlan(context).catch(() => {})
        const path = `${(await account('quiet')).path}/events?since=5&poll=true`
        let isOver = false
        const answer = caller.get(path).finally(() => {
          isOver = true
        })
        await clock.wait(20_000)
        const early = isOver
        await clock.wait(20_000)
        const page = must(`GET ${path}`, await answer, { status: 200 })
        new Seen(`GET ${path}`, early, 'has answered after 20 seconds').is(false)
        page.at('events').is([])
        page.at('cursor').is(5)
      },
    },
  'a plan is gone when its two minutes are over': {
    from: shown('Plan lifecycle', '404:plan_not_found@execute'),
    isSlow: true,
    plan: async (context) => {
      const { clock } = context
      const { user, plan, madeAt } = await agingPlan(context)
      await clock.wait(Math.max(0, madeAt + 122_000 - clock.now()))
      must(`POST ${user.path}/plan/execute`, await user.execute(plan), refusals.noPlan)
    },
  },
})

/** A plan that nobody executes; it grows old while others wait. */
function agingPlan(context: ProbeContext) {
  return context.once('a plan to expire', async () => {
    const user = await context.funded('late', stake)
    const plan = await user.plan('transfer', transferOf(user, '1000000'))
    return { user, plan, madeAt: context.clock.now() }
  })
}
