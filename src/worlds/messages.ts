import type { ForkTargets } from '../chain/fork/upstream/target.js'
import type { ClockStart } from '../time/clock.js'

/** How a world begins. */
export interface WorldBeginning {
  id: string
  apiKey: string
  /** Path of the socket that it listens on. */
  socket: string
  /** In decimal digits; random when absent. */
  seed?: string
  /** The machine's when absent. */
  clock?: ClockStart
  /** Networks to fork; a world with forks is made for one lease. */
  fork?: ForkTargets
  /** Folder of a bundle to fork networks from; such a world, too, is made for one lease. */
  bundle?: string
}

/** What went wrong in a world, as far as it knows. */
export interface WorldFailures {
  /** Activities that failed. */
  failed: number
  /** Requests to the service that were refused or cut. */
  refused: number
}

/** A task for a worker, which answers each one. */
export type WorkerTask =
  /** Starts a world. If that fails, nothing is left of it. */
  | { what: 'start'; world: WorldBeginning }
  /** Restarts the world `id` as another one. If that fails, both are gone. */
  | { what: 'again'; id: string; world: WorldBeginning }
  /** Makes the present state of a world the one that its resets restore. */
  | { what: 'markStart'; id: string }
  /** Ends a world. */
  | { what: 'stop'; id: string }

/** How often each answer was given, by its key; of failures, how many of each world and kind (`WORLD failed`, `WORLD refused`). */
export type AnswerCounts = [key: string, count: number][]

/** To a worker. `answers` and `failures` are answered like tasks. The first message has the settings of its worlds, which this room does not interpret. */
export type ToWorker =
  | { type: 'init'; settings: unknown }
  | { type: 'task'; number: number; task: WorkerTask }
  | { type: 'answers'; number: number }
  | { type: 'failures'; number: number }
  | { type: 'end' }

/** What a worker reports of its worlds. */
export type WorldReport =
  /** A world has ended by itself. */
  | { type: 'lost'; id: string; reason: string }
  | { type: 'error'; id: string; message: string; stack: string }
  | { type: 'request'; id: string; line: unknown }

/** From a worker. */
export type FromWorker =
  | WorldReport
  | { type: 'done'; number: number; error?: string; counts?: AnswerCounts }
