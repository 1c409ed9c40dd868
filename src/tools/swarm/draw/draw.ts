import fc, { type Arbitrary } from 'fast-check'
import type { FaultRuleInput } from '../../../faults/rules/faultRuleInput.js'
import type { ReachableEffect } from './candidates.js'
import type { Drawn } from './profiles.js'

/** The rules of one run, in the order in which they are armed. */
export type Schedule = readonly FaultRuleInput[]

/** The last call at which a drawn rule begins to fire, so that faults also hit the first of a thousand polls. */
const latestCall = 20

/**
 * Schedules of up to `mostRules` rules, each of which can fire: it skips fewer calls than the baseline had.
 */
export function schedules(
  reachable: readonly ReachableEffect[],
  mostRules: number,
): Arbitrary<Schedule> {
  const targets = new Map<unknown, number>()
  for (const { effect } of reachable) targets.set(effect, (targets.get(effect) ?? 0) + 1)
  const rules = reachable
    .filter(({ effect }) => !effect.alone)
    .map((reached) => ({
      // An effect with many targets is drawn no more often than one with a single target.
      weight: Math.max(1, Math.round((reached.effect.weight * 100) / targets.get(reached.effect)!)),
      arbitrary: ruleOf(reached),
    }))
  const some = fc.array(fc.oneof(...rules), { maxLength: mostRules, size: 'max' })
  return fc.noBias(some.filter(({ length }) => length > 0))
}

export function drawn(schedule: Arbitrary<Schedule>, seed: number): Schedule {
  return fc.sample(schedule, { seed, numRuns: 1 })[0]!
}

function ruleOf({ effect, match, calls }: ReachableEffect): Arbitrary<FaultRuleInput> {
  const [on, name] = effect.name.split('.') as [string, string]
  const settings = Object.fromEntries(
    Object.entries(effect.settings).map(([key, value]) => [key, drawnValue(value)]),
  )
  const [least, most] = effect.times ?? [1, 1]
  return fc
    .record({
      settings: fc.record(settings),
      after: fc.integer({ min: 0, max: Math.max(0, Math.min(calls, latestCall) - 1) }),
      times: fc.integer({ min: least, max: most }),
    })
    .map(({ settings: chosen, after, times }) => {
      const isBare = Object.keys(chosen).length === 0
      const counts = effect.times === undefined ? {} : { ...(after > 0 && { after }), times }
      const narrowed = Object.keys(match).length === 0 ? {} : { match }
      return {
        on,
        effect: isBare ? name : { [name]: chosen },
        ...narrowed,
        ...counts,
      } as FaultRuleInput
    })
}

function drawnValue(drawn: Drawn): Arbitrary<unknown> {
  if (typeof drawn !== 'object') return fc.constant(drawn)
  if ('oneOf' in drawn) return fc.constantFrom(...drawn.oneOf)
  return fc.integer({ min: drawn[0], max: drawn[1] })
}
