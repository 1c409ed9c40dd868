import { type JUnitCase, junitXml } from '../../clients/testing/junit.js'
import { sourceOf } from './corpus.js'
import { ledgerText, sourceDates } from './fidelityRows.js'
import type { ProbeResult } from './probe.js'
import {
  type AxisScore,
  type CellOutcome,
  isDriven,
  type RunReport,
  type Zeros,
  zeroText,
} from './report.js'
import { axes, type Basis } from './types.js'

/**
 * How well the probes check: servers that break the interface in one way each, and how many of them `verify` reports. The servers are
 * `test/kit/wrongServers.ts`; a test compares these numbers with them.
 */
export const mutants = { caught: 74, of: 78, measured: '2026-11-27' } as const

export const verifyReporters = { pretty, json, junit } as const

/** `brief` leaves out the list of documented responses. */
function pretty(report: RunReport, { brief = false } = {}): string {
  const { url, reach, requests, run, probes, results, ended } = report
  const differing = results.filter(({ outcome }) => outcome === 'differs')
  return [
    `${url}, --only ${reach}: ${probes} probes, ${results.length} checks, ${requests} requests, run ${run}`,
    '',
    ...differing.flatMap(differenceLines),
    ...(differing.length > 0 ? replayLines(url) : []),
    ...(brief ? [] : [...cellLines(report.cells), '']),
    'Checks held, worst first:',
    ...report.scores.map(axisLine),
    ...summaryLines(report),
    ...ledgerLines(report),
    ...(ended === undefined ? [] : ['', `The run did not come to its end: ${ended}`]),
    '',
  ].join('\n')
}

/** Probes that only compute have no scenario; `corpus` says so. */
function replayLines(url: string): string[] {
  return [
    'Play one again:',
    '  svc-sim corpus --probe "NAME" --out probe.json',
    `  svc-sim scenario run probe.json --base-url ${url}`,
    '',
  ]
}

/** An axis that was not driven has no score. */
function axisLine(score: AxisScore): string {
  const { axis, held, of, zeros } = score
  const counts = isDriven(score) ? `${held} of ${of}${inBrackets(zeros)}` : `not driven: ${of}`
  return `  ${axis.padEnd(10)} ${counts}`
}

function summaryLines({ score, coverage, divergence, measured }: RunReport): string[] {
  const { answers, choices } = coverage
  const { at, version, corpus, targetVersion } = measured
  const target = targetVersion === null ? '' : `, server ${targetVersion}`
  return [
    '',
    `Coverage    ${answers.driven} of ${answers.of} documented answers${inBrackets(answers.zeros)}`,
    `            ${choices.driven} of ${choices.of} choices of docs/fidelity.md${inBrackets(choices.zeros)}`,
    `Divergence  ${divergence.different} of ${divergence.of} checks that ran${inBrackets(divergence.zeros)}`,
    `Score       ${score.percent} %, the lowest of all: ${score.lowest}`,
    `Measured    ${at} by svc-sim ${version}${target}, probes ${corpus}`,
    `Checker     ${mutants.caught} of ${mutants.of} wrong servers caught on ${mutants.measured}`,
  ]
}

function inBrackets(counts: Zeros): string {
  const text = zeroText(counts)
  return text === '' ? '' : ` (${text})`
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
          : `  ${cell.zero!.padEnd(13)}  ${answer(cell)}: ${cell.why}`,
      ),
    ]
  })
}

function ledgerLines({ choices, isSimulator }: RunReport): string[] {
  const confirmed = choices.filter(({ outcome }) => outcome === 'conforms')
  const differing = choices.filter(({ outcome }) => outcome === 'differs')
  const change = differing.flatMap(({ row, differences }) => [
    `  ${row}`,
    ...differences.map(({ where, seen }) => `    ${where}: ${seen}`),
  ])
  return [
    ...(change.length > 0 ? ['', 'Rows of docs/fidelity.md to change:', ...change] : []),
    // A simulator always conforms to its own choices.
    ...(isSimulator || confirmed.length === 0
      ? []
      : [
          '',
          'Rows of docs/fidelity.md that were judgement, and are now seen:',
          ...confirmed.map(({ row }) => `  ${row}`),
        ]),
  ]
}

/** Without the responses. Each claim has the day on which its source was last checked. */
function json(report: RunReport): string {
  const sources = sourceDates(ledgerText())
  const results = report.results.map(({ answers: _, ...result }) => {
    return { ...result, checked: sources[sourceOf(result.from).kind] }
  })
  return `${JSON.stringify({ ...report, sources, checker: { mutants }, results }, null, 2)}\n`
}

function junit({ results }: RunReport): string {
  const suites = axes.flatMap((axis) => {
    const own = results.filter((result) => result.axis === axis)
    return own.length === 0 ? [] : [[axis, own.map(caseOf)]]
  })
  return junitXml(Object.fromEntries(suites), { name: 'svc-sim verify' })
}

function caseOf({ name, axis, cells, difference, why, from }: ProbeResult): JUnitCase {
  const base = { name, classname: `svc-sim verify.${axis}` }
  if (!difference) return why === undefined ? base : { ...base, skipped: why }
  const { where, expected, seen } = difference
  const message = `${cells.join(', ')}: expected ${expected}, seen ${seen}`
  return { ...base, failure: { message, text: `${where}\n${originText(from)}` } }
}

/** One line that changes on a terminal, or a line for each tenth elsewhere. Differences have their own lines. */
export function verifyProgress(output: Pick<NodeJS.WriteStream, 'write' | 'isTTY'>) {
  let differing = 0
  const clear = output.isTTY ? '\r\u001b[K' : ''
  return {
    onResult({ outcome, name, cells }: ProbeResult): void {
      if (outcome !== 'differs') return
      differing++
      output.write(`${clear}svc-sim: differs: ${cells.join(', ')}: ${name}\n`)
    },
    onProgress(done: number, of: number): void {
      const text = `svc-sim: ${done} of ${of} probes, differences: ${differing}`
      const isOver = done === of
      if (output.isTTY) output.write(`${clear}${isOver ? '' : text}`)
      else if (tenth(done, of) > tenth(done - 1, of)) output.write(`${text}\n`)
    },
  }
}

function tenth(done: number, of: number): number {
  return Math.floor((done * 10) / of)
}
