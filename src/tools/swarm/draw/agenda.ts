import type { Meeting } from './candidates.js'
import { drawn, type Schedule, schedules } from './draw.js'
import type { Profile } from './profile.js'
import { allAnswers, pairs, singleFaults } from './singles.js'

/** What the runs of a search try, in their order. */
export interface Agenda {
  /** How many single faults there are: the first runs try one each. */
  singles: number
  /** The schedule of a run, by its number from 0 and its seed. */
  at(place: number, seed: number): Schedule
}

/**
 * Each single fault once, then each together with a lost response, then what chance draws. Where answers are among them, every second run
 * of chance has all of them at once.
 */
export function agendaOf(meetings: readonly Meeting[], { mostRules }: Profile): Agenda {
  const singles = singleFaults(meetings)
  const fixed = [...singles, ...pairs(singles)]
  const answers = allAnswers(singles)
  const byChance = meetings.some(({ effect }) => !effect.alone)
  const arbitrary = byChance ? schedules(meetings, mostRules) : undefined
  return {
    singles: singles.length,
    at(place, seed) {
      const set = fixed[place]
      if (set) return set
      if (!arbitrary) return fixed[place % fixed.length]!
      const schedule = drawn(arbitrary, seed)
      if (answers.length === 0 || place % 2 === 0) return schedule
      return [...answers, ...schedule.filter(({ on }) => on !== 'answer')]
    },
  }
}
