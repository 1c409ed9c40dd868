import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fundingByUrl } from '../../src/tools/verify/funding.js'
import { mutants } from '../../src/tools/verify/reporters.js'
import { verifyServer } from '../../src/tools/verify/run.js'
import { type Alteration, type AlteringProxy, startAlteringProxy } from '../kit/alteringProxy.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { survivors, type WrongServer, wrongServers } from '../kit/wrongServers.js'

let sim: SimulatorHandle
let proxy: AlteringProxy

beforeAll(async () => {
  sim = await createSimulator()
  proxy = await startAlteringProxy(sim.url)
})
afterAll(async () => {
  await proxy.close()
  await sim.close()
})

/** Runs the probes of a wrong server, with its change or without. Slow ones let the clock of the simulator pass. */
function run({ probes, isSlow = false }: WrongServer, alteration: Alteration) {
  proxy.alteration = alteration
  return verifyServer({
    target: { url: proxy.url, apiKey: sim.apiKey },
    funder: fundingByUrl(`${sim.controlUrl}/fund`),
    only: (probe) => (probe.isSlow ?? false) === isSlow && probes.test(probe.name),
    ...(isSlow && {
      clock: {
        now: () => sim.clock.time().ms,
        wait: async (ms) => void (await sim.clock.advance(ms / 1_000)),
      },
    }),
  })
}

test('default: the report and the page count them', async () => {
  const of = wrongServers.length + survivors.length
  expect(mutants).toMatchObject({ caught: wrongServers.length, of })
  expect(new Set([...wrongServers, ...survivors].map(({ what }) => what)).size).toBe(of)
  const page = await readFile(new URL('../../docs/verify.md', import.meta.url), 'utf8')
  expect(page).toContain(`${wrongServers.length} of ${of} wrong servers`)
  for (const { what, why } of survivors) expect(page).toContain(`| ${what} | ${why} |`)
})

test.each(wrongServers)('error: $what: the report names $cell', async (wrong) => {
  const report = await run(wrong, wrong.alteration)
  const cell = report.cells.find((each) => each.cell === wrong.cell)
  expect(cell).toMatchObject({ outcome: 'differs' })
})

test('behavior: unaltered, the proxy changes nothing', async () => {
  const probes = /an account with|zero address|the networks|sent twice at once/
  const report = await run({ ...wrongServers[0]!, probes }, {})
  expect(report.results.filter(({ outcome }) => outcome !== 'conforms')).toEqual([])
})
