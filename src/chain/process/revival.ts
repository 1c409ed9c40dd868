import type { AnvilExit } from './anvil.js'
import { AnvilEnded } from './anvilProcesses.js'

/** A node that dies this often in this time will die again. Milliseconds of the machine. */
const tooOften = { deaths: 3, withinMs: 60_000 }

/** A node is not brought back. */
export class GivenUp extends Error {
  /** The reason; undefined without a command log, where nodes are never brought back. */
  readonly why: string | undefined
  /** How its last process ended. */
  readonly exit: AnvilExit

  constructor(why: string | undefined, exit: AnvilExit | undefined, cause?: unknown) {
    super(why ?? 'it is not brought back', { cause })
    this.why = why
    this.exit = exit ?? { code: null, signal: null, lastWords: '' }
  }
}

/**
 * Brings back a node whose process has ended. When the new process ends as well, tries again.
 *
 * @param deaths Times of earlier deaths, by `performance.now()`; old ones are removed.
 * @param attempt Resolves to whether the cause was found and removed: then this death does not count. Rejects with `AnvilEnded` when the
 * process has ended again.
 * @param exit How it ended; undefined when it was ended on purpose.
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

/** Adds a death, and returns whether there were too many. */
function isTooOften(deaths: number[]): boolean {
  const now = performance.now()
  const recent = deaths.filter((at) => now - at < tooOften.withinMs)
  deaths.splice(0, deaths.length, ...recent, now)
  return deaths.length >= tooOften.deaths
}
