import type { Difference } from '../../clients/scenarios/expect.js'
import type { LedgerRow } from './fidelityRows.js'
import type { ProbeOutcome, ProbeResult } from './probe.js'
import { type Axis, axes, type Zero, zeros } from './types.js'

/** How many probes of an axis held, and how many there are. */
export interface AxisScore {
  axis: Axis
  held: number
  of: number
  /** The others, by why they count for nothing. */
  zeros: Zeros
}

export type Zeros = Record<Zero, number>

/** How much of what is documented a run has driven. */
export interface Driven {
  driven: number
  of: number
  zeros: Zeros
}

/** What a server comes to: its weakest side, so that no average hides a hole. */
export interface Score {
  /** Whole percent, rounded down. */
  percent: number
  /** The axis that is the lowest, or `coverage`: of the documented answers. */
  lowest: Axis | 'coverage'
  held: number
  of: number
}

/** A row of the ledger that is a choice of ours, with what the run saw of it. */
export interface ChoiceOutcome {
  row: string
  section: string
  outcome: ProbeOutcome
  zero?: Zero
  /** What the server does instead. */
  differences: readonly Difference[]
}

/** Scores by axis, the worst first. */
export function scoresOf(results: readonly ProbeResult[]): AxisScore[] {
  const scores = axes.map((axis): AxisScore => {
    const own = results.filter((result) => result.axis === axis)
    const held = own.filter(({ outcome }) => outcome === 'conforms').length
    return { axis, held, of: own.length, zeros: zerosOf(own) }
  })
  return scores.filter(({ of }) => of > 0).sort((a, b) => ratioOf(a) - ratioOf(b))
}

/** The part of an axis that held. */
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

/** Of documented answers, or of choices. */
export function coverageOf(each: readonly { outcome: ProbeOutcome; zero?: Zero }[]): Driven {
  const missed = each.filter(({ outcome }) => outcome === 'not exercised')
  return { driven: each.length - missed.length, of: each.length, zeros: zerosOf(missed) }
}

/** What became of the choices of the ledger. */
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

export function zerosOf(each: readonly { zero?: Zero }[]): Zeros {
  const counts = zeros.map((zero) => [zero, each.filter((one) => one.zero === zero).length])
  return Object.fromEntries(counts) as Zeros
}

/** Counts in words, for people: `3 not driven, 1 violating`. */
export function zeroText(counts: Zeros): string {
  return zeros.flatMap((zero) => (counts[zero] > 0 ? [`${counts[zero]} ${zero}`] : [])).join(', ')
}
