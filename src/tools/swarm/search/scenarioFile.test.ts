import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { loadScenario } from '../../../clients/scenarios/load.js'
import type { Schedule } from '../draw/draw.js'
import type { Baseline } from '../judge/run.js'
import { baselineIn, writeScenario } from './scenarioFile.js'

const out = mkdtempSync(join(tmpdir(), 'svc-sim-scenario-file-'))
afterAll(() => rmSync(out, { recursive: true, force: true }))

const lost: Schedule = [
  { on: 'execute', effect: 'response_lost', match: { kind: 'transfer' }, times: 1 },
]
const move = {
  activityId: '',
  planId: '',
  intent: 'transfer asset_symbol=USDC',
  amounts: { amount: 4n },
}
const baseline: Baseline = {
  tookMs: undefined,
  cursorRewinds: { toStart: 1, toEarlier: 0 },
  outcome: {
    prices: { USDC: '1', WETH: '3000' },
    accounts: [{ id: 'number 1', holdings: { 'token/base/USDC': 6n }, moves: [move] }],
  },
}
const cause = 'a lost response to an execution'
const finding = { kind: 'moved_twice', cause, rules: lost, seed: 1 } as const

test('default: a file of a dozen lines, which says the same when it is read', async () => {
  const { scenario, trace } = await writeScenario(out, finding, {
    baseline,
    clock: 'auto',
    written: new Map(),
  })
  expect([scenario, trace]).toEqual([
    join(out, 'moved_twice-execute.response_lost.yaml'),
    join(out, 'moved_twice-execute.response_lost.trace'),
  ])
  const lines = readFileSync(scenario, 'utf8').trimEnd().split('\n')
  expect(lines.length).toBeLessThanOrEqual(12)
  const { faults, outcome, given } = loadScenario(scenario)
  expect(faults).toEqual(lost)
  expect(given).toMatchObject({ clock: 'auto', seed: 1 })
  expect(baselineIn(outcome!)).toEqual(baseline)
})

test('behavior: a client without accounts, and a finding without faults, can be read too', async () => {
  // Files of earlier versions have no prices.
  const none = { ...baseline, outcome: { accounts: [] } }
  const { scenario } = await writeScenario(
    out,
    { ...finding, rules: [] },
    { baseline: none, clock: 'auto', written: new Map() },
  )
  const { faults, outcome } = loadScenario(scenario)
  expect(faults).toEqual([])
  expect(baselineIn(outcome!)).toEqual(none)
})

test('behavior: a file is named after the effects that were met; findings of other causes do not replace it', async () => {
  const written = new Map()
  const file = async (cause: string, rules: Schedule): Promise<string> => {
    const gaveUp = { kind: 'gave_up', cause, rules, seed: 1 } as const
    return (await writeScenario(out, gaveUp, { baseline, clock: 'auto', written })).scenario
  }
  const truncate: Schedule = [{ on: 'request', effect: 'truncate', times: 1 }]
  const both: Schedule = [...truncate, { on: 'plan', effect: { stale: { by: 'nonce' } }, times: 1 }]
  expect(await file('a cut connection', truncate)).toBe(join(out, 'gave_up-request.truncate.yaml'))
  expect(await file('409 plan_stale', truncate)).toBe(join(out, 'gave_up-request.truncate-2.yaml'))
  expect(await file('a cut connection', truncate)).toBe(join(out, 'gave_up-request.truncate.yaml'))
  const larger = join(out, 'gave_up-plan.stale.nonce-request.truncate.yaml')
  expect(await file('409 plan_stale', both)).toBe(join(out, 'gave_up-request.truncate-2.yaml'))
  expect(await file('500 internal_error', both)).toBe(larger)
  expect(existsSync(larger)).toBe(true)
  // The smaller one of two sightings takes the place of the larger one.
  const third = join(out, 'gave_up-request.truncate-3.yaml')
  expect(await file('500 internal_error', truncate)).toBe(third)
  expect([existsSync(larger), existsSync(third)]).toEqual([false, true])
})
