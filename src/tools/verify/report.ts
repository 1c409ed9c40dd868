import type { Cell } from '../../http/pipeline/coverage.js'
import type { SeenAnswer } from './caller.js'
import { cellName } from './documented.js'
import { type Axis, axes, type Basis, type Reach } from './terms.js'

export type ProbeOutcome = 'conforms' | 'differs' | 'not exercised'

/** In what something differs, and where. */
export interface Difference {
  expected: string
  seen: string
  where: string
}

/** What became of a probe. */
export interface ProbeResult {
  name: string
  axis: Axis
  cells: readonly string[]
  from: Basis
  outcome: ProbeOutcome
  /** Why it was not exercised. */
  why?: string
  difference?: Difference
  /** What was asked and answered for it. */
  answers: readonly SeenAnswer[]
}

/** What became of a documented answer. */
export interface CellOutcome {
  cell: string
  outcome: ProbeOutcome
  /** Why it was not exercised. */
  why?: string
  /** The probes that differ. */
  differs: readonly string[]
}

/** How many probes of an axis held, and how many there are. */
export interface AxisScore {
  axis: Axis
  held: number
  differs: number
  notExercised: number
  of: number
}

/** What a run has found out. */
export interface RunReport {
  url: string
  /** Its name; the keys of its accounts follow from it and the API key. */
  run: string
  reach: Reach
  isSimulator: boolean
  /** Why it did not come to its end. */
  ended: string | undefined
  requests: number
  results: readonly ProbeResult[]
  cells: readonly CellOutcome[]
  /** Worst first. */
  scores: readonly AxisScore[]
  /** Choices of the ledger that the server makes otherwise, with what it does. */
  rowsToChange: readonly { row: string; differences: readonly Difference[] }[]
  /** Choices of the ledger that the server makes as well. */
  rowsConfirmed: readonly string[]
}

/** Whether a result is against what the interface says, or what is publicly known; a row of docs/fidelity.md is a choice of ours. */
export function isBreach({ outcome, from }: Pick<ProbeResult, 'outcome' | 'from'>): boolean {
  return outcome === 'differs' && !('judgement' in from)
}

/** Sums up a run. */
export function reportOf({
  cells,
  ...run
}: Omit<RunReport, 'cells' | 'scores' | 'rowsToChange' | 'rowsConfirmed'> & {
  cells: readonly Cell[]
}): RunReport {
  const { results } = run
  return {
    ...run,
    cells: cells.map((cell) => cellOutcome(cell, results)),
    scores: scoresOf(results),
    ...rowsOf(results),
  }
}

/** Scores by axis, the worst first. */
function scoresOf(results: readonly ProbeResult[]): AxisScore[] {
  const scores = axes.map((axis) => {
    const own = results.filter((result) => result.axis === axis)
    const count = (outcome: ProbeOutcome) =>
      own.filter((result) => result.outcome === outcome).length
    return {
      axis,
      held: count('conforms'),
      differs: count('differs'),
      notExercised: count('not exercised'),
      of: own.length,
    }
  })
  return scores.filter(({ of }) => of > 0).sort((a, b) => ratioOf(a) - ratioOf(b))
}

/** The part of an axis that held. */
export function ratioOf({ held, of }: Pick<AxisScore, 'held' | 'of'>): number {
  return held / of
}

function rowsOf(results: readonly ProbeResult[]) {
  const rows = new Map<string, ProbeResult[]>()
  for (const result of results)
    if ('judgement' in result.from) {
      const row = result.from.judgement
      rows.set(row, [...(rows.get(row) ?? []), result])
    }
  const differing = (own: readonly ProbeResult[]) =>
    own.flatMap(({ difference }) => (difference ? [difference] : []))
  return {
    rowsToChange: [...rows]
      .map(([row, own]) => ({ row, differences: differing(own) }))
      .filter(({ differences }) => differences.length > 0),
    rowsConfirmed: [...rows]
      .filter(([, own]) => own.every(({ outcome }) => outcome === 'conforms'))
      .map(([row]) => row),
  }
}

function cellOutcome(cell: Cell, results: readonly ProbeResult[]): CellOutcome {
  const name = cellName(cell)
  const own = results.filter(({ cells }) => cells.includes(name))
  const differs = own.filter(({ outcome }) => outcome === 'differs').map((each) => each.name)
  if (differs.length > 0) return { cell: name, outcome: 'differs', differs }
  if (own.some(({ outcome }) => outcome === 'conforms'))
    return { cell: name, outcome: 'conforms', differs }
  const why = own.find((each) => each.why !== undefined)?.why ?? whyNot(cell)
  return { cell: name, outcome: 'not exercised', why, differs }
}

/** Why no probe causes an answer. */
function whyNot({ code, status }: Cell): string {
  const reasons: Record<string, string> = {
    api_key_revoked: 'needs a key that was revoked',
    invalid_params: 'a malformed path or header is often refused before the service sees it',
    no_wallet: 'accounts have wallets from the start',
    payload_too_large: 'a large body is sent to one endpoint only',
    swap_quote_failed: 'the aggregator of the service would have to fail',
    timeout: 'the service would have to be slow',
    plan_failed: 'no probe causes it',
  }
  if (code !== null) return reasons[code] ?? 'no probe causes it'
  return status === 201
    ? 'needs more money, or a position, than a run makes'
    : 'no probe asks for it'
}
