import type { ExchangeView, Overview } from '../../api/types.js'
import { shownUrl } from '../timeline/elements.js'

export interface Failure {
  /** ISO 8601. */
  at: string
  title: string
  /** The id whose timeline says more. */
  of: string
  /** The request or activity whose verdict says why. */
  about: string
}

/** Refused or cut requests to the service, and failed activities, newest first. */
export function failuresOf(
  exchanges: readonly ExchangeView[],
  activities: Overview['failed'],
  most: number,
): Failure[] {
  const refused: Failure[] = []
  for (const exchange of exchanges) {
    if (refused.length >= most) break
    if (!exchange.url.startsWith('/_sim')) refused.push(...refusalOf(exchange))
  }
  const failed = activities.map(({ activity_id, at }) => ({
    at,
    title: `${activity_id} failed`,
    of: activity_id,
    about: activity_id,
  }))
  const later = (one: Failure, other: Failure): number => Date.parse(other.at) - Date.parse(one.at)
  return [...refused, ...failed].sort(later).slice(0, most)
}

function refusalOf(exchange: ExchangeView): Failure[] {
  const { method, url, body, answer, request_id } = exchange
  if (!answer || (answer.status < 400 && !answer.cut)) return []
  const { error = '' } = (answer.body ?? {}) as { error?: string }
  const said = answer.cut ? 'the answer was cut' : `${answer.status} ${error}`
  return [
    {
      at: answer.at,
      title: `${shownUrl(`${method} ${url}`)}: ${said}`,
      of: (body as { plan_id?: string } | undefined)?.plan_id ?? request_id,
      about: request_id,
    },
  ]
}
