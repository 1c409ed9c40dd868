import type { Step } from './corpus/steps.js'
import type { Setting } from './setting.js'
import type { Axis, Basis, Reach } from './terms.js'

/** A request and its answer, as a journal has them. */
export interface ObservedCall {
  method: string
  /** With its query. */
  url: string
  sent: unknown
  status: number
}

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
  steps?: readonly Step[]
  /** Throws `Differs` when something is not as expected, `NotExercised` when it cannot be found out. */
  attempt(setting: Setting): Promise<void>
  /** Which calls in its cells rest on it, when not all of them do. */
  concerns?: (call: ObservedCall) => boolean
}
