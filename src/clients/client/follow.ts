import type { Patience } from './sending.js'
import { SvcError } from './svcError.js'
import type { Schemas } from './types.js'

/** An event with the place where it stands. */
export interface FollowedEvent {
  event: Schemas['Event']
  /**
   * Pass it as `since` to go on after this event. Within a page of several events it is the place before the page, as only the
   * service knows the places in between: whoever stops there is given the page again, and misses nothing.
   */
  cursor: number
}

/** How events are followed. */
export interface FollowOptions {
  /** Only events after this cursor; all when absent. */
  since?: number | undefined
  /** Ends the following; the reason is thrown. */
  signal?: AbortSignal | undefined
  /** So many calls in a row may fail for reasons that pass; then the last failure is thrown. 10 when absent. */
  failures?: number | undefined
}

/** What is asked of `GET /accounts/:account_id/events`. */
export interface EventsQuery {
  since: number
  poll: boolean
}

/** What it answers. */
export interface EventsPage {
  events: Schemas['Event'][]
  cursor: number
}

/** Asks for events; rejects when the signal aborts. */
type ReadEvents = (query: EventsQuery, signal: AbortSignal) => Promise<EventsPage>

/** A long poll is answered after about 30 seconds; what hangs for this long has been lost. Milliseconds. */
const hangsMs = 60_000

/** No event may ever come of what one waits for: after so long without any it is looked at all the same. Milliseconds. */
const lookAgainMs = 5_000

/**
 * Events in order, each once, for as long as the caller asks for more. What passes is waited for and asked again from the same cursor,
 * so nothing is missed and nothing comes twice, also when the service is started anew meanwhile.
 */
export async function* follow(
  read: ReadEvents,
  options: FollowOptions,
  patience: Patience,
): AsyncGenerator<FollowedEvent, never, void> {
  let cursor = options.since ?? 0
  for (;;) {
    const ask = (signal: AbortSignal) => read({ since: cursor, poll: true }, signal)
    const page = await untilItPasses(ask, options, patience)
    const last = page.events.length - 1
    for (const [place, event] of page.events.entries())
      yield { event, cursor: place === last ? page.cursor : cursor }
    cursor = page.cursor
  }
}

/**
 * Resolves to the activity when it has ended. The activity itself says so; events only tell when to look again, so that one which is
 * late, lost or of a time before a restore holds nobody up.
 */
export async function untilEnded(
  readActivity: (signal: AbortSignal) => Promise<Schemas['Activity']>,
  readEvents: ReadEvents,
  options: Omit<FollowOptions, 'since'>,
  patience: Patience,
): Promise<Schemas['Activity']> {
  let since = 0
  const look = async (signal: AbortSignal): Promise<Schemas['Activity'] | undefined> => {
    const activity = await readActivity(signal)
    // Any other status, known or not, is on the way to one of these.
    if (['confirmed', 'failed'].includes(activity.activity_status)) return activity
    const enough = AbortSignal.timeout(lookAgainMs)
    const page = await readEvents({ since, poll: true }, AbortSignal.any([signal, enough])).catch(
      (error) => {
        if (signal.aborted || !enough.aborted) throw error
        return undefined
      },
    )
    // Without any, the cursor may be of a time that has been taken back: the next poll is from the beginning.
    since = page && page.events.length > 0 ? page.cursor : 0
    return undefined
  }
  for (;;) {
    const ended = await untilItPasses(look, options, patience)
    if (ended) return ended
  }
}

/**
 * Does the work again and again as long as it fails for reasons that pass - no answer, 408, 429, a 5xx but `world_lost` - and not too
 * often in a row.
 */
export async function untilItPasses<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { signal, failures: most = 10 }: FollowOptions,
  { delayMs, pause }: Patience,
  mayPass: (error: unknown) => boolean = passes,
): Promise<T> {
  for (let failures = 1; ; failures++) {
    signal?.throwIfAborted()
    try {
      const lost = AbortSignal.timeout(hangsMs)
      return await work(signal ? AbortSignal.any([signal, lost]) : lost)
    } catch (error) {
      signal?.throwIfAborted()
      if (!mayPass(error) || failures > most) throw error
      await pause(delayMs(failures), signal)
    }
  }
}

/** Whether the same call may succeed later without anybody changing anything. */
export function passes(error: unknown): boolean {
  if (error instanceof DOMException) return error.name === 'TimeoutError'
  if (!(error instanceof SvcError)) return false
  // A world that has ended never comes back.
  if (error.code === 'world_lost') return false
  return error.code === 'unreachable' || [408, 429].includes(error.status) || error.status >= 500
}
