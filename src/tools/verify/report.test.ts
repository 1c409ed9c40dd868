import { expect, test } from 'vitest'
import type { LedgerRow } from './fidelityRows.js'
import type { ProbeResult } from './probe.js'
import { choicesOf, coverageOf, isDriven, scoreOf, scoresOf, zeroText } from './report.js'

const held: ProbeResult = {
  name: 'held',
  axis: 'codes',
  cells: [],
  from: { interface: 'Errors' },
  outcome: 'conforms',
  at: '2026-01-01T00:00:00.000Z',
  answers: [],
}
const missed: ProbeResult = { ...held, outcome: 'not exercised', zero: 'not driven', why: 'no' }
const difference = { where: 'GET /networks', expected: '1', seen: '2' }
const broken: ProbeResult = {
  ...held,
  ...{ axis: 'money', outcome: 'differs', zero: 'violating', difference },
}

test('default: the score is the lowest axis, not their average', () => {
  const scores = scoresOf([held, held, missed, broken, { ...held, axis: 'money' }])
  const coverage = coverageOf([held, held, held, missed])
  expect(coverage).toMatchObject({ driven: 3, of: 4, zeros: { 'not driven': 1, violating: 0 } })
  expect(scoreOf(scores, coverage)).toEqual({ percent: 50, lowest: 'money', held: 1, of: 2 })
  expect(scores.map(({ axis, zeros }) => [axis, zeroText(zeros)])).toEqual([
    ['money', '1 violating'],
    ['codes', '1 not driven'],
  ])
})

test('behavior: an axis that was not driven has no score', () => {
  const scores = scoresOf([held, { ...missed, axis: 'money' }])
  const coverage = coverageOf([held])
  expect(scoreOf(scores, coverage)).toMatchObject({ percent: 100 })
  expect(scores.map((score) => [score.axis, isDriven(score)])).toEqual([
    ['money', false],
    ['codes', true],
  ])
})

test('behavior: coverage is a side as well, and percent are rounded down', () => {
  const score = scoreOf(scoresOf([held]), coverageOf([held, held, missed]))
  expect(score).toEqual({ percent: 66, lowest: 'coverage', held: 2, of: 3 })
})

const row = (topic: string, reason = 'judgement'): LedgerRow => ({
  section: 'Plans',
  topic,
  reason,
  isHidden: false,
})

test('behavior: a choice that a server makes otherwise is not recorded, one without a probe not provable', () => {
  const of = (judgement: string, result: ProbeResult) => ({ ...result, from: { judgement } })
  const rows = ['same', 'other', 'skipped', 'hidden', 'half'].map((topic) => row(topic))
  const choices = choicesOf(
    [...rows, row('known', 'public')],
    [
      of('same', held),
      of('other', { ...broken, zero: 'not recorded' }),
      of('other', held),
      of('skipped', missed),
      of('half', missed),
      of('half', held),
    ],
  )
  expect(choices[1]!.differences).toEqual([difference])
  expect(choices.map(({ row, outcome, zero }) => [row, outcome, zero])).toEqual([
    ['same', 'conforms', undefined],
    ['other', 'differs', 'not recorded'],
    ['skipped', 'not exercised', 'not driven'],
    ['hidden', 'not exercised', 'not provable'],
    ['half', 'conforms', undefined],
  ])
})
