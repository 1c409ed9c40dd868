import { answeredMs, type Exchange } from './exchange.js'
import type { World } from './world.js'

/**
 * The interface lets a folio and a long poll take 30 s. A careful client may give up after twice as long, and a busy machine needs a
 * moment to note it: a client that waits longer hangs. Milliseconds.
 */
const longestResponseMs = 70_000

/** A response that took longer than this was waited for. Milliseconds. */
const waitedMs = 1_000

/** How often is looked. Milliseconds. */
const everyMs = 1_000

/** Watches a client that runs. */
export interface Watch {
  /** Aborted when the client hangs. */
  signal: AbortSignal
  end(): void
}

/** Begins to watch. `activeMs` is how long the client may run, the time aside in which it waits for responses. */
export function watchFor(world: Pick<World, 'asked'>, activeMs: number): Watch {
  const hung = new AbortController()
  const begun = performance.now()
  let isLooking = false
  const look = async (): Promise<void> => {
    const exchanges = await world.asked()
    const elapsedMs = performance.now() - begun
    if (hangs(exchanges, { elapsedMs, nowMs: Date.now(), activeMs })) hung.abort()
  }
  const timer = setInterval(() => {
    if (isLooking || performance.now() - begun < activeMs) return
    isLooking = true
    // A world that ends has told the run already.
    look()
      .catch(() => {})
      .finally(() => {
        isLooking = false
      })
  }, everyMs).unref()
  return { signal: hung.signal, end: () => clearInterval(timer) }
}

/** Whether a client hangs: it waits for one response for too long, or has been busy for too long besides waiting. */
export function hangs(
  exchanges: readonly Exchange[],
  { elapsedMs, nowMs, activeMs }: { elapsedMs: number; nowMs: number; activeMs: number },
): boolean {
  const waits = exchanges.map((each) => Math.min(answeredMs(each), nowMs) - each.received_ms!)
  const isOpenTooLong = exchanges.some(
    (each, place) => !each.answer && waits[place]! > longestResponseMs,
  )
  const waited = waits.filter((ms) => ms > waitedMs).reduce((sum, ms) => sum + ms, 0)
  return isOpenTooLong || elapsedMs - waited > activeMs
}
