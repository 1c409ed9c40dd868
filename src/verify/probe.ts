import type { Setting } from './setting.js'

/** What is scored apart. */
export const axes = ['shapes', 'codes', 'order', 'money', 'staleness', 'events', 'time'] as const

export type Axis = (typeof axes)[number]

/**
 * Where an expectation comes from: a section of the interface document, something that is publicly known of the service, or a choice
 * of ours, which is a row of docs/fidelity.md.
 */
export type Origin = { interface: string } | { public: string } | { judgement: string }

/** How far a run goes: it reads, it makes accounts and plans, or it executes plans as well. */
export const reaches = ['read', 'plan', 'all'] as const

export type Reach = (typeof reaches)[number]

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
  from: Origin
  /** The least reach of a run that includes it. */
  reach: Reach
  /** Takes minutes, so it comes after all others. */
  isSlow?: boolean
  /** Throws `Differs` when something is not as expected, `NotExercised` when it cannot be found out. */
  attempt(setting: Setting): Promise<void>
  /** Which calls in its cells rest on it, when not all of them do. */
  concerns?: (call: ObservedCall) => boolean
}

/** Something is not as expected. */
export class Differs extends Error {
  override name = 'Differs'
  readonly expected: string
  readonly seen: string
  /** The request, or the place in the answer. */
  readonly where: string

  constructor(difference: { expected: string; seen: string; where: string }) {
    super(`${difference.where}: expected ${difference.expected}, seen ${difference.seen}`)
    this.expected = difference.expected
    this.seen = difference.seen
    this.where = difference.where
  }
}

/** A probe that cannot find out what it is for; the message says why. */
export class NotExercised extends Error {
  override name = 'NotExercised'
}

/** The server does not answer any more, or has been asked enough: the run ends here. */
export class RunEnded extends Error {
  override name = 'RunEnded'
}
