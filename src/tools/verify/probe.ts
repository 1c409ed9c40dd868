import type { Actor } from '../../clients/scenarios/cast.js'
import type { Difference } from '../../clients/scenarios/expect.js'
import type { RunClock } from '../../clients/scenarios/play.js'
import type { Scenario, Step } from '../../clients/scenarios/schema.js'
import type { ScenarioReply, SentRequest } from '../../clients/scenarios/target.js'
import type { ResponseValue } from './responseValue.js'
import type { Axis, Basis, Reach, Zero } from './types.js'
import type { VerifyWire } from './wire.js'

/** Accounts with their funds, and a shared setup. */
export type Given = Pick<Scenario['given'], 'accounts' | 'setup'>

/** A running probe, for the functions that compute. */
export interface ProbePlay {
  play(...steps: readonly Step[]): Promise<void>
  /** Data that several probes share: made by the first that needs it, with its own accounts. */
  once<T>(
    name: string,
    accounts: Given['accounts'],
    make: (own: ProbePlay) => Promise<T>,
  ): Promise<T>
  body(step: string): ResponseValue
  answer(step: string): ScenarioReply
  actor(name: string): Actor
  /** The address of a signer of this run that has no account. */
  signer(name: string): string
  wire: VerifyWire
  clock: RunClock
  /** The server's own clock in milliseconds: all times of the server are compared with it. */
  serverNow(): Promise<number>
}

/** Checks one behaviour of a server. */
export interface Probe {
  /** A sentence that must hold. */
  name: string
  axis: Axis
  /** The documented responses that it checks, such as `409:plan_stale@execute`. */
  cells: readonly string[]
  from: Basis
  /** The least reach of a run that includes it. */
  reach: Reach
  /** Takes minutes, so it runs last. */
  isSlow?: boolean
  given: Given
  when: readonly Step[]
  /** Checks what expectations cannot say. A probe without it is data alone. */
  compute?: (play: ProbePlay) => Promise<void> | void
}

export type ProbeOutcome = 'conforms' | 'differs' | 'not exercised'

export interface ProbeResult {
  name: string
  axis: Axis
  cells: readonly string[]
  from: Basis
  /** The row of the ledger for a difference that the source does not promise. */
  row?: string
  outcome: ProbeOutcome
  /** Unless it conforms. */
  zero?: Zero
  at: string
  why?: string
  difference?: Difference
  answers: readonly SentRequest[]
}
