import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { answerEffects } from '../../src/faults/effects/index.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { expectVerifyAccepts } from '../kit/verifyAnswers.js'

/** `svc-sim verify` accepts what the effects of the seam `answer` change, since the interface does. Each by itself: tier `soak`. */

let sim: SimulatorHandle

beforeAll(async () => {
  sim = await createSimulator()
})
afterEach(() => sim.faults.clear())
afterAll(() => sim.close())

/** Deals the effects out, so that neighbours in the list, which change the same answers, do not hide each other. */
const names = answerEffects.map(({ name }) => name)
const hands = [0, 1, 2, 3].map((hand) => names.filter((_, index) => index % 4 === hand))

test('default: every effect is tried', () => {
  expect(hands.flat().sort()).toEqual([...names].sort())
})

test.each(hands.map((hand) => [hand.join(', '), hand] as const))(
  'behavior: a server with %s breaks nothing that the interface promises',
  (_, hand) => expectVerifyAccepts(sim, hand),
  120_000,
)
