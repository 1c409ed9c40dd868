import type { FaultRuleInput } from '../../../faults/rules/faultRuleInput.js'
import type { ReachableEffect } from './candidates.js'
import { drawn, type Schedule, schedules } from './draw.js'
import type { Drawn, Profile } from './profiles.js'

export interface Agenda {
  /** How many single faults there are. The first runs try one each. */
  singles: number
  /** The schedule of a run, by its number from 0 and its seed. */
  at(place: number, seed: number): Schedule
}

/**
 * Each single fault once, then each together with a lost response, then random schedules. If the profile has `answer` effects, every second
 * random run has all of them.
 */
export function agendaOf(reachable: readonly ReachableEffect[], { mostRules }: Profile): Agenda {
  const singles = singleFaults(reachable)
  const fixed = [...singles, ...pairs(singles)]
  const answers = allAnswers(singles)
  const isDrawable = reachable.some(({ effect }) => !effect.alone)
  const randomSchedules = isDrawable ? schedules(reachable, mostRules) : undefined
  return {
    singles: singles.length,
    at(place, seed) {
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
