import fc from 'fast-check'
import { afterAll, beforeAll, test } from 'vitest'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { lives, moreSteps } from '../lives/commands.js'
import { end } from '../lives/holds.js'
import { begin } from '../lives/life.js'

/**
 * Short random lives with faults, reorganisations and restores. An ordinary run has the same ten each time; `LIVES` and `LIVES_SEED` ask for
 * others, as test/soak/lives.test.ts does with longer ones. A failure is printed with its seed and its shortest steps.
 */
const { LIVES, LIVES_SEED, LIVES_SHRINK, LIVES_STEPS } = process.env

let sim: SimulatorHandle
beforeAll(async () => {
  sim = await createSimulator({ clock: 'frozen', seed: 5n, rpcUnsafe: true })
})
afterAll(() => sim.close())

test('default: whatever comes in between, no money is there twice or lost, and what is told is what is on the chains', async () => {
  await fc.assert(
    fc.asyncProperty(lives(Number(LIVES_STEPS ?? 12), moreSteps.cancel), async (steps) => {
      const life = await begin(sim)
      await fc.asyncModelRun(() => ({ model: {}, real: life }), steps)
      await end(life)
    }),
    {
      numRuns: Number(LIVES ?? 10),
      seed: Number(LIVES_SEED ?? 34),
      interruptAfterTimeLimit: 540_000,
      endOnFailure: LIVES_SHRINK === 'no',
    },
  )
}, 600_000)
