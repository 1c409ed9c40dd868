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

/** A task for a worker, which answers each one. */
export type WorkerTask =
  /** Starts a world. */
  | { what: 'start'; world: WorldBeginning }
  /** Restarts the world `id` as another one. If that fails, it is gone. */
  | { what: 'again'; id: string; world: WorldBeginning }
  /** Makes the present state of a world the one that its resets restore. */
  | { what: 'markStart'; id: string }
  /** Reports the answers of a world. */
  | { what: 'report'; id: string }
  /** Ends a world. */
  | { what: 'stop'; id: string }

/** From the front to a worker. The first message has the settings of its worlds, which this room does not interpret. */
export type ToWorker =
  | { type: 'init'; settings: unknown }
  | { type: 'task'; number: number; task: WorkerTask }
  | { type: 'end' }

/** From a worker to the front. */
export type FromWorker =
  | { type: 'done'; number: number; error?: string }
  /** A world has ended by itself. */
  | { type: 'lost'; id: string; reason: string }
  /** How often it has given each answer since it began: when asked, and before the answer to what has ended it. */
  | { type: 'answers'; id: string; counts: [key: string, count: number][] }
  | { type: 'error'; id: string; message: string; stack: string }
  | { type: 'request'; id: string; line: unknown }
