import type { ClockMode } from '../time/clock.js'

/** The current time, and whether it advances by itself. */
export interface Time {
  /** ISO 8601. */
  now: string
  /** Milliseconds since the Unix epoch. */
  ms: number
  mode: ClockMode
}

/**
 * Moves the clock and the five chains. Each call resolves when all work that is due has ended: plans have expired, interest has accrued,
 * bridges have delivered, events have been sent. Calls run one at a time. Rejects with `invalid_params`, or with `conflict` when work hangs.
 */
export interface Timekeeper {
  time(): Time
  /** Advances by this many seconds, to the millisecond, from one due moment to the next. */
  advance(seconds: number): Promise<Time>
  /** Freezes the clock, now or at a time that no chain has passed. */
  freeze(atMs?: number): Promise<Time>
  /** Resumes the clock from its current time. */
  resume(): Promise<Time>
  /** From now on the clock jumps to the next awaited moment as soon as everything waits, and is frozen otherwise. */
  auto(): Promise<Time>
  /**
   * Resolves when this many seconds have passed on the clock: an `auto` clock jumps there, a frozen one must be advanced. Other calls do not
   * wait for it. Rejects with the signal's reason.
   */
  wait(seconds: number, signal?: AbortSignal): Promise<Time>
}
