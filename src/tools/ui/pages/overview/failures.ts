import { activityStatusOf } from '../../../../observe/journal/filter.js'
import type { ExchangeView, Overview } from '../../api/types.js'
import { executionOf, isUnexecuted } from '../../parts/planned.js'
import { shownUrl } from '../timeline/elements.js'

export interface Failure {
  /** ISO 8601. */
  at: string
  /** Of its request in the journal; 0 where the page does not have it. */
  cursor: number
  /** Such as `Earn 50.00 USDC`; undefined for an activity, whose timeline says it. */
  title?: string
  said: string
  of: string
  /** The request or activity whose verdict says why. */
  about: string
}

type TitleOf = (exchange: ExchangeView) => string | undefined

/** Refused or cut requests to the service, and activities that failed or were done twice, newest first. `titleOf` names the plan that a request asked for or executed. */
export function failuresOf(
  exchanges: readonly ExchangeView[],
  { failed, repeated }: Pick<Overview, 'failed' | 'repeated'>,
  titleOf: TitleOf,
  most: number,
): Failure[] {
  const refused: Failure[] = []
  for (const exchange of exchanges) {
    if (refused.length >= most) break
    if (!exchange.url.startsWith('/_sim')) refused.push(...refusalOf(exchange, titleOf))
  }
  const ended = [...failed, ...repeated].map(({ activity_id, at }, place) => ({
    at,
    cursor: exchanges.find((each) => executionOf(each)?.activity_id === activity_id)?.cursor ?? 0,
    said: place < failed.length ? 'failed' : 'done twice',
    of: activity_id,
    about: activity_id,
  }))
  // Activities have whole seconds, and a frozen clock has everything at one time.
  const secondOf = ({ at }: Failure): number => Math.floor(Date.parse(at) / 1000)
  const later = (one: Failure, other: Failure): number =>
    secondOf(other) - secondOf(one) || other.cursor - one.cursor
  return [...refused, ...ended].sort(later).slice(0, most)
}

function refusalOf(exchange: ExchangeView, titleOf: TitleOf): Failure[] {
  const { cursor, method, url, body, notes, answer, request_id } = exchange
  if (!answer || (answer.status < 400 && !answer.cut)) return []
  const { error = '' } = (answer.body ?? {}) as { error?: string }
  const { plan_id } = (body ?? {}) as { plan_id?: string }
  const cut = isUnexecuted(exchange) ? 'not executed: the connection was cut' : 'was cut'
  const refusal = answer.cut ? cut : `refused: ${answer.status} ${error}`
  const lost = answer.cut ? 'the response was lost' : `returned ${answer.status} ${error}`
  return [
    {
      at: answer.at,
      cursor,
      title: titleOf(exchange) ?? shownUrl(`${method} ${url}`),
      // What became of the activity is in the verdict: a restore may have undone it.
      said: activityStatusOf(notes) ? `executed, but ${lost}` : refusal,
      of: plan_id ?? request_id,
      about: request_id,
    },
  ]
}
