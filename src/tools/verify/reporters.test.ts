import { expect, test } from 'vitest'
import { readDocument } from './documented.js'
import type { ProbeResult } from './probe.js'
import { reportOf } from './report.js'
import { verifyProgress, verifyReporters } from './reporters.js'

const held: ProbeResult = {
  name: 'a signer has one account',
  axis: 'codes',
  cells: ['409:account_already_exists@POST accounts'],
  from: { interface: 'Accounts' },
  outcome: 'conforms',
  at: '2026-01-01T00:00:00.000Z',
  answers: [],
}
const differing: ProbeResult = {
  ...held,
  name: 'an amount of <zero> is refused',
  cells: ['400:invalid_params@earn'],
  from: { judgement: 'Zero amounts' },
  outcome: 'differs',
  zero: 'not recorded',
  difference: { expected: '400 invalid_params', seen: '201 {}', where: 'POST /plan/earn' },
}
const skipped: ProbeResult = {
  ...held,
  name: 'a plan lives for two minutes',
  axis: 'time',
  cells: ['201@transfer'],
  outcome: 'not exercised',
  zero: 'not driven',
  why: 'needs money',
}
const parts = {
  url: 'http://service',
  run: 'abc',
  reach: 'all' as const,
  isSimulator: false,
  measured: {
    ...{ at: '2026-01-01T00:00:00.000Z', targetVersion: '3.2', version: '1.0.0', corpus: 'abc' },
  },
  ledger: [{ section: 'Plans', topic: 'Zero amounts', reason: 'judgement', isHidden: false }],
  ended: undefined,
  requests: 3,
  probes: 2,
  cells: readDocument().cells,
}
const report = reportOf({ ...parts, results: [held, differing, skipped] })

test('default: for people: differences, cells by endpoint, scores, rows of the ledger', () => {
  const text = verifyReporters.pretty(report)
  expect(text).toContain('http://service, --only all: 2 probes, 3 checks, 3 requests, run abc\n')
  expect(text).toContain('Divergence  1 of 2 checks that ran (1 not recorded)\n')
  expect(text).toContain(
    'DIFFERS 400:invalid_params@earn\n  an amount of <zero> is refused\n  POST /plan/earn\n    expected 400 invalid_params\n    seen     201 {}\n    from     docs/fidelity.md, row Zero amounts\n',
  )
  expect(text).toContain('POST accounts\n  conforms       409:account_already_exists\n')
  expect(text).toContain('  DIFFERS        400:invalid_params: an amount of <zero> is refused\n')
  expect(text).toContain('  not driven     201: needs money\n')
  expect(text).toContain(
    'worst first:\n  time       not driven: 1\n  codes      1 of 2 (1 not recorded)\n',
  )
  expect(text).toContain('to change:\n  Zero amounts\n    POST /plan/earn: 201 {}\n')
})

test('behavior: in brief, differences and scores, but no cells', () => {
  const text = verifyReporters.pretty(report, { brief: true })
  expect(text).toContain('DIFFERS 400:invalid_params@earn\n')
  expect(text).toContain('Checks held, worst first:\n')
  expect(text).not.toContain('  conforms ')
  expect(text).not.toContain('not driven     201')
})

test('behavior: rows that were judgement and are seen now are told, but not by a simulator', () => {
  const { difference: _, ...same } = differing
  const results: ProbeResult[] = [{ ...same, outcome: 'conforms' }]
  const seen = 'are now seen:\n  Zero amounts\n'
  expect(verifyReporters.pretty(reportOf({ ...parts, results }))).toContain(seen)
  const own = reportOf({ ...parts, results, isSimulator: true })
  expect(verifyReporters.pretty(own)).not.toContain(seen)
})

test('behavior: a row of which one probe differs is not seen, although another holds', () => {
  const { difference: _, ...same } = differing
  const results: ProbeResult[] = [differing, { ...same, outcome: 'conforms' }]
  const { choices } = reportOf({ ...parts, results })
  expect(choices).toMatchObject([{ outcome: 'differs', differences: [differing.difference] }])
})

test('behavior: JUnit has a suite for each axis, and the cell in the failure', () => {
  const text = verifyReporters.junit(report)
  expect(text).toContain('<testsuites name="svc-sim verify" tests="3" failures="1" skipped="1">')
  expect(text).toContain('<testsuite name="codes" tests="2" failures="1" skipped="0">')
  expect(text).toContain('name="an amount of &lt;zero&gt; is refused"')
  expect(text).toContain(
    '<failure message="400:invalid_params@earn: expected 400 invalid_params, seen 201 {}">',
  )
  expect(text).toContain('<skipped message="needs money"/>')
})

test('behavior: JSON has all of it but the answers', () => {
  const read = JSON.parse(verifyReporters.json(report))
  expect(read.scores[0]).toMatchObject({
    axis: 'time',
    held: 0,
    zeros: { 'not driven': 1 },
    of: 1,
  })
  expect(read.score).toMatchObject({ percent: 0, lowest: 'coverage' })
  expect(read.divergence).toMatchObject({ different: 1, of: 2, zeros: { 'not recorded': 1 } })
  expect(read.probes).toBe(2)
  expect(read.measured).toEqual(parts.measured)
  expect(read.checker.mutants.of).toBeGreaterThan(read.checker.mutants.caught)
  // The day of the source: of the interface there is one, of a choice of ours none.
  expect(read.results.map(({ checked }: { checked: unknown }) => typeof checked)).toEqual([
    ...['string', 'object', 'string'],
  ])
  expect(read.results).toHaveLength(3)
  expect(read.results[0]).not.toHaveProperty('answers')
  expect(read.cells).toHaveLength(readDocument().cells.length)
})

test('behavior: a run that did not come to its end says so last', () => {
  const ended = 'http://service does not answer any more'
  const text = verifyReporters.pretty(reportOf({ ...parts, ended, results: [held] }))
  expect(text).toMatch(
    /The run did not come to its end: http:\/\/service does not answer any more\n$/,
  )
})

function progressOn(isTTY: boolean) {
  const written: string[] = []
  const output = { isTTY, write: (text: string) => written.push(text) }
  return { progress: verifyProgress(output as never), written: () => written.join('') }
}

const strange = { outcome: 'differs', name: 'a plan lives', cells: ['201@earn'] } as never
const conforming = { outcome: 'conforms', name: 'b', cells: [] } as never as ProbeResult

test('default: a line for each tenth, and one for what differs', () => {
  const { progress, written } = progressOn(false)
  progress.onResult(conforming)
  progress.onResult(strange)
  for (let done = 1; done <= 25; done++) progress.onProgress(done, 25)
  const lines = written().trimEnd().split('\n')
  expect(lines[0]).toBe('svc-sim: differs: 201@earn: a plan lives')
  expect(lines.slice(1)).toHaveLength(10)
  expect(lines.at(-1)).toBe('svc-sim: 25 of 25 probes, differences: 1')
})

test('behavior: on a terminal one line is written over, and is gone at the end', () => {
  const { progress, written } = progressOn(true)
  progress.onProgress(1, 2)
  progress.onResult(strange)
  progress.onProgress(2, 2)
  const clear = '\r\u001b[K'
  expect(written()).toBe(
    `${clear}svc-sim: 1 of 2 probes, differences: 0${clear}svc-sim: differs: 201@earn: a plan lives\n${clear}`,
  )
})
