import type { Patience } from './sending.js'
import { SvcError } from './svcError.js'
import type { Schemas } from './types.js'

/** An event with its cursor. */
export interface FollowedEvent {
  event: Schemas['Event']
  /**
   * Pass it as `since` to resume after this event. Within a page of several events it is the cursor before the page, because the service
   * returns no other: if you stop there, you get the page again and miss nothing.
   */
  cursor: number
}

/** How events are followed. */
export interface FollowOptions {
  /** Only events after this cursor; all when absent. */
  since?: number | undefined
  /** Stops following; its reason is thrown. */
  signal?: AbortSignal | undefined
  /** The most temporary failures in a row before the last one is thrown; 10 when absent. */
  failures?: number | undefined
}

/** How the end of an activity is waited for. */
export interface WaitOptions extends Omit<FollowOptions, 'since'> {
  /** Called with the activity each time it is read; the last time it has ended. */
  onRead?: ((activity: Schemas['Activity']) => void) | undefined
}

/** The query of `GET /accounts/:account_id/events`. */
export interface EventsQuery {
  since: number
  poll: boolean
}

/** Its response. */
export interface EventsPage {
  events: Schemas['Event'][]
  cursor: number
}

/** Reads events; rejects when the signal aborts. */
type ReadEvents = (query: EventsQuery, signal: AbortSignal) => Promise<EventsPage>

/** A long poll returns after about 30 seconds. One that takes this long is lost. Milliseconds. */
const hangsMs = 60_000

/** The event may never come, so the activity is read again after this long without one. Milliseconds. */
const lookAgainMs = 5_000

/**
 * Events in order, each once, for as long as the caller asks for more. Temporary failures are retried from the same cursor, so no event is
 * missed or repeated, even when the service restarts meanwhile.
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
 * Resolves to the activity when it has ended. Only the activity itself decides that. Events are merely a reason to read it again, so a
 * late or lost event delays nothing.
 */
export async function untilEnded(
  readActivity: (signal: AbortSignal) => Promise<Schemas['Activity']>,
  readEvents: ReadEvents,
  options: WaitOptions,
  patience: Patience,
): Promise<Schemas['Activity']> {
  let since = 0
  const look = async (signal: AbortSignal): Promise<Schemas['Activity'] | undefined> => {
    const activity = await readActivity(signal)
    signal.throwIfAborted()
    options.onRead?.(activity)
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
 * Repeats the work while it fails temporarily (no response, 408, 429, a 5xx other than `world_lost`), up to the limit of failures in a
 * row.
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

/** Whether the same call may succeed later, unchanged. */
export function passes(error: unknown): boolean {
  if (error instanceof DOMException) return error.name === 'TimeoutError'
  if (!(error instanceof SvcError)) return false
  // A world that has ended never comes back.
  if (error.code === 'world_lost') return false
  return error.code === 'unreachable' || [408, 429].includes(error.status) || error.status >= 500
}
