import { xml } from '../../clients/scenarios/reporters.js'
import type { CellOutcome, ProbeResult, RunReport } from './report.js'
import type { Basis } from './terms.js'
import { axes } from './terms.js'

/** How a report is written. */
export const verifyReporters = { pretty, json, junit } as const

/** For people: what differs, then every documented answer by endpoint unless it is to be brief, then the scores. */
function pretty(report: RunReport, { brief = false } = {}): string {
  const { url, reach, requests, run, results, ended } = report
  const differing = results.filter(({ outcome }) => outcome === 'differs')
  return [
    `${url}, --only ${reach}: ${results.length} probes, ${requests} requests, run ${run}`,
    '',
    ...differing.flatMap(differenceLines),
    ...(brief ? [] : [...cellLines(report.cells), '']),
    'Probes held, worst first:',
    ...report.scores.map(({ axis, held, of, differs, notExercised }) => {
      const rest = [
        ...(differs > 0 ? [`${differs} differ`] : []),
        ...(notExercised > 0 ? [`${notExercised} not exercised`] : []),
      ]
      return `  ${axis.padEnd(10)} ${held} of ${of}${rest.length > 0 ? ` (${rest.join(', ')})` : ''}`
    }),
    ...ledgerLines(report),
    ...(ended === undefined ? [] : ['', `The run did not come to its end: ${ended}`]),
    '',
  ].join('\n')
}

function differenceLines({ name, cells, difference, from }: ProbeResult): string[] {
  const { where, expected, seen } = difference!
  return [
    `DIFFERS ${cells.join(', ')}`,
    `  ${name}`,
    `  ${where}`,
    `    expected ${expected}`,
    `    seen     ${seen}`,
    `    from     ${originText(from)}`,
    '',
  ]
}

/** Where an expectation comes from, in words. */
function originText(from: Basis): string {
  if ('interface' in from) return `the interface document: ${from.interface}`
  if ('public' in from) return `what is publicly known: ${from.public}`
  return `docs/fidelity.md, row ${from.judgement}`
}

function cellLines(cells: readonly CellOutcome[]): string[] {
  const endpoints = new Map<string, CellOutcome[]>()
  for (const cell of cells) {
    const [, endpoint = ''] = cell.cell.split('@')
    endpoints.set(endpoint, [...(endpoints.get(endpoint) ?? []), cell])
  }
  const answer = ({ cell }: CellOutcome): string => cell.split('@')[0]!
  return [...endpoints].flatMap(([endpoint, own]) => {
    const held = own.filter(({ outcome }) => outcome === 'conforms').map(answer)
    const others = own.filter(({ outcome }) => outcome !== 'conforms')
    return [
      endpoint,
      ...(held.length > 0 ? [`  conforms       ${held.join(', ')}`] : []),
      ...others.map((cell) =>
        cell.outcome === 'differs'
          ? `  DIFFERS        ${answer(cell)}: ${cell.differs.join('; ')}`
          : `  not exercised  ${answer(cell)}: ${cell.why}`,
      ),
    ]
  })
}

function ledgerLines({ rowsToChange, rowsConfirmed, isSimulator }: RunReport): string[] {
  const change = rowsToChange.flatMap(({ row, differences }) => [
    `  ${row}`,
    ...differences.map(({ where, seen }) => `    ${where}: ${seen}`),
  ])
  return [
    ...(change.length > 0 ? ['', 'Rows of docs/fidelity.md to change:', ...change] : []),
    // That a simulator does what it has chosen is nothing new.
    ...(isSimulator || rowsConfirmed.length === 0
      ? []
      : [
          '',
          'Rows of docs/fidelity.md that were judgement, and are now seen:',
          ...rowsConfirmed.map((row) => `  ${row}`),
        ]),
  ]
}

/** Everything but the answers themselves. */
function json(report: RunReport): string {
  const results = report.results.map(({ answers: _, ...result }) => result)
  return `${JSON.stringify({ ...report, results }, null, 2)}\n`
}

/** JUnit's XML: a suite for each axis, a case for each probe. */
function junit({ results }: RunReport): string {
  const suites = axes.flatMap((axis) => {
    const own = results.filter((result) => result.axis === axis)
    if (own.length === 0) return []
    return [`  <testsuite name="${axis}" ${sumsOf(own)}>`, ...own.map(caseOf), '  </testsuite>']
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="svc-sim verify" ${sumsOf(results)}>`,
    ...suites,
    '</testsuites>',
    '',
  ].join('\n')
}

function sumsOf(results: readonly ProbeResult[]): string {
  const count = (outcome: string) => results.filter((result) => result.outcome === outcome).length
  return `tests="${results.length}" failures="${count('differs')}" skipped="${count('not exercised')}"`
}

function caseOf({ name, axis, cells, difference, why, from }: ProbeResult): string {
  const open = `    <testcase name="${xml(name)}" classname="${xml(`svc-sim verify.${axis}`)}"`
  if (difference) {
    const { where, expected, seen } = difference
    const message = `${cells.join(', ')}: expected ${expected}, seen ${seen}`
    return `${open}>\n      <failure message="${xml(message)}">${xml(`${where}\n${originText(from)}`)}</failure>\n    </testcase>`
  }
  if (why !== undefined) return `${open}>\n      <skipped message="${xml(why)}"/>\n    </testcase>`
  return `${open}/>`
}
