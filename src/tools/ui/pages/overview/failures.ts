import type { components } from '../../../../clients/control/controlApi.js'
import { shownUrl } from '../timeline/words.js'

type Exchange = components['schemas']['Exchange']

/** Something that went wrong, with its cause. */
export interface Failure {
  /** ISO 8601. */
  at: string
  title: string
  cause: string | undefined
  /** Whose timeline says more. */
  of: string
}

type Fields = Record<string, unknown>

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** Requests to the service that were refused or cut, and activities that failed, newest first. */
export function failuresOf(exchanges: readonly Exchange[], most: number): Failure[] {
  const found: Failure[] = []
  for (const exchange of exchanges) {
    if (found.length >= most) break
    if (!exchange.url.startsWith('/_sim')) found.push(...refusalOf(exchange))
    found.push(...failedIn(exchange))
  }
  return found.sort((one, other) => other.at.localeCompare(one.at)).slice(0, most)
}

function refusalOf({ at, method, url, body, answer, request_id }: Exchange): Failure[] {
  if (!answer || (answer.status < 400 && !answer.cut)) return []
  const { error, message } = (answer.body ?? {}) as Fields
  const said = answer.cut ? 'the answer was cut' : `${answer.status} ${text(error) ?? ''}`
  return [
    {
      at: answer.at || at,
      title: `${shownUrl(`${method} ${url}`)}: ${said}`,
      cause: answer.headers['x-svc-sim-hint'] ?? text(message),
      of: text((body as Fields | undefined)?.plan_id) ?? request_id,
    },
  ]
}

/** Activities that ended as failed on behalf of a request. */
function failedIn({ notes }: Exchange): Failure[] {
  return notes.flatMap((event) => {
    const id = text(event.activity_id)
    if (event.type !== 'event' || event.activity_status !== 'failed' || id === undefined) return []
    const why = notes.findLast((note) => note.activity_id === id && text(note.reason))
    return [{ at: event.at, title: `${id} failed`, cause: text(why?.reason), of: id }]
  })
}
