import type { ForkTargets } from '../chain/fork/upstream/target.js'
import type { ClockStart } from '../time/clock.js'

/** What a world begins with. */
export interface WorldBeginning {
  id: string
  apiKey: string
  /** Path of the socket on which it answers. */
  socket: string
  /** In decimal digits; drawn when absent. */
  seed?: string
  /** The machine's when absent. */
  clock?: ClockStart
  /** Networks to fork; a world with forks is made for one lease. */
  fork?: ForkTargets
  /** Folder of a bundle that networks are forked from; likewise. */
  bundle?: string
}

/** What a worker is asked to do. Each is answered. */
export type WorkerTask =
  /** Starts a world. */
  | { what: 'start'; world: WorldBeginning }
  /** Has the world `id` begin anew as another one. When it cannot, it is gone. */
  | { what: 'again'; id: string; world: WorldBeginning }
  /** Makes the present of a world the state to which its resets return. */
  | { what: 'markStart'; id: string }
  /** Reports the answers of a world. */
  | { what: 'report'; id: string }
  /** Ends a world. */
  | { what: 'stop'; id: string }

/** From the front to a worker. The first message says how its worlds are served, in the words of whoever made both. */
export type ToWorker =
  | { type: 'init'; settings: unknown }
  | { type: 'task'; number: number; task: WorkerTask }
  | { type: 'end' }

/** From a worker to the front. */
export type FromWorker =
  | { type: 'done'; number: number; error?: string }
  /** A world has ended without having been asked to. */
  | { type: 'lost'; id: string; reason: string }
  /** How often it has given each answer since it began: when asked, and before the answer to what has ended it. */
  | { type: 'answers'; id: string; counts: [key: string, count: number][] }
  | { type: 'error'; id: string; message: string; stack: string }
  | { type: 'request'; id: string; line: unknown }
