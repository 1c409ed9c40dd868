import type { ActiveRule } from './activeRule.js'
import type { RuleMatch, RuleStep } from './effect.js'
import { seamOf } from './rules.js'

/** A rule with what it has done so far. */
export interface RuleView {
  id: string
  on: string
  effect?: string | Record<string, unknown>
  sequence?: (string | Record<string, unknown>)[]
  match: RuleMatch
  after: number
  times?: number
  probability?: number
  /** Calls that matched. */
  seen: number
  /** Calls at which it fired; 1 for an effect that stands. */
  hits: number
}

/** A rule as callers see it. */
export function viewOf(rule: ActiveRule): RuleView {
  const { id, on, steps, match, after, times, probability, seen, hits } = rule
  const views = steps.map(stepView)
  return {
    id,
    on: on ?? seamOf({ on: rule.seam }),
    ...(rule.isSequence ? { sequence: views } : { effect: views[0]! }),
    match,
    after,
    ...(times === undefined ? {} : { times }),
    ...(probability === undefined ? {} : { probability }),
    seen,
    hits,
  }
}

function stepView(step: RuleStep | 'ok'): string | Record<string, unknown> {
  if (step === 'ok') return step
  const { effect, settings } = step
  return Object.keys(settings as object).length === 0 ? effect.name : { [effect.name]: settings }
}
