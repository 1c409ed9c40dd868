import type { AnvilExit } from './anvil.js'
import { AnvilEnded } from './anvilInstance.js'

/** A node that dies so often in so short a time does not die by accident. Milliseconds of the machine. */
const tooOften = { deaths: 3, withinMs: 60_000 }

/** A node is not brought back (any more). */
export class GivenUp extends Error {
  /** Undefined where nothing is brought back. */
  readonly why: string | undefined
  /** How its process ended the last time. */
  readonly exit: AnvilExit

  constructor(why: string | undefined, exit: AnvilExit | undefined, cause?: unknown) {
    super(why ?? 'it is not brought back', { cause })
    this.why = why
    this.exit = exit ?? { code: null, signal: null, lastWords: '' }
  }
}

/**
 * Brings a node back whose process has ended, also when that does so again meanwhile.
 *
 * @param deaths When the node has died before, by `performance.now()`; what is too long ago is taken off.
 * @param attempt Resolves to whether the cause was found, and is gone: then this death does not count. Rejects with `AnvilEnded` when the
 * process has ended again.
 * @param exit How it has ended; undefined when that was on purpose.
 * @throws `GivenUp`
 */
export async function bringBack(
  deaths: number[],
  attempt: () => Promise<boolean>,
  exit: AnvilExit | undefined,
): Promise<void> {
  for (let last = exit; ; ) {
    if (last && isTooOften(deaths)) throw new GivenUp('for the third time within a minute', last)
    try {
      if (await attempt()) deaths.pop()
      return
    } catch (error) {
      if (!(error instanceof AnvilEnded)) {
        const { message } = error as Error
        throw new GivenUp(`and could not be brought back: ${message}`, last, error)
      }
      last = error.exit
    }
  }
}

/** Counts a death that has just been. */
function isTooOften(deaths: number[]): boolean {
  const now = performance.now()
  const recent = deaths.filter((at) => now - at < tooOften.withinMs)
  deaths.splice(0, deaths.length, ...recent, now)
  return deaths.length >= tooOften.deaths
}
