import { expect, test } from 'vitest'
import { effects } from '../../src/faults/effects/index.js'
import { seamOf } from '../../src/faults/rules/rules.js'
import { kindRows } from '../kit/kindRows.js'
import { fewPairs, meetings } from '../kit/meetings.js'
import { testPairs } from '../kit/meetingTests.js'

// Pairs of kinds and faults; the whole product is in the tier `soak`.
testPairs(fewPairs())

test('behavior: no effect is left out, and no kind meets fewer than two', () => {
  const met = new Set(meetings.map(({ fault }) => fault.split(' ')[0]))
  const all = effects.map((effect) => `${seamOf(effect)}.${effect.name}`)
  expect(all.filter((name) => !met.has(name))).toEqual([])
  const counts = kindRows.map((row) => fewPairs().filter(([other]) => other === row).length)
  expect(Math.min(...counts)).toBeGreaterThanOrEqual(2)
})
