import type { ScenarioReply } from '../../../clients/scenarios/target.js'
import { carriesOut, executes, plans, reads, sends } from '../corpus/steps.js'
import { executed, holds, must, same, textAt } from '../expect.js'
import type { Probe } from '../probe.js'
import type { TestAccount } from '../testAccount.js'
import { chosen, noPlan, probeOn, published, shown } from './define.js'
import { accountWith, stake, transferDone, transferFrom, transferOf, usdc } from './fixtures.js'

const probe = probeOn('staleness')

const stale = { status: 409, code: 'plan_stale' }
const refused = { status: 500, code: 'internal_error' }
const gone = { status: 404, code: 'plan_not_found' }
const at = (user: TestAccount) => `POST ${user.path}/plan/execute`

/** Which plans can still be executed. */
export const stalenessProbes: Probe[] = [
  probe({
    name: 'a plan that is not there cannot be executed',
    cells: ['404:plan_not_found@execute'],
    from: shown('Errors'),
    steps: [
      { account: 'newcomer' },
      sends(
        'POST',
        '/accounts/{newcomer.id}/plan/execute',
        { body: { plan_id: noPlan, signature: `0x${'11'.repeat(65)}` } },
        gone,
      ),
    ],
  }),
  probe({
    name: 'a consumed plan cannot be executed again, however often',
    cells: ['404:plan_not_found@execute'],
    from: shown('Plan lifecycle'),
    reach: 'all',
    async attempt(context) {
      const { sender, done } = await transferDone(context)
      for (let again = 0; again < 2; again++) {
        const { status } = await sender.execute(done.plan)
        holds(at(sender), status >= 400, 'a refusal', `${status}`)
      }
    },
  }),
  probe({
    name: 'a consumed plan is not found',
    cells: ['404:plan_not_found@execute'],
    from: chosen('Consumed plan, plan of another account'),
    steps: [
      accountWith('signer', stake),
      ...carriesOut('done', 'signer', 'transfer', transferFrom('signer', '100000')),
      executes('done', { expect: [gone] }),
    ],
  }),
  probe({
    name: 'a plan that is executed twice at once is executed once',
    cells: ['200@execute', '404:plan_not_found@execute'],
    from: shown('Limits'),
    reach: 'all',
    async attempt({ funded }) {
      const user = await funded('twice', stake)
      const plan = await user.plan('transfer', transferOf(user, '1000000'))
      const answers = await Promise.all([1, 2, 3].map(() => user.execute(plan)))
      const [first] = succeeded(answers)
      same(`${at(user)} three times at once: successes`, succeeded(answers).length, 1)
      for (const answer of answers) if (answer !== first) must(at(user), answer, gone, stale)
      await user.follow(textAt(at(user), first?.body, 'activity_id'))
      const left = await user.balance('USDC', 'base')
      same(`GET ${user.path}/folio: balance`, left, stake.amount - 1_000_000n)
    },
  }),
  probe({
    name: 'a plan is stale when another plan of the same state was executed, and stays stale',
    cells: ['409:plan_stale@execute'],
    from: chosen('What makes a plan stale'),
    steps: [
      accountWith('stale', stake),
      plans('late', 'stale', 'transfer', transferFrom('stale', '1000000')),
      ...carriesOut('done', 'stale', 'transfer', transferFrom('stale', '2000000')),
      executes('late', { expect: [stale] }),
      executes('late', { expect: [stale] }),
      ...carriesOut('next', 'stale', 'transfer', transferFrom('stale', '1000000')),
    ],
  }),
  probe({
    name: 'of two plans that are executed at once one is, and the other can no longer be',
    cells: ['200@execute', '409:plan_stale@execute'],
    from: chosen('Plans of one wallet at once'),
    reach: 'all',
    concerns: ({ status }) => status === 409,
    async attempt({ funded }) {
      const user = await funded('atOnce', stake)
      const plans = [
        await user.plan('transfer', transferOf(user, '1000000')),
        await user.plan('transfer', transferOf(user, '2000000')),
      ]
      const answers = await Promise.all(plans.map((plan) => user.execute(plan)))
      same(`${at(user)} of two plans at once: successes`, succeeded(answers).length, 1)
      for (const answer of answers) must(at(user), answer, ...executed, stale)
    },
  }),
  probe({
    name: 'a plan outlives a refused signature',
    cells: ['200@execute', '500:internal_error@execute'],
    from: chosen('A signature that the wallet refuses'),
    concerns: ({ status }) => status === 500,
    steps: [
      accountWith('signer', stake),
      plans('plan', 'signer', 'transfer', transferFrom('signer', '100000')),
      executes('plan', { sign: 'other_key', expect: [refused] }),
      executes('plan'),
      { settle: 'plan' },
    ],
  }),
  probe({
    name: 'the passing of time does not make a plan stale',
    cells: ['200@execute'],
    from: chosen('Interest and time'),
    concerns: () => false,
    steps: [
      accountWith('patient', stake),
      plans('plan', 'patient', 'transfer', transferFrom('patient', '1000000')),
      { wait: 3 },
      executes('plan'),
      { settle: 'plan' },
    ],
  }),
  probe({
    name: 'a plan of another account is not there',
    cells: ['404:plan_not_found@execute'],
    from: published('plans of other accounts'),
    steps: [
      accountWith('planner', stake),
      { account: 'newcomer' },
      plans('plan', 'planner', 'transfer', transferFrom('planner', '1000000'), {
        keep: { plan_id: ['plan_id'] },
      }),
      sends(
        'POST',
        '/accounts/{newcomer.id}/plan/execute',
        { body: { plan_id: '{plan_id}', signature: `0x${'11'.repeat(65)}` } },
        gone,
      ),
    ],
  }),
  probe({
    name: 'what an execution under way needs is not there for another plan',
    cells: ['400:plan_failed@transfer'],
    from: chosen('Funds that an execution under way still needs'),
    steps: [
      accountWith('busy', usdc('base', 1_000_000n), usdc('optimism', 4_000_000n)),
      plans('plan', 'busy', 'transfer', transferFrom('busy', '3000000')),
      executes('plan', { keep: { activity: ['activity_id'] } }),
      sends(
        'POST',
        '/accounts/{busy.id}/plan/transfer',
        { body: transferFrom('busy', '3000000') },
        { status: 400, code: 'plan_failed' },
      ),
      { settle: 'plan' },
      reads('/activities/{activity}', {
        checks: [{ at: ['activity_status'], equals: 'confirmed' }],
      }),
    ],
  }),
]

function succeeded(answers: readonly ScenarioReply[]): ScenarioReply[] {
  return answers.filter(({ status, cut }) => status >= 200 && status < 300 && !cut)
}
