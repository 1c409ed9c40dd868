import { activityStatusOf } from '../../../../observe/journal/filter.js'
import type { ExchangeView, Overview } from '../../api/types.js'
import { shownUrl } from '../timeline/elements.js'

export interface Failure {
  /** ISO 8601. */
  at: string
  /** Such as `Earn 50.00 USDC`; undefined for an activity, whose timeline says it. */
  title?: string
  /** Such as `failed`. */
  said: string
  /** The id whose timeline says more. */
  of: string
  /** The request or activity whose verdict says why. */
  about: string
}

type TitleOf = (exchange: ExchangeView) => string | undefined

/** Refused or cut requests to the service, and failed activities, newest first. `titleOf` names the plan that a request asked for or executed. */
export function failuresOf(
  exchanges: readonly ExchangeView[],
  activities: Overview['failed'],
  titleOf: TitleOf,
  most: number,
): Failure[] {
  const refused: Failure[] = []
  for (const exchange of exchanges) {
    if (refused.length >= most) break
    if (!exchange.url.startsWith('/_sim')) refused.push(...refusalOf(exchange, titleOf))
  }
  const failed = activities.map(({ activity_id, at }) => ({
    at,
    said: 'failed',
    of: activity_id,
    about: activity_id,
  }))
  const later = (one: Failure, other: Failure): number => Date.parse(other.at) - Date.parse(one.at)
  return [...refused, ...failed].sort(later).slice(0, most)
}

function refusalOf(exchange: ExchangeView, titleOf: TitleOf): Failure[] {
  const { method, url, body, notes, answer, request_id } = exchange
  if (!answer || (answer.status < 400 && !answer.cut)) return []
  const { error = '' } = (answer.body ?? {}) as { error?: string }
  const { plan_id } = (body ?? {}) as { plan_id?: string }
  const refusal = answer.cut ? 'was cut' : `refused: ${answer.status} ${error}`
  return [
    {
      at: answer.at,
      title: titleOf(exchange) ?? shownUrl(`${method} ${url}`),
      // What became of the activity is in the verdict: a restore may have undone it.
      said: activityStatusOf(notes) ? 'executed, but the response was lost' : refusal,
      of: plan_id ?? request_id,
      about: request_id,
    },
  ]
}
