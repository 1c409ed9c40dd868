import fc, { type Arbitrary } from 'fast-check'
import type { FaultRuleInput } from '../../../faults/rules/faultRuleInput.js'
import type { ReachableEffect } from './candidates.js'
import type { Drawn, Profile } from './profiles.js'

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

/**
 * Each single fault once, then each together with a lost response, then random schedules. If the profile has `answer` effects, every second
 * random run has all of them.
 */
export function agendaOf(reachable: readonly ReachableEffect[], { mostRules }: Profile) {
  const singles = singleFaults(reachable)
  const fixed = [...singles, ...pairs(singles)]
  const answers = allAnswers(singles)
  const isDrawable = reachable.some(({ effect }) => !effect.alone)
  const randomSchedules = isDrawable ? schedules(reachable, mostRules) : undefined
  return {
    /** How many single faults there are. The first runs try one each. */
    singles: singles.length,
    /** The schedule of a run, by its number from 0 and its seed. */
    at(place: number, seed: number): Schedule {
      const set = fixed[place]
      if (set) return set
      if (!randomSchedules) return fixed[place % fixed.length]!
      const schedule = drawn(randomSchedules, seed)
      if (answers.length === 0 || place % 2 === 0) return schedule
      return [...answers, ...schedule.filter(({ on }) => on !== 'answer')]
    },
  }
}

/** Comes first at executions. */
const crashName = 'request.crash'

/**
 * Every effect at every target once, each with the worst of its settings. Effects at executions come first, since they can cost money; then
 * every effect at one place, before any at a second place.
 */
function singleFaults(reachable: readonly ReachableEffect[]): Schedule[] {
  const rank = ({ effect, match }: ReachableEffect): number => {
    if (effect.name.startsWith('execute.')) return 2
    if (!match.path?.endsWith('/plan/execute')) return 0
    return effect.name === crashName ? 3 : 1
  }
  const sorted = reachable.toSorted(
    (one, other) => rank(other) - rank(one) || other.effect.weight - one.effect.weight,
  )
  const places = new Map<ReachableEffect, number>()
  const placesTaken = new Map<unknown, number>()
  for (const reached of sorted) {
    const before = placesTaken.get(reached.effect) ?? 0
    places.set(reached, rank(reached) > 0 ? 0 : before)
    placesTaken.set(reached.effect, before + 1)
  }
  return sorted
    .toSorted((one, other) => places.get(one)! - places.get(other)!)
    .flatMap((reached) => worstOf(reached).map((rule) => [rule]))
}

/** Each single fault together with a lost response: the client meets the second fault when it looks up the lost execution. */
function pairs(singles: readonly Schedule[]): Schedule[] {
  const lost = singles.filter(
    ([rule]) => rule!.on === 'execute' && rule!.effect === 'response_lost',
  )
  return lost.flatMap((lostResponse) =>
    singles.filter((other) => !lost.includes(other)).map((other) => [...lostResponse, ...other]),
  )
}

function allAnswers(singles: readonly Schedule[]): Schedule {
  return singles.flat().filter(({ on }) => on === 'answer')
}

/** One rule for each of the words that a setting can be, with the highest numbers. */
function worstOf({ effect, match }: ReachableEffect): FaultRuleInput[] {
  const [on, name] = effect.name.split('.') as [string, string]
  const choices = Object.entries(effect.settings).reduce<Record<string, unknown>[]>(
    (all, [key, drawn]) =>
      all.flatMap((given) => worstValues(drawn).map((value) => ({ ...given, [key]: value }))),
    [{}],
  )
  return choices.map(
    (settings) =>
      ({
        on,
        effect: Object.keys(settings).length === 0 ? name : { [name]: settings },
        ...(Object.keys(match).length > 0 && { match }),
        ...(effect.times && { times: effect.times[0] }),
      }) as FaultRuleInput,
  )
}

function worstValues(drawn: Drawn): unknown[] {
  if (typeof drawn !== 'object') return [drawn]
  return 'oneOf' in drawn ? [...drawn.oneOf] : [drawn[1]]
}
