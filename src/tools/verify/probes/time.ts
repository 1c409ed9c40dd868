import type { Probe, ProbePlay } from '../probe.js'
import { ResponseValue } from '../responseValue.js'
import { chosen, probesOn, published, refusals, shown } from './define.js'
import { plansTransfer, readsEvents, stake, transferDone } from './fixtures.js'
import { as, is, reads, refusesToExecute } from './steps.js'

/** How long a response may take, with the coarseness of the server's clock. */
const slackMs = 15_000

const iso8601 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/
const planner = { planner: stake }

/** Moments, and how long things last. */
export const timeProbes: Probe[] = probesOn('time', {
  'a cached folio is the last one that was computed, whole': {
    from: chosen('`cached=true` while something is in flight', '200@folio'),
    reach: 'all',
    accounts: { cached: stake },
    steps: [
      reads('/accounts/{{cached.id}}/folio', as('computed')),
      reads('/accounts/{{cached.id}}/folio?cached=true', is('folio', '{{computed.body.folio}}')),
    ],
  },
  'a plan lives for two minutes': {
    from: shown('Limits', '201@transfer'),
    accounts: planner,
    async compute({ play, body, serverNow }) {
      const expected = (await serverNow()) + 120_000
      await play(plansTransfer('plan', 'planner', '1000000'))
      const expires = body('plan').at('expires_at').text()
      const isNear = Math.abs(Date.parse(expires.value) - expected) <= slackMs
      expires.holds(isNear, `about ${new Date(expected).toISOString()}`)
    },
  },
  'an operation outlives its plan: it expires 900 seconds after its creation': {
    from: published('expiry of operations', '201@transfer'),
    accounts: planner,
    steps: [plansTransfer('plan', 'planner', '1000000')],
    compute({ body }) {
      const plan = body('plan')
      const expiry = plan.at('details', 'svc_operation_actions', 0, 'operation', 'expiry').text()
      const expires = Date.parse(plan.at('expires_at').text().value) / 1_000
      const isSo = Math.abs(Number(expiry.value) - expires - 780) <= 5
      expiry.holds(isSo, `780 seconds after expires_at, ${expires + 780}`)
    },
  },
  'an account says when it was made, in ISO 8601': {
    from: published('timestamps', '201@POST accounts', '200@account'),
    accounts: { newcomer: {} },
    steps: [reads('/accounts/{{newcomer.id}}', as('own'))],
    async compute({ body, serverNow }) {
      const created = body('own').at('created_at').text()
      created.holds(iso8601.test(created.value), 'such as 2026-01-05T09:00:00Z')
      // Made in this run, which may have gone on for minutes.
      const age = (await serverNow()) - Date.parse(created.value)
      created.holds(age > -slackMs && age < 3_600_000, 'a moment of this run')
    },
  },
  'events carry Unix seconds, of when they happened': {
    from: shown('Event', '200@events'),
    ...transferDone,
    steps: [readsEvents('sender', 'told')],
    compute({ body }) {
      const activity = body('sent_activity')
      const id = body('sent_execution').at('activity_id').value
      const events = body('told').at('events')
      const own = events.list().filter((each) => each.at('data', 'activity_id').value === id)
      events.holds(own.length > 0, 'an event of the execution')
      const updated = Date.parse(activity.at('updated_at').text().value)
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
      accounts: { quiet: {} },
      async compute(playing) {
        const { actor, clock, wire } = playing
        await agingPlan(playing).catch(() => {})
        const path = `/accounts/${actor('quiet').id}/events?since=5&poll=true`
        let isOver = false
        const poll = wire.get(path).finally(() => {
          isOver = true
        })
        await clock.wait(20_000)
        const isEarly = isOver
        await clock.wait(20_000)
        const { status, body } = await poll
        const page = new ResponseValue(`GET ${path}`, body)
        new ResponseValue(page.request, status, 'status').is(200)
        new ResponseValue(page.request, isEarly, 'has answered after 20 seconds').is(false)
        page.at('events').is([])
        page.at('cursor').is(5)
      },
    },
  'a plan is gone when its two minutes are over': {
    from: shown('Plan lifecycle', '404:plan_not_found@execute'),
    isSlow: true,
    reach: 'plan',
    async compute(playing) {
      const { clock } = playing
      const { play, madeAt } = await agingPlan(playing)
      await clock.wait(Math.max(0, madeAt + 122_000 - clock.now()))
      await play(refusesToExecute('old', refusals.noPlan))
    },
  },
})

/** A plan that grows old while other probes wait. */
function agingPlan({ once, clock }: ProbePlay) {
  return once('a plan to expire', { late: { funds: stake } }, async (own) => {
    await own.play(plansTransfer('old', 'late', '1000000'))
    return { ...own, madeAt: clock.now() }
  })
}
