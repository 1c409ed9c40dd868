import { expect, test } from 'vitest'
import { executeOnce, type IntentSteps } from './executeOnce.js'
import { SvcError } from './svcError.js'
import type { Schemas } from './types.js'

const patience = { attempts: 5, delayMs: () => 0 }
const options = { attempts: 3 }

/** What comes of each execute in turn: a result, or an error's code. `lands` says whether the plan has an activity all the same. */
type Answer = 'done' | { code: string; status: number; lands?: boolean }

function stepsOf(answers: Answer[]): IntentSteps & { executed: string[] } {
  const executed: string[] = []
  const there: Schemas['Activity'][] = []
  let plans = 0
  return {
    executed,
    plan: async () => ({ plan_id: `pln_${++plans}` }) as Schemas['Plan'],
    activities: async () => there,
    async execute({ plan_id }) {
      executed.push(plan_id)
      const answer = answers.shift()!
      if (answer === 'done') return resultOf(plan_id)
      const { code, status, lands } = answer
      if (lands)
        there.push({ plan_id, activity_id: 'act_1', svc_intent_id: 'qi_1' } as Schemas['Activity'])
      throw new SvcError(code, { status, code: code as SvcError['code'], call: 'execute' })
    },
  }
}

function resultOf(plan_id: string): Schemas['ExecutionResult'] {
  return { plan_id, activity_id: 'act_1', svc_intent_id: 'qi_1', status: 'executing' }
}

const lost = { code: 'unreachable', status: 0 }

test('default', async () => {
  const steps = stepsOf(['done'])
  const { execution, attempts } = await executeOnce(steps, options, patience)
  expect({ execution, attempts }).toEqual({ execution: resultOf('pln_1'), attempts: 1 })
})

test('behavior: when the answer was lost and the plan has landed, its activity is the execution', async () => {
  const steps = stepsOf([{ ...lost, lands: true }])
  const { execution } = await executeOnce(steps, options, patience)
  expect(execution).toEqual(resultOf('pln_1'))
  expect(steps.executed).toEqual(['pln_1'])
})

test('behavior: when nothing has landed, the same plan is executed again', async () => {
  const steps = stepsOf([lost, { code: 'internal_error', status: 500 }, 'done'])
  await executeOnce(steps, options, patience)
  expect(steps.executed).toEqual(['pln_1', 'pln_1', 'pln_1'])
})

test('behavior: a plan that has landed late is found when it is gone', async () => {
  const steps = stepsOf([lost, { code: 'plan_not_found', status: 404, lands: true }])
  const { execution } = await executeOnce(steps, options, patience)
  expect(execution).toEqual(resultOf('pln_1'))
})

test('behavior: a stale plan and an expired one are followed by a new one', async () => {
  const steps = stepsOf([
    { code: 'plan_stale', status: 409 },
    { code: 'plan_not_found', status: 404 },
    'done',
  ])
  const { attempts } = await executeOnce(steps, options, patience)
  expect(attempts).toBe(3)
  expect(steps.executed).toEqual(['pln_1', 'pln_2', 'pln_3'])
})

test('error: what does not pass is thrown at once, and what passes when the tries are used up', async () => {
  const refused = stepsOf([{ code: 'invalid_params', status: 400 }])
  await expect(executeOnce(refused, options, patience)).rejects.toMatchObject({ status: 400 })
  const broken = stepsOf(Array.from({ length: 5 }, () => ({ code: 'internal_error', status: 500 })))
  await expect(executeOnce(broken, options, patience)).rejects.toMatchObject({ status: 500 })
  expect(broken.executed).toHaveLength(5)
  const stale = stepsOf(Array.from({ length: 3 }, () => ({ code: 'plan_stale', status: 409 })))
  await expect(executeOnce(stale, options, patience)).rejects.toMatchObject({ code: 'plan_stale' })
  expect(stale.executed).toEqual(['pln_1', 'pln_2', 'pln_3'])
})
