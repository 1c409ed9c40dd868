import { expect } from 'vitest'
import type { FaultRuleInput } from '../../src/index.js'
import { fundingByUrl } from '../../src/tools/verify/funding.js'
import { isBreach } from '../../src/tools/verify/report.js'
import { verifyServer } from '../../src/tools/verify/run.js'
import type { SimulatorHandle } from './simulator.js'

/**
 * Lets `svc-sim verify` judge a simulator that answers with these effects of the seam `answer`, and expects that no
 * probe finds a breach and that each effect has met a response.
 */
export async function expectVerifyAccepts(sim: SimulatorHandle, effects: string[]): Promise<void> {
  for (const effect of effects)
    await sim.faults.add({ on: 'answer', effect } as unknown as FaultRuleInput)
  const report = await verifyServer({
    target: { url: sim.url, apiKey: sim.apiKey },
    funder: fundingByUrl(`${sim.controlUrl}/fund`),
    clock: {
      now: () => sim.clock.time().ms,
      wait: async (ms) => void (await sim.clock.advance(ms / 1_000)),
    },
    only: ({ isSlow }) => !isSlow,
  })
  expect(report.ended).toBeUndefined()
  const broken = report.results.filter(isBreach)
  expect(broken.map(({ name, difference }) => [name, difference])).toEqual([])
  // A stream is none of the requests that probes send.
  const idle = sim.faults
    .list()
    .filter(({ effect, seen }) => seen === 0 && effect !== 'unknown_messages')
  expect(idle.map(({ effect }) => effect)).toEqual([])
}
