import type { ScenarioReply } from '../../../clients/scenarios/target.js'
import { executes, is, keeps, reads, refuses, refusesToExecute } from '../corpus/steps.js'
import { executed, must, Seen } from '../expect.js'
import type { Probe } from '../probe.js'
import type { MadePlan, TestAccount } from '../testAccount.js'
import { chosen, noPlan, probesOn, published, refusals, shown } from './define.js'
import {
  accountWith,
  executesTransfer,
  plansTransfer,
  stake,
  transferDone,
  transferFrom,
  transferOf,
  usdc,
} from './fixtures.js'

const { stale, internal, noPlan: gone } = refusals
const signature = `0x${'11'.repeat(65)}`

/** Whether a plan can still be executed: unknown, consumed, stale and foreign plans. */
export const stalenessProbes: Probe[] = probesOn('staleness', {
  'a plan that is not there cannot be executed': {
    from: shown('Errors', '404:plan_not_found@execute'),
    steps: [
      { account: 'newcomer' },
      refuses('newcomer', 'execute', { plan_id: noPlan, signature }, gone),
    ],
  },
  'a consumed plan cannot be executed again, however often': {
    from: shown('Plan lifecycle', '404:plan_not_found@execute'),
    all: async (context) => {
      const { sender, done } = await transferDone(context)
      for (let again = 0; again < 2; again++) {
        const { status } = await sender.execute(done.plan)
        const seen = new Seen(`POST ${sender.path}/plan/execute`, status, 'status')
        seen.holds(status >= 400, 'a refusal')
      }
    },
  },
  'a consumed plan is not found': {
    from: chosen('Consumed plan, plan of another account', '404:plan_not_found@execute'),
    steps: [
      accountWith('signer', stake),
      ...executesTransfer('done', 'signer', '100000'),
      refusesToExecute('done', gone),
    ],
  },
  'a plan that is executed twice at once is executed once': {
    from: shown('Limits', '200@execute', '404:plan_not_found@execute'),
    all: async ({ funded }) => {
      const user = await funded('twice', stake)
      const plan = await user.plan('transfer', transferOf(user, '1000000'))
      const { where, first, others } = await atOnce(user, [plan, plan, plan])
      for (const answer of others) must(where, answer, gone, stale)
      await user.follow(new Seen(where, first.body).at('activity_id').text().value)
      ;(await user.folio()).has('USDC').is(stake.amount - 1_000_000n)
    },
  },
  'a plan is stale when another plan of the same state was executed, and stays stale': {
    from: chosen('What makes a plan stale', '409:plan_stale@execute'),
    steps: [
      accountWith('stale', stake),
      plansTransfer('late', 'stale', '1000000'),
      ...executesTransfer('done', 'stale', '2000000'),
      refusesToExecute('late', stale),
      refusesToExecute('late', stale),
      ...executesTransfer('next', 'stale', '1000000'),
    ],
  },
  'of two plans that are executed at once one is, and the other can no longer be': {
    from: chosen('Plans of one wallet at once', '200@execute', '409:plan_stale@execute'),
    all: async ({ funded }) => {
      const user = await funded('atOnce', stake)
      const plans = [
        await user.plan('transfer', transferOf(user, '1000000')),
        await user.plan('transfer', transferOf(user, '2000000')),
      ]
      const { where, first, others } = await atOnce(user, plans)
      must(where, first, ...executed)
      for (const answer of others) must(where, answer, stale)
    },
  },
  'a plan outlives a refused signature': {
    from: chosen(
      'A signature that the wallet refuses',
      '200@execute',
      '500:internal_error@execute',
    ),
    steps: [
      accountWith('signer', stake),
      plansTransfer('plan', 'signer', '100000'),
      refusesToExecute('plan', internal, 'other_key'),
      executes('plan'),
      { settle: 'plan' },
    ],
  },
  'the passing of time does not make a plan stale': {
    from: chosen('Interest and time', '200@execute'),
    steps: [
      accountWith('patient', stake),
      plansTransfer('plan', 'patient', '1000000'),
      { wait: 3 },
      executes('plan'),
      { settle: 'plan' },
    ],
  },
  'a plan of another account is not there': {
    from: published('plans of other accounts', '404:plan_not_found@execute'),
    steps: [
      accountWith('planner', stake),
      { account: 'newcomer' },
      plansTransfer('plan', 'planner', '1000000', keeps('plan_id', 'plan_id')),
      refuses('newcomer', 'execute', { plan_id: '{plan_id}', signature }, gone),
    ],
  },
  'what an execution under way needs is not there for another plan': {
    from: chosen('Funds that an execution under way still needs', '400:plan_failed@transfer'),
    steps: [
      accountWith('busy', usdc('base', 1_000_000n), usdc('optimism', 4_000_000n)),
      plansTransfer('plan', 'busy', '3000000'),
      executes('plan', keeps('activity', 'activity_id')),
      refuses('busy', 'transfer', transferFrom('busy', '3000000'), refusals.failed),
      { settle: 'plan' },
      reads('/activities/{activity}', is('activity_status', 'confirmed')),
    ],
  },
})

/** Executes plans at once, of which exactly one may succeed. */
async function atOnce(user: TestAccount, plans: readonly MadePlan[]) {
  const where = `POST ${user.path}/plan/execute`
  const answers = await Promise.all(plans.map((plan) => user.execute(plan)))
  const succeeded = answers.filter(({ status, cut }) => status >= 200 && status < 300 && !cut)
  new Seen(`${where} of ${plans.length} at once`, succeeded.length, 'successes').is(1)
  const [first] = succeeded as [ScenarioReply]
  return { where, first, others: answers.filter((answer) => answer !== first) }
}
