import { expect, test } from 'vitest'
import { candidatesOf, countingRule, type Meeting } from './candidates.js'
import { drawn, type Schedule, schedules } from './draw.js'
import { effectOf, isSurvivable, profiles } from './profiles.js'
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
const meetings: Meeting[] = candidates.map((each) => ({ ...each, calls: 3 }))
const arbitrary = schedules(meetings, 4)
const seeds = Array.from({ length: 300 }, (_, seed) => seed)

test('default', () => {
  const all = seeds.map((seed) => drawn(arbitrary, seed))
  expect(all.every((rules) => rules.length >= 1 && rules.length <= 4)).toBe(true)
  const names = new Set(all.flat().map((rule) => `${rule.on}.${effectOf(rule).name}`))
  // Every effect of the profile comes up.
  expect(names.size).toBeGreaterThanOrEqual(
    new Set(meetings.map(({ effect }) => effect.name)).size - 3,
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
  expect(isSurvivable({ on: 'plan', effect: { stale: { by: 'nonce' } } })).toBe(true)
  expect(isSurvivable({ on: 'plan', effect: { stale: { by: 'balance' } } })).toBe(false)
  expect(isSurvivable({ on: 'request', effect: 'hang' })).toBe(false)
})

test('behavior: shrinking keeps the one rule that matters, wherever it stands, with its smallest values', async () => {
  const matters = (rules: Schedule): boolean =>
    rules.some(({ on, effect }) => on === 'execute' && effect === 'response_lost')
  for (const seed of seeds.filter((each) => matters(drawn(arbitrary, each))).slice(0, 20)) {
    const { schedule, runs } = await shrink(arbitrary, {
      ...{ seed, maxRuns: 200 },
      fails: async (rules) => matters(rules),
    })
    expect(schedule).toEqual([
      { on: 'execute', effect: 'response_lost', match: { kind: 'earn' }, times: 1 },
    ])
    expect(runs).toBeLessThanOrEqual(200)
  }
})

test('behavior: shrinking ends when its runs are used up, with the smallest schedule so far', async () => {
  let asked = 0
  const seed = seeds.find((each) => drawn(arbitrary, each).length === 4)!
  const { schedule, runs } = await shrink(arbitrary, {
    ...{ seed, maxRuns: 1 },
    fails: async () => {
      asked++
      return false
    },
  })
  expect({ schedule, runs, asked }).toEqual({ schedule: drawn(arbitrary, seed), runs: 1, asked: 1 })
})
