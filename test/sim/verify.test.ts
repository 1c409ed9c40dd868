import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answerEffects } from '../../src/faults/effects/index.js'
import { routesOf } from '../../src/http/allRoutes.js'
import { cellsOf } from '../../src/http/pipeline/coverage.js'
import { planKinds } from '../../src/service/plans/kinds/index.js'
import { cellName, readDocument } from '../../src/tools/verify/documented.js'
import { fundingByUrl } from '../../src/tools/verify/funding.js'
import { allProbes } from '../../src/tools/verify/probes/index.js'
import { driftOf, recordOf } from '../../src/tools/verify/record.js'
import { isBreach, type RunReport } from '../../src/tools/verify/report.js'
import { type VerifyOptions, verifyServer } from '../../src/tools/verify/run.js'
import { axes } from '../../src/tools/verify/types.js'
import { type AlteringProxy, startAlteringProxy } from '../kit/alteringProxy.js'
import { createSimulator, type SimulatorHandle } from '../kit/simulator.js'
import { openUser } from '../kit/user.js'
import { survivors } from '../kit/wrongServers.js'

let sim: SimulatorHandle
let proxy: AlteringProxy
let first: RunReport

/** Runs against the simulator, whose clock passes instead of ours. */
function run(options: Partial<VerifyOptions> = {}): Promise<RunReport> {
  return verifyServer({
    target: { url: sim.url, apiKey: sim.apiKey },
    funder: fundingByUrl(`${sim.controlUrl}/fund`),
    clock: {
      now: () => sim.clock.time().ms,
      wait: async (ms) => void (await sim.clock.advance(ms / 1_000)),
    },
    ...options,
  })
}

const badOf = ({ results }: RunReport) =>
  results.filter(({ outcome }) => outcome !== 'conforms').map(({ answers: _, ...result }) => result)

beforeAll(async () => {
  sim = await createSimulator()
  proxy = await startAlteringProxy(sim.url)
  // Through a proxy that is wrong in all ways that no run can see.
  proxy.alteration = {
    async answer(...exchange) {
      for (const { alteration } of survivors) await alteration.answer!(...exchange)
    },
  }
  first = await run({ target: { url: proxy.url, apiKey: sim.apiKey } })
}, 240_000)
afterAll(async () => {
  await proxy.close()
  await sim.close()
})

test('default: the simulator does all that is expected of it, and every probe can find it out', () => {
  expect(badOf(first)).toEqual([])
  expect(first.ended).toBeUndefined()
  expect(first.choices.filter(({ outcome }) => outcome === 'differs')).toEqual([])
  expect(first.requests).toBeLessThan(1_000)
  // The number of probes is that of the corpus and of the progress.
  expect(first.probes).toBe(allProbes(readDocument()).length)
})

test('behavior: every cell is reported, with a reason when it was not exercised', () => {
  expect(first.cells).toHaveLength(readDocument().cells.length)
  const silent = first.cells.filter((cell) => cell.outcome === 'not exercised' && !cell.why)
  expect(first.cells.filter(({ outcome, zero }) => outcome !== 'conforms' && !zero)).toEqual([])
  expect(silent).toEqual([])
  const met = first.cells.filter(({ outcome }) => outcome === 'conforms').map(({ cell }) => cell)
  for (const cell of ['200@execute', '404:plan_not_found@execute', '409:plan_stale@execute'])
    expect(met).toContain(cell)
})

test('behavior: scores are told worst first, for every axis', () => {
  expect(first.scores.map(({ axis }) => axis).sort()).toEqual([...axes].sort())
  const parts = first.scores.map(({ held, of }) => held / of)
  expect(parts).toEqual([...parts].sort((a, b) => a - b))
})

test('behavior: coverage and divergence apart: nothing differs, and the score is what is not driven', () => {
  const { coverage, divergence, score, measured, choices } = first
  expect(divergence).toMatchObject({ different: 0, of: first.results.length })
  expect(coverage.answers.driven).toBeLessThan(coverage.answers.of)
  const { driven, of } = coverage.answers
  expect(score).toMatchObject({ lowest: 'coverage', percent: Math.floor((driven * 100) / of) })
  // Every choice has a probe that ran, or cannot be seen from outside.
  expect(choices.filter(({ zero }) => zero !== undefined && zero !== 'not provable')).toEqual([])
  expect(measured.targetVersion).toMatch(/^\d+\.\d+\.\d+$/)
  expect(first.results.every(({ at }) => Date.parse(at) >= Date.parse(measured.at))).toBe(true)
})

test('behavior: docs/verify.md has our scores', async () => {
  const page = await readFile(new URL('../../docs/verify.md', import.meta.url), 'utf8')
  const { results, scores } = first
  for (const axis of axes) {
    const { held, of } = scores.find((score) => score.axis === axis)!
    expect(page).toContain(`| ${axis} | ${held} of ${of} |`)
  }
  const held = results.filter(({ outcome }) => outcome === 'conforms').length
  expect(page).toContain(`| all | ${held} of ${results.length} |`)
  const met = first.cells.filter(({ outcome }) => outcome === 'conforms').length
  expect(page).toContain(`cover ${met} of the ${first.cells.length} documented responses`)
  const all = cellsOf(new Map(), routesOf(planKinds).service).length
  expect(page).toContain(`The OpenAPI document has ${all} answers`)
  expect(page).toContain(`\`verify\` leaves out ${all - first.cells.length},`)
  const missed = first.cells.filter(({ outcome }) => outcome === 'not exercised')
  const cannot = missed.filter(({ zero }) => zero === 'not provable')
  expect(page).toContain(`${cannot.length} cannot be caused from outside`)
  expect(page).toContain(`do not try the other ${missed.length - cannot.length} (`)
})

test('behavior: a second run with the same key, while another client works, finds the same: no drift', async () => {
  const documented = readDocument()
  const other = await openUser(sim)
  await other.fund('base', 'USDC', 50_000_000n)
  let isOver = false
  const works = (async () => {
    const friend = '0x00000000000000000000000000000000000f41e7'
    while (!isOver)
      await other.run('transfer', {
        ...{ asset: 'USDC', network: 'base', amount: '1000', recipient: friend },
      })
  })()
  const second = await run({ only: ({ isSlow }) => !isSlow }).finally(() => {
    isOver = true
  })
  await works
  expect(badOf(second)).toEqual([])
  expect(driftOf(recordOf(first, documented), recordOf(second, documented))).toEqual([])
}, 240_000)

test('behavior: two runs at once with the same key do not disturb each other', async () => {
  const quick: VerifyOptions['only'] = ({ axis, isSlow }) =>
    !isSlow && ['money', 'staleness'].includes(axis)
  const both = await Promise.all([run({ only: quick }), run({ only: quick })])
  for (const report of both) expect(badOf(report)).toEqual([])
}, 120_000)

test('behavior: without money the rest is found out, and what needs money says so', async () => {
  const report = await run({ funder: undefined, reach: 'plan', only: ({ isSlow }) => !isSlow })
  expect(report.results.filter(({ outcome }) => outcome === 'differs')).toEqual([])
  const reasons = new Set(report.results.flatMap(({ why }) => (why ? [why] : [])))
  expect(reasons).toContain('needs money: give --fund-url or --fund-cmd')
  expect(report.results.some(({ outcome }) => outcome === 'conforms')).toBe(true)
})

test('behavior: --only read makes no account', async () => {
  const user = await openUser(sim)
  const count = async () => (await user.api.get('/accounts')).body.accounts.length
  const before = await count()
  const report = await run({ reach: 'read' })
  expect(report.results.filter(({ outcome }) => outcome === 'differs')).toEqual([])
  expect(await count()).toBe(before)
})

test('behavior: what the interface allows beside our answers is accepted, all of it at once', async () => {
  // These two contradict others; test/process/verifyAnswers.test.ts has a run for every one by itself.
  const apart = ['failure_uses_plan_up', 'strict_requests']
  const together = answerEffects.filter(({ name }) => !apart.includes(name))
  await sim.faults.set(together.map(({ name }) => ({ on: 'answer', effect: name })))
  const report = await run({ only: ({ isSlow }) => !isSlow }).finally(() => sim.faults.clear())
  expect(report.ended).toBeUndefined()
  expect(report.results.filter(isBreach).map(({ name, difference }) => [name, difference])).toEqual(
    [],
  )
  // They are seen all the same, as choices that this server makes otherwise.
  const otherwise = report.choices.filter(({ outcome }) => outcome === 'differs')
  expect(otherwise.length).toBeGreaterThan(10)
}, 120_000)

describe('the probes', () => {
  const documented = readDocument()
  const probes = allProbes(documented)

  test('default: no two have the same axis and name', () => {
    const names = probes.map(({ axis, name }) => `${axis}: ${name}`)
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([])
  })

  test('behavior: each is about answers that are documented', () => {
    const cells = new Set(documented.cells.map(cellName))
    for (const extra of ['404:not_found@(no route)', '405:method_not_allowed@(other method)'])
      cells.add(extra)
    const unknown = probes.flatMap((probe) => probe.cells.filter((cell) => !cells.has(cell)))
    expect(unknown).toEqual([])
  })

  test('behavior: names of cells are unique', () => {
    const names = documented.cells.map(cellName)
    expect(new Set(names).size).toBe(names.length)
  })
})
