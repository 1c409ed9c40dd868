import { expect, test } from 'vitest'
import { effects } from '../effects/index.js'
import { activeRuleOf } from './activeRule.js'
import { readRule } from './rules.js'
import { createStoppages, rulesStopping } from './stoppages.js'
import { viewOf } from './view.js'

let nowMs = 0
const world = { tools: { clock: { now: () => nowMs } }, onFired() {} } as never
const ruleOf = (id: string, effect: unknown, network?: string) =>
  activeRuleOf(
    readRule({ on: 'chain', effect, ...(network && { match: { network } }) }, effects),
    id,
    world,
  )
const ids = (all: readonly { rule: string }[]) => all.map(({ rule }) => rule)

test('default: a stoppage is found from its begin until its end, on its network', () => {
  const stoppages = createStoppages()
  const [one, all] = [ruleOf('one', 'halt', 'base'), ruleOf('all', 'down')]
  nowMs = 10
  stoppages.begin(one)
  nowMs = 20
  stoppages.begin(all)
  stoppages.begin(ruleOf('slow', { slow: { ms: 5 } }))
  nowMs = 30
  stoppages.end(one)
  expect([9, 10, 29, 30].map((ms) => ids(stoppages.at('base', ms)))).toEqual([
    [],
    ['one'],
    ['one', 'all'],
    ['all'],
  ])
  expect(stoppages.at('polygon', 29)).toEqual([{ rule: 'all', effect: 'chain.down' }])
})

test('behavior: one that was saved goes on with its rule, and ends where the rule is gone', () => {
  const stoppages = createStoppages()
  const [kept, gone] = [ruleOf('kept', 'halt'), ruleOf('gone', 'halt')]
  nowMs = 10
  for (const rule of [kept, gone]) stoppages.begin(rule)
  const saved = stoppages.save()
  nowMs = 90
  stoppages.end(kept)
  const later = createStoppages()
  later.restore(saved)
  nowMs = 50
  later.begin(kept)
  later.endOthers(new Set(['kept']), 50)
  expect(ids(later.at('base', 49))).toEqual(['kept', 'gone'])
  expect(ids(later.at('base', 50))).toEqual(['kept'])
  expect(later.save()[0]).toMatchObject({ sinceMs: 10 })
})

test('behavior: a rule that ends by itself says when, and stops nothing when it is over', () => {
  const rule = ruleOf('brief', { halt: { ms: 1_000 } }, 'base')
  rule.endsMs = Date.parse('2026-01-01T00:00:01.500Z')
  const until = 'until 2026-01-01T00:00:01Z of the machine’s clock'
  const [stop] = rulesStopping([viewOf(rule)], ['base'])
  expect(stop).toMatchObject({ name: `brief (chain.halt, ${until})`, until })
  expect(rulesStopping([viewOf(rule)], ['polygon'])).toEqual([])
  rule.over = true
  expect(viewOf(rule)).toMatchObject({ ends: '2026-01-01T00:00:01.500Z', over: true })
  expect(rulesStopping([viewOf(rule)], ['base'])).toEqual([])
})
