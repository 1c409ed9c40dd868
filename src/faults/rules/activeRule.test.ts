import { expect, test } from 'vitest'
import { effects } from '../effects/index.js'
import { activeRuleOf, handleOf, meet, whileHeld, withoutEffects } from './activeRule.js'
import type { FaultFacts, FaultTools } from './effect.js'
import { isSpent } from './faultRules.js'
import { readRule } from './rules.js'
import { viewOf } from './view.js'

const noWorld = { tools: {} as FaultTools, onFired() {} }

const ruleOf = (input: object, id = 'r') =>
  activeRuleOf(readRule({ on: 'folio', ...input }, effects), id, noWorld)

/** Which of so many calls meet the rule, by the name of the effect; `-` for the others. */
function metBy(rule: ReturnType<typeof ruleOf>, calls: number, facts: FaultFacts = {}, seed = 1n) {
  const fired: string[] = []
  const onFired = () => void fired.push('fired')
  const met = Array.from({ length: calls }, () => {
    const meeting = meet(rule, 'folio', facts, { facts }, { seed, onFired })
    meeting?.fired()
    return meeting?.step.effect.name ?? '-'
  })
  expect(fired).toHaveLength(met.filter((name) => name !== '-').length)
  return met.join(' ')
}

test('default: a rule fires at every call and counts it', () => {
  const rule = ruleOf({ effect: 'timeout' })
  expect(metBy(rule, 3)).toBe('timeout timeout timeout')
  expect(rule).toMatchObject({ seen: 3, hits: 3 })
})

test('behavior: "after" lets calls pass, "times" ends the rule', () => {
  const rule = ruleOf({ effect: 'timeout', after: 2, times: 2 })
  expect(metBy(rule, 6)).toBe('- - timeout timeout - -')
  expect(rule).toMatchObject({ seen: 6, hits: 2 })
})

test('behavior: a call under way takes one of the times; when it ends without a hit, the next call has it', () => {
  const rule = ruleOf({ effect: 'timeout', times: 1 })
  const next = () => meet(rule, 'folio', {}, { facts: {} }, { seed: 1n, onFired() {} })
  const first = next()!
  expect([next(), rule.seen, rule.hits]).toEqual([undefined, 2, 0])
  first.ended()
  first.fired()
  expect(rule.hits).toBe(0)
  const third = next()!
  for (const tell of [third.fired, third.fired, third.ended]) tell()
  expect([next(), rule.seen, rule.hits]).toEqual([undefined, 4, 1])
})

test('behavior: a sequence has one step per call, behind "after"', () => {
  const rule = ruleOf({ sequence: ['ok', 'timeout x2', { latency: { ms: 5 } }], after: 1 })
  expect(metBy(rule, 7)).toBe('- - timeout timeout latency - -')
  expect(rule).toMatchObject({ seen: 7, hits: 3 })
})

test('behavior: a step whose call ends without a hit is the step of the next call, also after a restore', () => {
  const rule = ruleOf({ sequence: ['timeout', 'ok', { latency: { ms: 5 } }] })
  const meetOf = (of: typeof rule) =>
    meet(of, 'folio', {}, { facts: {} }, { seed: 1n, onFired() {} })
  const first = meetOf(rule)!
  // The second call has the second step while it is not known what becomes of the first.
  expect([meetOf(rule), viewOf(rule).used]).toEqual([undefined, 1])
  const third = meetOf(rule)!
  expect([third.step.effect.name, meetOf(rule)]).toEqual(['latency', undefined])
  const copy = withoutEffects(rule)
  for (const { ended } of [third, first]) ended()
  for (const each of [rule, copy]) {
    expect(viewOf(each)).toMatchObject({ seen: 4, hits: 0, used: 1 })
    const again = meetOf(each)!
    again.fired()
    expect([again.step.effect.name, isSpent(viewOf(each))]).toEqual(['timeout', false])
    meetOf(each)!.fired()
    expect(meetOf(each)).toBeUndefined()
    expect(viewOf(each)).toMatchObject({ seen: 7, hits: 2, used: 3 })
    expect(isSpent(viewOf(each))).toBe(true)
  }
})

test('behavior: all facts of the match must fit, and any word of a fact may', () => {
  const match = { account_id: 'acc_*', asset: 'usdc' }
  const rule = ruleOf({ effect: 'timeout', match })
  expect(metBy(rule, 1, { account_id: 'acc_1', asset: ['WETH', 'USDC'] })).toBe('timeout')
  expect(metBy(rule, 1, { account_id: 'acc_1', asset: ['WETH'] })).toBe('-')
  expect(metBy(rule, 1, { asset: 'USDC' })).toBe('-')
  expect(rule).toMatchObject({ seen: 1, hits: 1 })
  const other = meet(rule, 'events', {}, { facts: {} }, { seed: 1n, onFired() {} })
  expect(other).toBeUndefined()
  expect(rule.seen).toBe(1)
})

test('behavior: a probability draws the same calls for a seed and an id', () => {
  const drawn = (seed: bigint, id: string) =>
    metBy(ruleOf({ effect: 'timeout', probability: 0.5 }, id), 40, {}, seed)
  expect(drawn(1n, 'r')).toBe(drawn(1n, 'r'))
  expect(drawn(2n, 'r')).not.toBe(drawn(1n, 'r'))
  expect(drawn(1n, 'q')).not.toBe(drawn(1n, 'r'))
  const hits = drawn(1n, 'r')
    .split(' ')
    .filter((name) => name !== '-').length
  expect(hits).toBeGreaterThan(10)
  expect(hits).toBeLessThan(30)
})

test('behavior: a call with a key that comes again meets the same and counts once', () => {
  const rule = activeRuleOf(
    readRule({ on: 'bridge', sequence: ['refund', 'ok'] }, effects),
    'r',
    noWorld,
  )
  const metAt = (key: string) => {
    const call = { facts: {}, key } as unknown as Parameters<typeof meet>[3]
    return meet(rule, 'bridge', {}, call, { seed: 1n, onFired() {} })?.step.effect.name
  }
  expect(['a', 'a', 'b', 'a', 'c'].map(metAt)).toEqual([
    'refund',
    'refund',
    undefined,
    'refund',
    undefined,
  ])
  expect(rule).toMatchObject({ seen: 3, hits: 1 })
})

test('behavior: the same rule again keeps its counts and holds nothing of the first', async () => {
  const rule = ruleOf({ effect: 'timeout' })
  metBy(rule, 2)
  rule.persistent = { end: async () => {}, nodes: [] }
  const copy = withoutEffects(rule)
  expect(copy).toMatchObject({ seen: 2, hits: 2, origin: rule.origin })
  expect(copy.persistent).toBeUndefined()
  rule.removal.abort()
  expect(copy.removal.signal.aborted).toBe(false)
  expect([copy.changes, copy.done]).not.toContain(rule.changes)
})

test('behavior: a rule’s signal is that of its successor after a restore, and of its request', () => {
  const rule = ruleOf({ effect: 'timeout' })
  const copy = withoutEffects(rule)
  const foreign = ruleOf({ effect: 'timeout' })
  rule.removal.abort()
  expect(handleOf(rule, () => copy).signal.aborted).toBe(false)
  expect(handleOf(rule, () => foreign).signal.aborted).toBe(true)
  expect(handleOf(rule, () => undefined).signal.aborted).toBe(true)
  const cleared = new AbortController()
  const handle = handleOf({ ...copy, cleared: cleared.signal }, () => undefined)
  expect(handle.signal.aborted).toBe(false)
  cleared.abort()
  expect(handle.signal.aborted).toBe(true)
})

test('behavior: a request’s rule is known while its effect runs, and longer if it has changed something', async () => {
  const rule = ruleOf({ effect: 'timeout' })
  const holding = new Map()
  await whileHeld(holding, rule, async () => {
    expect(holding.get(rule)).toBe(1)
    await whileHeld(holding, rule, async () => expect(holding.get(rule)).toBe(2))
    expect(holding.get(rule)).toBe(1)
  })
  expect(holding.size).toBe(0)
  await whileHeld(holding, rule, async () => {
    rule.changes.set('x', {} as never)
  })
  expect(holding.get(rule)).toBe(0)
  // Removed meanwhile.
  await whileHeld(holding, rule, async () => void holding.delete(rule))
  expect(holding.size).toBe(0)
})
