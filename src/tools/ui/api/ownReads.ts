import { signal } from '@preact/signals'

export interface OwnRead {
  id: number
  /** When it was answered, by the simulator's clock, as an HTTP date; null without a response. */
  at: string | null
  /** With its query, without its origin. */
  url: string
  /** The response as far as it is shown; null when there was none, as for a read that was stopped. */
  answer: { status: number; cut: false } | null
  /** Until the headers of the response, in milliseconds of real time. */
  tookMs: number
}

const keptReads = 200

/** The last reads of this page, newest first. The journal omits them. */
export const ownReads = signal<readonly OwnRead[]>([])

let lastId = 0

/** Sends what a person asked for by a click. Faults and the journal treat it as a client's request; coverage does not count it. */
export function asPerson(request: Request): Promise<Response> {
  request.headers.set('x-svc-sim-viewer', 'click')
  return fetch(request)
}

/**
 * Sends a request of the page. A read is marked, so that the page is no client: no fault meets it, and the journal leaves it out.
 * Anything else is what a person does.
 */
export async function asViewer(request: Request): Promise<Response> {
  if (request.method !== 'GET') return asPerson(request)
  request.headers.set('x-svc-sim-viewer', 'dashboard')
  const begun = performance.now()
  const { pathname, search } = new URL(request.url)
  const keep = (response?: Response): void => {
    const read: OwnRead = {
      id: ++lastId,
      at: response?.headers.get('date') ?? null,
      url: pathname + search,
      answer: response ? { status: response.status, cut: false } : null,
      tookMs: performance.now() - begun,
    }
    ownReads.value = [read, ...ownReads.peek()].slice(0, keptReads)
  }
  const answer = fetch(request)
  answer.then(keep, () => keep())
  return answer
}
