import type { FaultRuleInput } from '../../../faults/rules/faultRuleInput.js'
import type { Meeting } from './candidates.js'
import type { Schedule } from './draw.js'
import type { Drawn } from './profile.js'

/** The dearest fault of all, where a search looks for it. */
const crashName = 'request.crash'

/**
 * Every effect at every target once, each with the worst of its settings. What concerns executions comes first: there the money is. Then every
 * effect at one place before any at a second one.
 */
export function singleFaults(meetings: readonly Meeting[]): Schedule[] {
  const rank = ({ effect, match }: Meeting): number => {
    if (effect.name.startsWith('execute.')) return 2
    if (!match.path?.endsWith('/plan/execute')) return 0
    return effect.name === crashName ? 3 : 1
  }
  const sorted = meetings.toSorted(
    (one, other) => rank(other) - rank(one) || other.effect.weight - one.effect.weight,
  )
  /** How many places of its effect come before each. */
  const places = new Map<Meeting, number>()
  const met = new Map<unknown, number>()
  for (const meeting of sorted) {
    const before = met.get(meeting.effect) ?? 0
    places.set(meeting, rank(meeting) > 0 ? 0 : before)
    met.set(meeting.effect, before + 1)
  }
  return sorted
    .toSorted((one, other) => places.get(one)! - places.get(other)!)
    .flatMap((meeting) => worstOf(meeting).map((rule) => [rule]))
}

/** Each single fault together with a lost response to an execution: a client that looks what became of it meets the other one then. */
export function pairs(singles: readonly Schedule[]): Schedule[] {
  const lost = singles.filter(
    ([rule]) => rule!.on === 'execute' && rule!.effect === 'response_lost',
  )
  return lost.flatMap((one) =>
    singles.filter((other) => !lost.includes(other)).map((other) => [...one, ...other]),
  )
}

/** All other readings of the interface at once. */
export function allAnswers(singles: readonly Schedule[]): Schedule {
  return singles.flat().filter(({ on }) => on === 'answer')
}

/** One rule for each of the words that a setting can be, with the highest numbers. */
function worstOf({ effect, match }: Meeting): FaultRuleInput[] {
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
