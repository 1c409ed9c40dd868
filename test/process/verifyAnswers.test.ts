import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { answerEffects } from '../../src/faults/effects/answer/index.js'
import type { FaultRuleInput } from '../../src/index.js'
import { fundingByUrl } from '../../src/tools/verify/funding.js'
import { isBreach } from '../../src/tools/verify/report.js'
import { verifyServer } from '../../src/tools/verify/run.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'

/** Each effect of the seam `answer` by itself: `svc-sim verify` accepts the answers, since the interface does. */

let sim: SimulatorHandle

beforeAll(async () => {
  sim = await createSimulator()
})
afterEach(() => sim.faults.clear())
afterAll(() => sim.close())

test.each(answerEffects.map(({ name }) => name))(
  'behavior: a server with %s breaks nothing that the interface promises',
  async (effect) => {
    await sim.faults.add({ on: 'answer', effect } as unknown as FaultRuleInput)
    const report = await verifyServer({
      target: { url: sim.url, apiKey: sim.apiKey },
      funder: fundingByUrl(`${sim.controlUrl}/fund`),
      pace: {
        now: () => sim.clock.time().ms,
        wait: async (ms) => void (await sim.clock.advance(ms / 1_000)),
      },
      only: ({ isSlow }) => !isSlow,
    })
    expect(report.ended).toBeUndefined()
    const broken = report.results.filter(isBreach)
    expect(broken.map(({ name, difference }) => [name, difference])).toEqual([])
    // A stream is none of the requests that probes send.
    if (effect !== 'unknown_messages') expect(sim.faults.list()[0]!.hits).toBeGreaterThan(0)
  },
  120_000,
)
