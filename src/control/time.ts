import type { ClockMode } from '../time/clock.js'

/** What time it is, and whether it runs by itself. */
export interface Time {
  /** ISO 8601. */
  now: string
  /** Milliseconds since the Unix epoch. */
  ms: number
  mode: ClockMode
}

/**
 * Moves the one clock, and with it the five chains and everything that waits. Each call resolves when all that was due has
 * happened: plans have expired, interest has accrued, fills have landed, events are out. Calls are carried out in turn.
 * Refusals are `invalid_params`, or `conflict` when work under way hangs; then nothing has moved.
 */
export interface Timekeeper {
  time(): Time
  /** Goes ahead by so many seconds (milliseconds count), from one due moment to the next. */
  advance(seconds: number): Promise<Time>
  /** Stops the clock, now or at an instant that no chain has passed. */
  freeze(atMs?: number): Promise<Time>
  /** Lets the clock run again, from where it is. */
  resume(): Promise<Time>
  /** From now on the clock jumps to the next moment that somebody waits for as soon as everybody waits, and else stands still. */
  auto(): Promise<Time>
  /**
   * Resolves when so many seconds of the clock have gone by: an `auto` clock jumps there, a frozen one has to be moved. Not in turn with the
   * others, and rejects with the reason of the signal.
   */
  wait(seconds: number, signal?: AbortSignal): Promise<Time>
}
