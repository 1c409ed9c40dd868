import { z } from 'zod'
import { count } from '../../lib/scalars.js'
import type { ActiveRule } from './activeRule.js'
import type { RuleStep } from './effect.js'
import { type RuleView, usedSteps } from './faultRules.js'
import { seamOf, withSettings } from './rules.js'

const stepField = z.union([z.string(), withSettings])

/** `RuleView` on the wire. */
export const ruleViewSchema: z.ZodType<RuleView> = z
  .strictObject({
    id: z.string(),
    on: z.string(),
    effect: stepField.optional(),
    sequence: z.array(stepField).optional(),
    used: count.optional().meta({
      description:
        'Of a `sequence`: how many of its steps are used up. A call that fails before its step comes about leaves the step to the next call.',
    }),
    match: z.record(z.string(), z.string()),
    after: count,
    times: count.optional(),
    probability: z.number().min(0).max(1).optional(),
    seen: count.meta({ description: 'Calls that matched.' }),
    // 1 for an effect that stands.
    hits: count.meta({
      description:
        'Calls on which it fired. A rule of the seam `answer` fires when it changes the response.',
    }),
    earlier_hits: count.optional().meta({
      description:
        'Of `hits`, those before this start of the simulator, restored from its data folder: the journal does not have their requests. Absent for none.',
    }),
    ends: z.string().optional().meta({
      description:
        'When it ends by itself, by the machine’s clock (ISO 8601). Absent for rules that last until they are removed, and before the first request of `request.outage`, which ends earlier if the simulator’s clock is advanced.',
    }),
    over: z
      .literal(true)
      .optional()
      .meta({ description: 'It has ended by itself: it holds nothing, and stays listed.' }),
  })
  .meta({ id: 'Fault' })

export function viewOf(rule: ActiveRule): RuleView {
  const { id, on, steps, match, after, times, probability, seen, hits, endsMs, over } = rule
  const { earlier_hits } = rule
  const views = steps.map(stepView)
  return {
    id,
    on: on ?? seamOf({ on: rule.seam }),
    ...(rule.isSequence ? { sequence: views, used: usedSteps(rule) } : { effect: views[0]! }),
    match,
    after,
    ...(times === undefined ? {} : { times }),
    ...(probability === undefined ? {} : { probability }),
    seen,
    hits,
    ...(earlier_hits && { earlier_hits }),
    ...(endsMs === undefined ? {} : { ends: new Date(endsMs).toISOString() }),
    ...(over && { over }),
  }
}

function stepView(step: RuleStep | 'ok'): z.infer<typeof stepField> {
  if (step === 'ok') return step
  const { effect, settings } = step
  return Object.keys(settings as object).length === 0 ? effect.name : { [effect.name]: settings }
}

/** `execute.revert by nonce`. */
export function effectText(effect: string, settings: object = {}): string {
  return 'by' in settings ? `${effect} by ${settings.by}` : effect
}
