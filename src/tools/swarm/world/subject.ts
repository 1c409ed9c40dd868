import type { Ending } from '../judge/run.js'
import type { World } from './world.js'

/** The client that is searched: it acts once in a world, and ends. */
export interface Subject {
  /** Runs it, and ends it when the signal aborts. */
  act(world: World, end: AbortSignal): Promise<Omit<Ending, 'hung'>>
  close(): Promise<void>
}

/** Characters of its output that are kept: the last ones. */
export const keptOutput = 4_000
