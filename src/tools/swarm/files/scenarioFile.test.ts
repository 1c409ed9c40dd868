import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { loadScenario } from '../../../clients/scenarios/load.js'
import type { Schedule } from '../draw/draw.js'
import type { Baseline } from '../judge/run.js'
import { baselineIn } from './expectation.js'
import { writeScenario } from './scenarioFile.js'

const out = mkdtempSync(join(tmpdir(), 'svc-sim-scenario-file-'))
afterAll(() => rmSync(out, { recursive: true, force: true }))

const lost: Schedule = [
  { on: 'execute', effect: 'response_lost', match: { kind: 'transfer' }, times: 1 },
]
const move = {
  activityId: '',
  planId: '',
  wish: 'transfer asset_symbol=USDC',
  amounts: { amount: 4n },
}
const baseline: Baseline = {
  tookMs: 300,
  stepsBack: { toStart: 1, behind: 0 },
  outcome: { accounts: [{ id: 'number 1', holdings: { 'token/base/USDC': 6n }, moves: [move] }] },
}
const finding = { kind: 'moved_twice', rules: lost, seed: 1 } as const

test('default: a file of a dozen lines, which says the same when it is read', async () => {
  const { scenario, trace } = await writeScenario(out, finding, { baseline, timeoutMs: 10_000 })
  expect([scenario, trace]).toEqual([
    join(out, 'moved_twice-lost_answer.yaml'),
    join(out, 'moved_twice-lost_answer.trace'),
  ])
  const lines = readFileSync(scenario, 'utf8').trimEnd().split('\n')
  expect(lines.length).toBeLessThanOrEqual(12)
  const { faults, outcome, given } = loadScenario(scenario)
  expect(faults).toEqual(lost)
  expect(given).toMatchObject({ clock: 'auto', seed: 1 })
  expect(baselineIn(outcome!)).toEqual(baseline)
})

test('behavior: a client without accounts, and a finding without faults, can be read too', async () => {
  const none = { ...baseline, outcome: { accounts: [] } }
  const { scenario } = await writeScenario(
    out,
    { ...finding, rules: [] },
    { baseline: none, timeoutMs: 10_000 },
  )
  const { faults, outcome } = loadScenario(scenario)
  expect(faults).toEqual([])
  expect(baselineIn(outcome!)).toEqual(none)
})
