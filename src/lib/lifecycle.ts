/**
 * A part of the simulator that remembers something. The composition root collects all of them, so that a snapshot holds the
 * whole system. Both methods are called only while nothing is under way: no request inside; executions and fills wait or are interrupted.
 */
export interface Stateful<Saved = unknown> {
  /** Its state now, in memory. What is returned must not change when the part goes on. */
  save(): Saved
  /** Puts a saved state back; the same one may be put back any number of times. */
  restore(saved: Saved): void | Promise<void>
}

/** A part that works by itself, beyond the requests that start it. */
export interface Worker {
  /** Interrupts its work between two steps; resolves when nothing of it is under way any more. */
  pause(): Promise<void>
  /** Goes on from what it remembers. */
  resume(): Promise<void>
  /** After the last pause: lets go of what it has kept for the next `resume`. */
  end?(): void
}
