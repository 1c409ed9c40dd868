/**
 * A part with state that snapshots save. Both methods are called only while no request is being handled, and executions and fills wait or
 * are interrupted.
 */
export interface Stateful<Saved = unknown> {
  /** Returns its present state, which later changes must not affect. */
  save(): Saved
  /** Restores a saved state; the same one may be restored any number of times. */
  restore(saved: Saved): void | Promise<void>
}

/** A part that works in the background. */
export interface Worker {
  /** Interrupts its work between two steps; resolves when it has stopped. */
  pause(): Promise<void>
  /** Continues from its state. */
  resume(): Promise<void>
  /** Frees what it has kept for the next `resume`. Called after the last pause. */
  end?(): void
}
