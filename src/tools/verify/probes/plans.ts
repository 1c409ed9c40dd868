import { must } from '../expect.js'
import type { Probe } from '../probe.js'
import { NotExercised } from '../types.js'
import { chosen, exampleOf, probesOn, published, refusals, shown } from './define.js'
import { ether, stake, transferDone, transferOf, wethPrice } from './fixtures.js'

/** How plans name things, and in what order they do them. */
export const planProbes: Probe[] = probesOn('codes', {
  'a symbol is found in any casing': {
    from: chosen('Casing of symbols, networks and protocols', '201@transfer'),
    plan: async ({ funded }) => {
      const user = await funded('planner', stake)
      await user.plan('transfer', { ...transferOf(user, '1000000'), asset: 'usdc' })
    },
  },
  'a step depends on what runs on its network before it': {
    axis: 'shapes',
    from: published('steps', '201@earn'),
    plan: async ({ funded }) => {
      // Wrapped first, then supplied.
      const body = { ...exampleOf('earn'), asset: 'ETH', amount: '1000000000000000' }
      const plan = await (await funded('planner', ether)).plan('earn', body)
      const steps = plan.at('details', 'steps')
      if (steps.value === undefined || plan.contexts.length < 2)
        throw new NotExercised('the plan has no steps, which the interface does not promise')
      steps.at(1, 'depends_on').is([0])
    },
  },
  'a loop takes each of the common pool fees': {
    from: shown('Limits', '201@loop-long'),
    plan: async ({ funded, caller }) => {
      const user = await funded('planner', stake)
      const path = `${user.path}/plan/loop-long`
      const cost = await wethPrice(user, 1)
      for (const pool_fee of [500, 3_000, 10_000]) {
        const answer = await caller.post(path, {
          ...exampleOf('loop-long'),
          pool_fee,
          exposure_amount: '1000000000000000',
          max_swap_backing_amount: cost(1.1),
          max_provided_backing_amount: cost(0.6),
        })
        // There may be no such pool, or too little in it.
        must(`POST ${path} of pool_fee ${pool_fee}`, answer, { status: 201 }, refusals.failed)
      }
    },
  },
  'the intent of a transfer names its token': {
    axis: 'events',
    from: chosen('`svc_intent` of an activity', '200@GET /activities/{activity_id}'),
    all: async (context) => {
      const { activity } = (await transferDone(context)).done
      const token = activity.at('svc_intent', 'intent', 'token')
      token.holds(/^0x[0-9a-f]{40}$/i.test(String(token.value)), 'an address')
    },
  },
})
