import { type Patience, pause } from './sending.js'
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

/** A long poll is answered after 30 seconds; one that hangs for this long has been lost. Milliseconds. */
const hangsMs = 60_000

/**
 * Events in order, each once, for as long as the caller asks for more. What passes - no answer, 408, 429, a 5xx but `world_lost` - is
 * waited for and asked again from the same cursor, so nothing is missed and nothing comes twice, also when the service is started anew
 * meanwhile.
 */
export async function* follow(
  read: (query: EventsQuery, signal: AbortSignal) => Promise<EventsPage>,
  { since = 0, signal, failures: mostFailures = 10 }: FollowOptions,
  { delayMs }: Patience,
): AsyncGenerator<FollowedEvent, never, void> {
  let cursor = since
  let failures = 0
  for (;;) {
    signal?.throwIfAborted()
    let page: EventsPage
    try {
      const lost = AbortSignal.timeout(hangsMs)
      const either = signal ? AbortSignal.any([signal, lost]) : lost
      page = await read({ since: cursor, poll: true }, either)
    } catch (error) {
      signal?.throwIfAborted()
      failures++
      if (!passes(error) || failures > mostFailures) throw error
      await pause(delayMs(failures), signal)
      continue
    }
    failures = 0
    const last = page.events.length - 1
    for (const [place, event] of page.events.entries())
      yield { event, cursor: place === last ? page.cursor : cursor }
    cursor = page.cursor
  }
}

/** Whether the same call may succeed later without anybody changing anything. */
function passes(error: unknown): boolean {
  if (error instanceof DOMException) return error.name === 'TimeoutError'
  if (!(error instanceof SvcError)) return false
  // A world that has ended never comes back.
  if (error.code === 'world_lost') return false
  return error.code === 'unreachable' || [408, 429].includes(error.status) || error.status >= 500
}
