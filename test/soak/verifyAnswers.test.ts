import { afterAll, afterEach, beforeAll, test } from 'vitest'
import { answerEffects } from '../../src/faults/effects/index.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { expectVerifyAccepts } from '../kit/verifyAnswers.js'

/** Each effect of the seam `answer` by itself, as test/process/verifyAnswers tries several at once. */

let sim: SimulatorHandle

beforeAll(async () => {
  sim = await createSimulator()
})
afterEach(() => sim.faults.clear())
afterAll(() => sim.close())

test.each(answerEffects.map(({ name }) => name))(
  'behavior: a server with %s breaks nothing that the interface promises',
  (effect) => expectVerifyAccepts(sim, [effect]),
  120_000,
)
