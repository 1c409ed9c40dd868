/** How many requests the endpoints of all networks may get together. */
export interface Budget {
  /** Counts one; throws when there are no more. */
  take(): void
}

/** The budget is used up; the message says so, as the end of a sentence about the endpoint. */
export class SpentError extends Error {
  override name = 'SpentError'
}

/** Unbounded when `max` is undefined. */
export function createBudget(max: number | undefined): Budget {
  let taken = 0
  return {
    take() {
      if (max !== undefined && taken >= max)
        throw new SpentError(
          `which gets no more requests: the limit of --fork-max-requests (${max}) is reached. Raise it, or start from recorded state: --fork-cache with the same block, or a bundle`,
        )
      taken++
    },
  }
}
