import type { Difference } from '../../clients/scenarios/expect.js'
import type { Cell } from '../../http/pipeline/coverage.js'
import { cellName } from './documented.js'
import type { LedgerRow } from './fidelityRows.js'
import type { ProbeOutcome, ProbeResult } from './probe.js'
import { type Axis, axes, type Reach, type Zero, zeros } from './types.js'

export interface CellOutcome {
  cell: string
  outcome: ProbeOutcome
  zero?: Zero
  why?: string
  /** The probes that differ. */
  differs: readonly string[]
}

interface Measurement {
  /** When it began, in ISO 8601. */
  at: string
  /** The version of the OpenAPI document that the server has; null when it has none. */
  targetVersion: string | null
  /** Of svc-sim. */
  version: string
  /** Fingerprint of the probes: the same text, the same questions. */
  corpus: string
}

export interface RunReport {
  url: string
  /** Its name; the keys of its accounts follow from it and the API key. */
  run: string
  reach: Reach
  isSimulator: boolean
  measured: Measurement
  /** Why it did not come to its end. */
  ended: string | undefined
  requests: number
  probes: number
  /** Of each probe, and of each comparison of responses with the document. */
  results: readonly ProbeResult[]
  cells: readonly CellOutcome[]
  score: Score
  /** Worst first. */
  scores: readonly AxisScore[]
  /** How many documented responses, and choices of ours, the run has driven. */
  coverage: { answers: Driven; choices: Driven }
  /** How many of the checks that ran found a difference. */
  divergence: { different: number; of: number; zeros: Zeros }
  choices: readonly ChoiceOutcome[]
}

/** Whether a result breaks the interface or what is publicly known. A row of docs/fidelity.md is a choice of ours. */
export function isBreach({ outcome, from }: Pick<ProbeResult, 'outcome' | 'from'>): boolean {
  return outcome === 'differs' && !('judgement' in from)
}

export function reportOf({
  cells,
  ledger,
  ...run
}: Omit<RunReport, keyof Summary> & {
  cells: readonly Cell[]
  ledger: readonly LedgerRow[]
}): RunReport {
  const { results } = run
  const outcomes = cells.map((cell) => cellOutcome(cell, results))
  const choices = choicesOf(ledger, results)
  const answers = coverageOf(outcomes)
  const scores = scoresOf(results)
  const ran = results.filter(({ outcome }) => outcome !== 'not exercised')
  const different = ran.filter(({ outcome }) => outcome === 'differs')
  return {
    ...run,
    score: scoreOf(scores, answers),
    coverage: { answers, choices: coverageOf(choices) },
    divergence: { different: different.length, of: ran.length, zeros: zerosOf(different) },
    scores,
    cells: outcomes,
    choices,
  }
}

type Summary = Pick<RunReport, 'score' | 'scores' | 'coverage' | 'divergence' | 'cells' | 'choices'>

function cellOutcome(cell: Cell, results: readonly ProbeResult[]): CellOutcome {
  const name = cellName(cell)
  const own = results.filter(({ cells }) => cells.includes(name))
  const differing = own.filter(({ outcome }) => outcome === 'differs')
  const differs = differing.map((each) => each.name)
  if (differs.length > 0) {
    const zero = differing.some(isBreach) ? 'violating' : 'not recorded'
    return { cell: name, outcome: 'differs', zero, differs }
  }
  if (own.some(({ outcome }) => outcome === 'conforms'))
    return { cell: name, outcome: 'conforms', differs }
  const missed = own.find((each) => each.why !== undefined)
  const { zero, why } = missed ?? whyNot(cell)
  return { cell: name, outcome: 'not exercised', zero: zero!, why: why!, differs }
}

/** Codes that no client can cause. */
const unprovable: Record<string, string> = {
  api_key_revoked: 'needs a key that was revoked',
  no_wallet: 'accounts have wallets from the start',
  swap_quote_failed: 'the aggregator of the service would have to fail',
  timeout: 'the service would have to be slow',
}

/** Codes that no probe causes, although a client could. */
const undriven: Record<string, string> = {
  invalid_params: 'a malformed path or header is often refused before the service sees it',
  payload_too_large: 'a large body is sent to one endpoint only',
}

function whyNot({ code, status }: Cell): { zero: Zero; why: string } {
  const why = unprovable[code ?? '']
  if (why !== undefined) return { zero: 'not provable', why }
  if (code !== null) return { zero: 'not driven', why: undriven[code] ?? 'no probe causes it' }
  return {
    zero: 'not driven',
    why:
      status === 201 ? 'needs more money, or a position, than a run makes' : 'no probe asks for it',
  }
}

export interface AxisScore {
  axis: Axis
  held: number
  of: number
  /** The others, by reason. */
  zeros: Zeros
}

export type Zeros = Record<Zero, number>

export interface Driven {
  driven: number
  of: number
  zeros: Zeros
}

/** The lowest of all axes and of the coverage, so that no average hides a weakness. */
export interface Score {
  /** Whole percent, rounded down. */
  percent: number
  /** The axis that is the lowest, or `coverage`: of the documented answers. */
  lowest: Axis | 'coverage'
  held: number
  of: number
}

/** A choice of the ledger, and what the run saw of it. */
export interface ChoiceOutcome {
  row: string
  section: string
  outcome: ProbeOutcome
  zero?: Zero
  /** What the server does instead. */
  differences: readonly Difference[]
}

export function scoresOf(results: readonly ProbeResult[]): AxisScore[] {
  const scores = axes.map((axis): AxisScore => {
    const own = results.filter((result) => result.axis === axis)
    const held = own.filter(({ outcome }) => outcome === 'conforms').length
    return { axis, held, of: own.length, zeros: zerosOf(own) }
  })
  return scores.filter(({ of }) => of > 0).sort((a, b) => ratioOf(a) - ratioOf(b))
}

export function ratioOf({ held, of }: Pick<AxisScore, 'held' | 'of'>): number {
  return held / of
}

/** Whether the run has driven a probe of the axis; otherwise it has no score. */
export function isDriven({ of, zeros: left }: AxisScore): boolean {
  return left['not driven'] + left['not provable'] < of
}

/** The minimum of the axes that were driven and of the coverage. */
export function scoreOf(scores: readonly AxisScore[], { driven, of }: Driven): Score {
  const sides: Omit<Score, 'percent'>[] = [
    ...scores.filter(isDriven).map(({ axis, held, of }) => ({ lowest: axis, held, of })),
    { lowest: 'coverage', held: driven, of },
  ]
  const [worst] = sides.sort((a, b) => ratioOf(a) - ratioOf(b))
  return { percent: Math.floor((worst!.held * 100) / worst!.of), ...worst! }
}

export function coverageOf(results: readonly { outcome: ProbeOutcome; zero?: Zero }[]): Driven {
  const missed = results.filter(({ outcome }) => outcome === 'not exercised')
  return { driven: results.length - missed.length, of: results.length, zeros: zerosOf(missed) }
}

export function choicesOf(
  ledger: readonly LedgerRow[],
  results: readonly ProbeResult[],
): ChoiceOutcome[] {
  const judged = ledger.filter(({ reason }) => reason.includes('judgement'))
  return judged.map(({ topic, section }) => {
    const own = results.filter(({ from, row }) =>
      'judgement' in from ? from.judgement === topic : row === topic,
    )
    const differences = own.flatMap(({ difference }) => difference ?? [])
    const row = { row: topic, section, differences }
    if (differences.length > 0) return { ...row, outcome: 'differs', zero: 'not recorded' }
    if (own.some(({ outcome }) => outcome === 'conforms')) return { ...row, outcome: 'conforms' }
    // Without a probe the row itself says that nothing outside can see it; a test holds it to that.
    return { ...row, outcome: 'not exercised', zero: own[0]?.zero ?? 'not provable' }
  })
}

export function zerosOf(results: readonly { zero?: Zero }[]): Zeros {
  const counts = zeros.map((zero) => [
    zero,
    results.filter((result) => result.zero === zero).length,
  ])
  return Object.fromEntries(counts) as Zeros
}

/** Counts for people: `3 not driven, 1 violating`. */
export function zeroText(counts: Zeros): string {
  return zeros.flatMap((zero) => (counts[zero] > 0 ? [`${counts[zero]} ${zero}`] : [])).join(', ')
}
