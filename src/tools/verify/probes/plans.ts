import { at, holds, listAt, must, same, textAt } from '../expect.js'
import type { Probe } from '../probe.js'
import { NotExercised } from '../types.js'
import { chosen, exampleOf, hasField, probeOn, published, shown } from './define.js'
import { stake, transferDone, transferOf } from './fixtures.js'

const probe = probeOn('codes')

/** How plans name things, and in what order they do them. */
export const planProbes: Probe[] = [
  probe({
    name: 'a symbol is found in any casing',
    cells: ['201@transfer'],
    from: chosen('Casing of symbols, networks and protocols'),
    reach: 'plan',
    concerns: ({ sent }) =>
      hasField(sent, (value, name) => name === 'asset' && value !== String(value).toUpperCase()),
    async attempt({ funded }) {
      const user = await funded('planner', stake)
      await user.plan('transfer', { ...transferOf(user, '1000000'), asset: 'usdc' })
    },
  }),
  probe({
    name: 'a step depends on what runs on its network before it',
    axis: 'shapes',
    cells: ['201@earn'],
    from: published('steps'),
    reach: 'plan',
    async attempt({ funded }) {
      const ether = { asset: 'ETH', network: 'base', amount: 2_000_000_000_000_000n }
      const user = await funded('planner', ether)
      // Wrapped first, then supplied.
      const body = { ...exampleOf('earn'), asset: 'ETH', amount: '1000000000000000' }
      const plan = await user.plan('earn', body)
      if (at(plan.body, 'details', 'steps') === undefined || plan.contexts.length < 2)
        throw new NotExercised('the plan has no steps, which the interface does not promise')
      const where = `POST ${user.path}/plan/earn: details.steps`
      const [, supply] = listAt(where, plan.body, 'details', 'steps')
      same(`${where}.1.depends_on`, JSON.stringify(at(supply, 'depends_on')), '[0]')
    },
  }),
  probe({
    name: 'a loop takes each of the common pool fees',
    cells: ['201@loop-long'],
    from: shown('Limits'),
    reach: 'plan',
    async attempt({ funded }) {
      const user = await funded('planner', stake)
      const where = `POST ${user.path}/plan/loop-long`
      const price = Number(textAt(where, await user.folio(), 'prices', 'token/WETH'))
      // Of a thousandth of a WETH, in USDC.
      const cost = (part: number): string => `${Math.floor(price * 1_000 * part)}`
      for (const pool_fee of [500, 3_000, 10_000]) {
        const answer = await user.ask('loop-long', {
          ...{ ...exampleOf('loop-long'), pool_fee, exposure_amount: '1000000000000000' },
          ...{ max_swap_backing_amount: cost(1.1), max_provided_backing_amount: cost(0.6) },
        })
        // There may be no such pool, or too little in it.
        const failed = { status: 400, code: 'plan_failed' }
        must(`${where} of pool_fee ${pool_fee}`, answer, { status: 201 }, failed)
      }
    },
  }),
  probe({
    name: 'the intent of a transfer names its token',
    axis: 'events',
    cells: ['200@GET /activities/{activity_id}'],
    from: chosen('`svc_intent` of an activity'),
    reach: 'all',
    async attempt(context) {
      const { done } = await transferDone(context)
      const token = at(done.activity, 'svc_intent', 'intent', 'token')
      const where = `GET /activities/${done.activityId}: svc_intent.intent.token`
      holds(where, /^0x[0-9a-f]{40}$/i.test(String(token)), 'an address', token)
    },
  }),
]
