import { setTimeout as sleep } from 'node:timers/promises'
import { isCrash, isLast } from './exchange.js'
import type { World } from './world.js'

/** How often is looked whether the client has died. Milliseconds. */
const everyMs = 20

/** A rule without `times` would kill the client for ever. */
const mostCrashes = 20

/** Lets a client live; `live` ends it when the signal aborts. Whenever a rule has killed it, and its last request has ended, it lives again. */
export async function throughCrashes<Ended>(
  world: Pick<World, 'crashes' | 'asked'>,
  rules: readonly { on?: string; effect?: unknown }[],
  live: (crash: AbortSignal) => Promise<Ended>,
): Promise<Ended> {
  if (!rules.some(isCrash)) return live(new AbortController().signal)
  for (let crashes = 0; ; crashes++) {
    const crash = new AbortController()
    const ended = new AbortController()
    const watching = watch(async () => {
      if (crashes < mostCrashes && (await world.crashes()) > crashes) crash.abort()
      return crash.signal.aborted
    }, ended.signal)
    let ending: Ended
    try {
      ending = await live(crash.signal)
    } finally {
      ended.abort()
      await watching
    }
    if (!crash.signal.aborted) return ending
    const hasEnded = async () => (await world.asked()).every((each) => !isLast(each) || each.answer)
    await watch(hasEnded, AbortSignal.timeout(lastRequestMs))
  }
}

/** The last request of a client that was killed is carried out to its end, but not waited for any longer. Milliseconds. */
const lastRequestMs = 30_000

/** Looks from time to time until it is so, or the signal aborts. */
async function watch(isSo: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && !(await isSo().catch(() => false))) await sleep(everyMs)
}
