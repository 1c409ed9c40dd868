import type { Cell } from '../../http/pipeline/coverage.js'
import { cellName } from './documented.js'
import type { LedgerRow } from './fidelityRows.js'
import type { ProbeOutcome, ProbeResult } from './probe.js'
import {
  type AxisScore,
  type ChoiceOutcome,
  choicesOf,
  coverageOf,
  type Driven,
  type Score,
  scoreOf,
  scoresOf,
  type Zeros,
  zerosOf,
} from './score.js'
import type { Reach, Zero } from './types.js'

/** What became of a documented answer. */
export interface CellOutcome {
  cell: string
  outcome: ProbeOutcome
  zero?: Zero
  /** Why it was not exercised. */
  why?: string
  /** The probes that differ. */
  differs: readonly string[]
}

/** What a run was made with, and of what. */
export interface Measurement {
  /** When it began, in ISO 8601. */
  at: string
  /** The version of the OpenAPI document that the server has; null when it has none. */
  targetVersion: string | null
  /** Of svc-sim. */
  version: string
  /** Fingerprint of the probes: the same text, the same questions. */
  corpus: string
}

/** What a run has found out. */
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
  /** How many probes there were. */
  probes: number
  /** Of each probe, and of each comparison of responses with the document: together the checks. */
  results: readonly ProbeResult[]
  cells: readonly CellOutcome[]
  score: Score
  /** Worst first. */
  scores: readonly AxisScore[]
  /** How much of what is documented, and of what we have chosen, was driven at all. */
  coverage: { answers: Driven; choices: Driven }
  /** How many of the checks that ran have found something different. */
  divergence: { different: number; of: number; zeros: Zeros }
  /** What the run saw of each choice of the ledger. */
  choices: readonly ChoiceOutcome[]
}

/** Whether a result is against what the interface says, or what is publicly known; a row of docs/fidelity.md is a choice of ours. */
export function isBreach({ outcome, from }: Pick<ProbeResult, 'outcome' | 'from'>): boolean {
  return outcome === 'differs' && !('judgement' in from)
}

/** Sums up a run. */
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

/** Codes that nobody outside of the service can cause. */
const unprovable: Record<string, string> = {
  api_key_revoked: 'needs a key that was revoked',
  no_wallet: 'accounts have wallets from the start',
  swap_quote_failed: 'the aggregator of the service would have to fail',
  timeout: 'the service would have to be slow',
}

/** Codes that a client could cause, and no probe does. */
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
