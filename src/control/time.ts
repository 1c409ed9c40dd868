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
 * Moves the clock, and with it the five chains and everything that waits. Each call resolves when everything due has happened: plans have
 * expired, interest has accrued, bridges have delivered, events have been sent. Calls run one after the other. Rejects with `invalid_params`,
 * or with `conflict` when work in progress hangs; the clock has not moved then.
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
