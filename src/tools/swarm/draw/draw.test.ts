import { expect, test } from 'vitest'
import { candidatesOf, countingRule, type ReachableEffect } from './candidates.js'
import { agendaOf, drawn, type Schedule, schedules } from './draw.js'
import { effectOf, isRecoverable, isSurvivable, profiles, withRestarts } from './profiles.js'
import { shrink } from './shrink.js'

const usage = {
  routes: [
    { method: 'POST', path: '/accounts' },
    { method: 'POST', path: '/accounts/*/plan/earn' },
    { method: 'POST', path: '/accounts/*/plan/execute' },
  ],
  kinds: ['earn'],
  networks: ['base'],
}
const candidates = candidatesOf(profiles.any(), usage)
const reachable: ReachableEffect[] = candidates.map((each) => ({ ...each, calls: 3 }))
const arbitrary = schedules(reachable, 4)
const seeds = Array.from({ length: 300 }, (_, seed) => seed)

test('default', () => {
  const all = seeds.map((seed) => drawn(arbitrary, seed))
  expect(all.every((rules) => rules.length >= 1 && rules.length <= 4)).toBe(true)
  const names = new Set(all.flat().map((rule) => `${rule.on}.${effectOf(rule).name}`))
  // Every effect of the profile comes up.
  expect(names.size).toBeGreaterThanOrEqual(
    new Set(reachable.map(({ effect }) => effect.name)).size - 3,
  )
})

test('behavior: a seed is a schedule, and each rule lets at most one call less pass than there are', () => {
  for (const seed of seeds) {
    const rules = drawn(arbitrary, seed)
    expect(drawn(arbitrary, seed)).toEqual(rules)
    for (const { after = 0 } of rules) expect(after).toBeLessThan(3)
  }
})

test('behavior: rules are narrowed to what the client uses', () => {
  const matches = candidates.map(({ match }) => match)
  expect(matches).toContainEqual({ method: 'POST', path: '/accounts/*/plan/earn' })
  expect(matches).toContainEqual({ kind: 'earn' })
  expect(matches).toContainEqual({ network: 'base' })
  expect(matches).not.toContainEqual({ network: 'mainnet' })
})

test('behavior: a counting rule names its effect and never fires', () => {
  const stale = candidates.find(({ effect }) => effect.name === 'plan.stale')!
  expect(countingRule(stale, 'count-1')).toEqual({
    id: 'count-1',
    on: 'plan',
    effect: { stale: { by: 'nonce' } },
    match: { kind: 'earn' },
    after: 1e9,
  })
})

test('behavior: what only the profile any draws is not survivable', () => {
  const rules = seeds.flatMap((seed) => drawn(arbitrary, seed))
  const never = rules.filter((rule) => !isSurvivable(rule))
  expect(new Set(never.map(({ on }) => on))).toContain('execute')
  expect(isSurvivable({ on: 'plan', effect: { stale: { by: 'nonce' } }, times: 1 })).toBe(true)
  expect(isSurvivable({ on: 'plan', effect: { stale: { by: 'balance' } } })).toBe(false)
  expect(isSurvivable({ on: 'request', effect: 'hang' })).toBe(false)
})

test('behavior: shrinking keeps the one rule that matters, wherever it stands, with its smallest values', async () => {
  const matters = (rules: Schedule): boolean =>
    rules.some(({ on, effect }) => on === 'execute' && effect === 'response_lost')
  for (const seed of seeds.filter((each) => matters(drawn(arbitrary, each))).slice(0, 20)) {
    const { schedule, runs } = await shrink(drawn(arbitrary, seed), {
      maxRuns: 40,
      shows: async (rules) => matters(rules) || undefined,
    })
    expect(schedule).toEqual([
      { on: 'execute', effect: 'response_lost', match: { kind: 'earn' }, times: 1 },
    ])
    expect(runs).toBeLessThanOrEqual(40)
  }
})

test('behavior: of many rules the two that matter are left', async () => {
  const answers = Array.from({ length: 30 }, (_, n) => ({ on: 'answer', effect: `other_${n}` }))
  const all = answers as unknown as Schedule
  const two = [all[3]!, all[21]!]
  const { schedule } = await shrink(all, {
    maxRuns: 400,
    shows: async (rules) => two.every((rule) => rules.includes(rule)) || undefined,
  })
  expect(schedule).toEqual(two)
})

test('behavior: shrinking ends when its runs are used up, with the smallest schedule so far', async () => {
  let asked = 0
  const given = drawn(arbitrary, seeds.find((each) => drawn(arbitrary, each).length === 4)!)
  const { schedule, runs } = await shrink(given, {
    maxRuns: 1,
    shows: async () => {
      asked++
      return undefined
    },
  })
  expect({ schedule, runs, asked }).toEqual({ schedule: given, runs: 1, asked: 1 })
})

test('default: each single fault comes first, then each with a lost response, then what chance draws', () => {
  const { singles, at } = agendaOf(reachable, profiles.any())
  const first = Array.from({ length: singles }, (_, place) => at(place, place))
  expect(first.every(({ length }) => length === 1)).toBe(true)
  expect(new Set(first.map((each) => JSON.stringify(each))).size).toBe(singles)
  const names = first.flat().map((rule) => `${rule.on}.${effectOf(rule).name}`)
  expect(new Set(names)).toEqual(new Set(reachable.map(({ effect }) => effect.name)))
  expect(first[0]![0]!.match).toMatchObject({ kind: 'earn' })
  expect(at(singles, 0)).toHaveLength(2)
  expect(at(singles, 0)[0]).toMatchObject({ on: 'execute', effect: 'response_lost' })
})

test('behavior: behind the executions, every effect has its turn at one place before any has another at a second one', () => {
  const { singles, at } = agendaOf(reachable, profiles.any())
  const rules = Array.from({ length: singles }, (_, place) => at(place, place)[0]!)
  const begin = rules.findLastIndex(
    ({ on, match }) => on === 'execute' || match?.path?.includes('execute'),
  )
  const others = rules.slice(begin + 1)
  const nameOf = (rule: (typeof rules)[number]) => `${rule.on}.${effectOf(rule).name}`
  const cuts = others.filter((rule) => nameOf(rule) === 'request.reset_before')
  expect(cuts).toHaveLength(2)
  const before = others.slice(0, others.indexOf(cuts[1]!)).map(nameOf)
  expect(new Set(before)).toEqual(new Set(others.map(nameOf)))
})

test('behavior: restarts come first, where an execution was carried out, and a good client rides them out', () => {
  const profile = withRestarts(profiles.survivable())
  const all = candidatesOf(profile, usage).map((each) => ({ ...each, calls: 3 }))
  const { singles, at } = agendaOf(all, profile)
  const match = { method: 'POST', path: '/accounts/*/plan/execute' }
  const done = { on: 'request', effect: { crash: { done: true } }, match, times: 1 }
  expect(at(0, 0)).toEqual([done])
  expect(isSurvivable(done)).toBe(true)
  const crashes = Array.from({ length: singles }, (_, place) => at(place, place)).filter(
    ([rule]) => effectOf(rule!).name === 'crash',
  )
  expect(crashes).toHaveLength(6)
  const usual = agendaOf(reachable, profiles.any())
  const names = Array.from({ length: usual.singles }, (_, n) => effectOf(usual.at(n, n)[0]!).name)
  expect(names).not.toContain('crash')
})

test('behavior: open tries all answers at once in half of the runs of chance', () => {
  const open = candidatesOf(profiles.open(), usage).map((each) => ({ ...each, calls: 3 }))
  const { at } = agendaOf(open, profiles.open())
  const answers = open.filter(({ effect }) => effect.name.startsWith('answer.')).length
  const many = Array.from({ length: 10 }, (_, n) => at(1_000 + n, n)).map(
    (rules) => rules.filter(({ on }) => on === 'answer').length,
  )
  expect(many.filter((count) => count === answers)).toHaveLength(5)
})

test('behavior: what fires more often than it is drawn is not ridden out; a failure that happens once can be recovered from', () => {
  const error = { respond: { error: 'internal_error' } }
  expect(isSurvivable({ on: 'request', effect: error, times: 1 })).toBe(true)
  expect(isSurvivable({ on: 'request', effect: error, times: 50 })).toBe(false)
  expect(isSurvivable({ on: 'request', effect: error })).toBe(false)
  expect(isRecoverable({ on: 'execute', effect: 'revert', times: 1 })).toBe(true)
  expect(isRecoverable({ on: 'execute', effect: 'revert' })).toBe(false)
  expect(isRecoverable({ on: 'execute', effect: 'stuck', times: 1 })).toBe(false)
})
