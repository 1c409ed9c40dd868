import type { Actor } from '../../clients/scenarios/cast.js'
import type { Difference } from '../../clients/scenarios/expect.js'
import type { RunClock } from '../../clients/scenarios/play.js'
import type { Scenario, Step } from '../../clients/scenarios/schema.js'
import type { ScenarioReply, SentRequest } from '../../clients/scenarios/target.js'
import type { Seen } from './seen.js'
import type { Axis, Basis, Reach, Zero } from './types.js'
import type { VerifyWire } from './wire.js'

/** Accounts with their money, and what several probes share. */
export type Given = Pick<Scenario['given'], 'accounts' | 'setup'>

/** A probe that is being played, for what computes something of its answers. */
export interface ProbePlay {
  /** Plays further steps. */
  play(...steps: readonly Step[]): Promise<void>
  /** What several probes compute with: made by the first that asks for it, with accounts of its own. */
  once<T>(
    name: string,
    accounts: Given['accounts'],
    make: (own: ProbePlay) => Promise<T>,
  ): Promise<T>
  /** The body of the answer to the step of this name. */
  body(step: string): Seen
  answer(step: string): ScenarioReply
  actor(name: string): Actor
  /** The address of a signer of this run that has no account. */
  signer(name: string): string
  wire: VerifyWire
  clock: RunClock
  /** What time it is at the server, in milliseconds: all that it says of moments is held against its own clock. */
  serverNow(): Promise<number>
}

/** A scenario that finds out whether a server does one thing as expected. */
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
  given: Given
  when: readonly Step[]
  /** Computes of the answers what expectations cannot say. A probe without it is data alone. */
  compute?: (play: ProbePlay) => Promise<void> | void
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
