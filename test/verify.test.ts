import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSimulator, type SimulatorHandle } from '../src/index.js'
import { fundingByUrl } from '../src/verify/funding.js'
import { verify } from '../src/verify/run.js'

let sim: SimulatorHandle

beforeAll(async () => {
  sim = await createSimulator()
})
afterAll(() => sim.close())

test('default: the simulator conforms to everything', async () => {
  const t = Date.now()
  const report = await verify({
    target: { url: sim.url, apiKey: sim.apiKey },
    funder: fundingByUrl(`${sim.controlUrl}/fund`),
    only: ({ isSlow }) => !isSlow,
  })
  console.log(Date.now() - t, report.requests, report.ended, JSON.stringify(report.scores, null, 1))
  const wrong = report.results.filter(({ outcome }) => outcome === 'differs')
  console.log(JSON.stringify(wrong.map(({ name, difference }) => ({ name, difference })), null, 1))
  console.log(report.results.filter(({ outcome }) => outcome === 'not exercised').map((r) => r.name + ': ' + r.why))
  expect(wrong).toEqual([])
})
