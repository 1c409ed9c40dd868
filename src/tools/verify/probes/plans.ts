import type { Probe } from '../probe.js'
import { actionContexts } from '../seen.js'
import { NotExercised } from '../types.js'
import { chosen, exampleOf, probesOn, published, refusals, shown } from './define.js'
import { ether, stake, transferDone, transferFrom, wethPrice } from './fixtures.js'
import { plans } from './steps.js'

/** How plans name things, and in what order they do them. */
export const planProbes: Probe[] = probesOn('codes', {
  'a symbol is found in any casing': {
    from: chosen('Casing of symbols, networks and protocols', '201@transfer'),
    accounts: { planner: stake },
    steps: [
      plans('plan', 'planner', 'transfer', {
        ...transferFrom('planner', '1000000'),
        asset: 'usdc',
      }),
    ],
  },
  'a step depends on what runs on its network before it': {
    axis: 'shapes',
    from: published('steps', '201@earn'),
    accounts: { planner: ether },
    // Wrapped first, then supplied.
    steps: [
      plans('plan', 'planner', 'earn', {
        ...exampleOf('earn'),
        asset: 'ETH',
        amount: '1000000000000000',
      }),
    ],
    compute({ body }) {
      const plan = body('plan')
      const steps = plan.at('details', 'steps')
      if (steps.value === undefined || actionContexts(plan).length < 2)
        throw new NotExercised('the plan has no steps, which the interface does not promise')
      steps.at(1, 'depends_on').is([0])
    },
  },
  'a loop takes each of the common pool fees': {
    from: shown('Limits', '201@loop-long'),
    accounts: { planner: stake },
    async compute(playing) {
      const cost = await wethPrice(playing, 'planner', 1)
      for (const pool_fee of [500, 3_000, 10_000]) {
        const body = {
          ...exampleOf('loop-long'),
          pool_fee,
          exposure_amount: '1000000000000000',
          max_swap_backing_amount: cost(1.1),
          max_provided_backing_amount: cost(0.6),
        }
        // There may be no such pool, or too little in it.
        const expect = { any_of: [{ status: 201 }, refusals.failed] }
        await playing.play({ plan: { account: 'planner', kind: 'loop-long', body, expect } })
      }
    },
  },
  'the intent of a transfer names its token': {
    axis: 'events',
    from: chosen('`svc_intent` of an activity', '200@GET /activities/{activity_id}'),
    ...transferDone,
    compute({ body }) {
      const token = body('sent_activity').at('svc_intent', 'intent', 'token')
      token.holds(/^0x[0-9a-f]{40}$/i.test(String(token.value)), 'an address')
    },
  },
})
