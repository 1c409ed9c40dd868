import type { Difference } from '../../clients/scenarios/expect.js'
import type { SentRequest } from '../../clients/scenarios/target.js'
import type { ProbeStep } from './corpus/steps.js'
import type { ProbeContext } from './probeContext.js'
import type { Axis, Basis, Reach, Zero } from './types.js'

/** A small program that finds out whether a server does one thing as expected. */
export interface Probe {
  /** One sentence, of what must hold. */
  name: string
  axis: Axis
  /** The documented answers that it is about, such as `409:plan_stale@execute`. */
  cells: readonly string[]
  from: Basis
  /** The least reach of a run that includes it. */
  reach: Reach
  /** Takes minutes, so it comes after all others. */
  isSlow?: boolean
  /** What it does, as data, where that can be said in steps: `attempt` follows from them. */
  steps?: readonly ProbeStep[]
  /** Throws `Differs` when something is not as expected, `NotExercised` when it cannot be found out. */
  attempt(context: ProbeContext): Promise<void>
}

export type ProbeOutcome = 'conforms' | 'differs' | 'not exercised'

/** What became of a probe. */
export interface ProbeResult {
  name: string
  axis: Axis
  cells: readonly string[]
  from: Basis
  /** The row of the ledger that it would be about if it differed in what the source does not promise. */
  row?: string
  outcome: ProbeOutcome
  /** Why it counts for nothing, unless it conforms. */
  zero?: Zero
  /** When that was found out, in ISO 8601. */
  at: string
  /** Why it was not exercised. */
  why?: string
  difference?: Difference
  /** What was asked and answered for it. */
  answers: readonly SentRequest[]
}
