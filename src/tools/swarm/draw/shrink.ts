import type { FaultRuleInput } from '../../../faults/rules/faultRuleInput.js'
import type { Schedule } from './draw.js'
import { effectOf } from './profiles.js'

/**
 * Shrinks a schedule in at most `maxRuns` runs, several at a time: to a single rule if one is enough, else by leaving out half of the rules
 * and then single ones; last to earlier calls, fewer firings and smaller numbers. `shows` runs a schedule, and resolves to undefined when
 * the finding does not show. `shown` of the result is that of the last run that showed it; undefined when no smaller schedule did.
 */
export async function shrink<Shown>(
  given: Schedule,
  { maxRuns, shows }: { maxRuns: number; shows(candidate: Schedule): Promise<Shown | undefined> },
) {
  let runs = 0
  let [schedule, shown] = [given, undefined as Shown | undefined]
  /** Tries candidates in parallel, and takes the first one that shows the finding. */
  const take = async (candidates: readonly Schedule[]): Promise<boolean> => {
    const tried = candidates.slice(0, Math.max(0, maxRuns - runs))
    runs += tried.length
    const all = await Promise.all(tried.map(shows))
    const place = all.findIndex((each) => each !== undefined)
    if (place < 0) return false
    ;[schedule, shown] = [tried[place]!, all[place]]
    return true
  }
  while (schedule.length > 1) {
    const [first, second] = [
      schedule.slice(0, Math.ceil(schedule.length / 2)),
      schedule.slice(Math.ceil(schedule.length / 2)),
    ]
    const smaller =
      schedule.length <= 4
        ? [...schedule.map((rule) => [rule]), ...(schedule.length > 2 ? withoutOne(schedule) : [])]
        : [first, second]
    if (await take(smaller)) continue
    if (schedule.length <= 4 || !(await take(withoutOne(schedule)))) break
  }
  for (let place = 0; place < schedule.length; place++)
    for (const simpler of [withoutAfter, firingOnce, withSmallNumbers]) {
      const rule = simpler(schedule[place]!)
      if (rule) await take([schedule.with(place, rule)])
    }
  return { schedule, shown, runs }
}

function withoutOne(schedule: Schedule): Schedule[] {
  return schedule.map((_, place) => schedule.toSpliced(place, 1))
}

function withoutAfter(rule: FaultRuleInput): FaultRuleInput | undefined {
  const { after, ...others } = rule
  return after === undefined ? undefined : (others as FaultRuleInput)
}

function firingOnce(rule: FaultRuleInput): FaultRuleInput | undefined {
  return rule.times === undefined || rule.times === 1 ? undefined : { ...rule, times: 1 }
}

function withSmallNumbers(rule: FaultRuleInput): FaultRuleInput | undefined {
  const { name, settings } = effectOf(rule)
  const small = Object.fromEntries(
    Object.entries(settings).map(([key, value]) => [
      key,
      typeof value === 'number' && value > 1 && key !== 'status' ? 1 : value,
    ]),
  )
  if (JSON.stringify(small) === JSON.stringify(settings)) return undefined
  return { ...rule, effect: { [name]: small } } as FaultRuleInput
}
