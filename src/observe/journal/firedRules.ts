import { effects } from '../../faults/effects/index.js'
import type { EffectOutcome } from '../../faults/rules/effect.js'
import { seamOf } from '../../faults/rules/rules.js'
import type { OrderedMoment } from './foldReads.js'
import { type NamedFault, namedFault } from './verdict.js'
import { becauseOf } from './verdictText.js'

// Loaded when somebody asks why: it reads every effect there is.

/** What a rule did at a call, from the moment that says it fired. */
export interface Fired extends NamedFault, Pick<EffectOutcome, 'ends'> {
  moment: OrderedMoment
}

/** The rules that fired, in their order. */
export function firedIn(moments: readonly OrderedMoment[]): Fired[] {
  return moments.flatMap((moment): Fired[] => {
    const { effect, settings = {}, rule = '', carried } = moment.details as Partial<FaultDetails>
    if (moment.type !== 'fault' || effect === undefined) return []
    const known = effects.find((each) => `${seamOf(each)}.${each.name}` === effect)
    const outcome: EffectOutcome = known?.outcome?.(settings) ?? { text: 'fired' }
    const { text, ends, isDone } = outcome
    const fault = namedFault({ rule, effect, settings, carried }, text, isDone)
    return [{ ...fault, ...(ends && { ends }), moment }]
  })
}

interface FaultDetails {
  rule: string
  effect: string
  settings?: Record<string, unknown>
  carried?: boolean
}

/** Those of the rules that brought about how a transaction or a bridge of the same request ended. */
export function causesOf(
  ending: unknown,
  { request_id, order, details }: Pick<OrderedMoment, 'request_id' | 'order' | 'details'>,
  fired: readonly Fired[],
): Fired[] {
  return fired.filter(({ ends, moment }) => {
    const { only } = moment.details
    const isThere =
      only === undefined || [details.network, details.from, details.to].includes(only as string)
    // What a reorganisation has replaced was there before it.
    const isBefore = moment.order < order || ending === 'replaced by a reorganisation'
    const isOfRequest = moment.request_id === request_id
    return isOfRequest && isThere && isBefore && (ends as unknown[] | undefined)?.includes(ending)
  })
}

/** Transactions and bridges that a rule has changed say so. */
export function withCauses(moments: readonly OrderedMoment[]): OrderedMoment[] {
  const fired = firedIn(moments)
  return moments.map((moment) => {
    if (moment.type !== 'transaction' && moment.type !== 'bridge') return moment
    const because = becauseOf(causesOf(moment.details.status, moment, fired))
    return because === '' ? moment : { ...moment, title: `${moment.title}${because}` }
  })
}
