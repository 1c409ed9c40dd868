import { setTimeout as sleep } from 'node:timers/promises'

/** Time as the run sees it: tests let a simulator's clock pass instead of waiting. */
export interface RunClock {
  /** Milliseconds since the Unix epoch. */
  now(): number
  wait(ms: number): Promise<void>
}

/** The machine's own time. */
export const realRunClock: RunClock = { now: Date.now, wait: (ms) => sleep(ms) }
