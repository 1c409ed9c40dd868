import { Unexpected } from '../../../clients/scenarios/play.js'
import type { Step } from '../../../clients/scenarios/schema.js'
import type { Probe, ProbePlay } from '../probe.js'
import { ResponseValue, walletBalance } from '../responseValue.js'
import { chosen, noPlan, probesOn, published, refusals, shown } from './define.js'
import {
  executesTransfer,
  plansTransfer,
  readsFolio,
  stake,
  transferDone,
  transferFrom,
} from './fixtures.js'
import { executes, is, reads, refuses, refusesToExecute, settles } from './steps.js'

const { stale, internal, noPlan: gone } = refusals
const signature = `0x${'11'.repeat(65)}`

/** Whether a plan can still be executed: unknown, consumed, stale and foreign plans. */
export const stalenessProbes: Probe[] = probesOn('staleness', {
  'a plan that is not there cannot be executed': {
    from: shown('Errors', '404:plan_not_found@execute'),
    accounts: { newcomer: {} },
    steps: [refuses('newcomer', 'execute', { plan_id: noPlan, signature }, gone)],
  },
  'a consumed plan cannot be executed again, however often': {
    from: shown('Plan lifecycle', '404:plan_not_found@execute'),
    ...transferDone,
    async compute({ play, body, answer }) {
      for (const name of ['again', 'once_more']) {
        await whateverComes(play({ execute: { plan: 'sent', as: name } }))
        const { status } = answer(name)
        new ResponseValue(body(name).request, status, 'status').holds(status >= 400, 'a refusal')
      }
    },
  },
  'a consumed plan is not found': {
    from: chosen('Consumed plan, plan of another account', '404:plan_not_found@execute'),
    accounts: { signer: stake },
    steps: [...executesTransfer('done', 'signer', '100000'), refusesToExecute('done', gone)],
  },
  'a plan that is executed twice at once is executed once': {
    from: shown('Limits', '200@execute', '404:plan_not_found@execute'),
    accounts: { twice: stake },
    reach: 'all',
    steps: [plansTransfer('plan', 'twice', '1000000')],
    async compute(playing) {
      const { play, body, actor } = playing
      const first = await atOnce(playing, ['plan', 'plan', 'plan'], [gone, stale])
      await play(
        { wait: { account: 'twice', activity: first, status: 'ended' } },
        readsFolio('twice', 'after'),
      )
      walletBalance(body('after'), actor('twice').wallet, 'USDC').is(4_000_000n - 1_000_000n)
    },
  },
  'a plan is stale when another plan of the same state was executed, and stays stale': {
    from: chosen('What makes a plan stale', '409:plan_stale@execute'),
    accounts: { stale: stake },
    steps: [
      plansTransfer('late', 'stale', '1000000'),
      ...executesTransfer('done', 'stale', '2000000'),
      refusesToExecute('late', stale),
      refusesToExecute('late', stale),
      ...executesTransfer('next', 'stale', '1000000'),
    ],
  },
  'of two plans that are executed at once one is, and the other can no longer be': {
    from: chosen('Plans of one wallet at once', '200@execute', '409:plan_stale@execute'),
    accounts: { at_once: stake },
    reach: 'all',
    steps: [plansTransfer('one', 'at_once', '1000000'), plansTransfer('two', 'at_once', '2000000')],
    async compute(playing) {
      await atOnce(playing, ['one', 'two'], [stale])
    },
  },
  'a plan outlives a refused signature': {
    from: chosen(
      'A signature that the wallet refuses',
      '200@execute',
      '500:internal_error@execute',
    ),
    accounts: { signer: stake },
    steps: [
      plansTransfer('plan', 'signer', '100000'),
      refusesToExecute('plan', internal, 'other_key'),
      executes('plan'),
      settles('signer', 'plan'),
    ],
  },
  'the passing of time does not make a plan stale': {
    from: chosen('Interest and time', '200@execute'),
    accounts: { patient: stake },
    steps: [
      plansTransfer('plan', 'patient', '1000000'),
      { advance: 3 },
      executes('plan'),
      settles('patient', 'plan'),
    ],
  },
  'a plan of another account is not there': {
    from: published('plans of other accounts', '404:plan_not_found@execute'),
    accounts: { planner: stake, newcomer: {} },
    steps: [
      plansTransfer('plan', 'planner', '1000000'),
      refuses('newcomer', 'execute', { plan_id: '{{plan.body.plan_id}}', signature }, gone),
    ],
  },
  'what an execution under way needs is not there for another plan': {
    from: chosen('Funds that an execution under way still needs', '400:plan_failed@transfer'),
    accounts: { busy: { base: { USDC: '1000000' }, optimism: { USDC: '4000000' } } },
    steps: [
      plansTransfer('plan', 'busy', '3000000'),
      executes('plan'),
      refuses('busy', 'transfer', transferFrom('busy', '3000000'), refusals.failed),
      settles('busy', 'plan'),
      reads('/activities/{{plan_execution.body.activity_id}}', is('activity_status', 'confirmed')),
    ],
  },
})

/**
 * Executes plans at once. Exactly one must succeed, and the others must be refused in one of these ways. Resolves to the name of the step
 * that succeeded.
 */
async function atOnce(
  { play, body, answer }: ProbePlay,
  plans: readonly string[],
  others: readonly { status: number; error: 'plan_stale' | 'plan_not_found' }[],
): Promise<string> {
  const expect = { any_of: [{ status: 200 }, { status: 202 }, ...others] }
  const sent = plans.map((plan, i) => ({ plan, as: `at_once_${i}`, background: true, expect }))
  await play(...sent.map((execute): Step => ({ execute })))
  let problem: unknown
  for (const { as } of sent)
    await play({ join: as }).catch((error: unknown) => {
      problem ??= error
    })
  const succeeded = sent.filter(({ as }) => {
    const { status, cut } = answer(as)
    return status >= 200 && status < 300 && !cut
  })
  const { request } = body(sent[0]!.as)
  new ResponseValue(`${request} of ${plans.length} at once`, succeeded.length, 'successes').is(1)
  if (problem !== undefined) throw problem
  return succeeded[0]!.as
}

/** The probe looks at the response itself. */
function whateverComes(playing: Promise<void>): Promise<void> {
  return playing.catch((error: unknown) => {
    if (!(error instanceof Unexpected)) throw error
  })
}
