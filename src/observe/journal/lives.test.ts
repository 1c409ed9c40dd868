import { expect, test } from 'vitest'
import { isOn, livesOf } from './lives.js'

test('default: a reset and a restore begin other lives; what led to a snapshot is part of what follows its restore', () => {
  const reset = { order: 10 }
  const restore = { order: 20, taken: 12 }
  const { hasLedTo, lineOf, undoneBy } = livesOf([reset, restore])
  expect([5, 12, 15, 25].map(undoneBy)).toEqual([reset, undefined, restore, undefined])
  expect(hasLedTo(5, 9)).toBe(true)
  expect(hasLedTo(9, 5)).toBe(false)
  expect(hasLedTo(5, 11)).toBe(false)
  expect(hasLedTo(11, 25)).toBe(true)
  expect(hasLedTo(15, 25)).toBe(false)
  const present = lineOf(25)
  expect(lineOf(11)).toBe(present)
  expect([5, 11, 12, 13, 25].filter((place) => isOn(present, place))).toEqual([11, 12, 25])
  expect([5, 11, 13, 19, 25].filter((place) => isOn(lineOf(15), place))).toEqual([11, 13, 19])
})

test('behavior: a restore brings back what an earlier one had undone; the last state that had it ends its line', () => {
  const first = { order: 20, taken: 5 }
  const back = { order: 30, taken: 12 }
  const again = { order: 40, taken: 5 }
  expect(livesOf([first]).undoneBy(11)).toBe(first)
  expect(livesOf([first, back]).undoneBy(11)).toBeUndefined()
  expect(livesOf([first, back]).undoneBy(15)).toBe(first)
  expect(livesOf([first, back]).undoneBy(25)).toBe(back)
  const { undoneBy, lineOf, hasLedTo } = livesOf([first, back, again])
  expect([3, 11, 15, 25, 35, 45].map(undoneBy)).toEqual([
    ...[undefined, again, first, back, again, undefined],
  ])
  expect(lineOf(11)).toBe(lineOf(35))
  expect(hasLedTo(11, 35)).toBe(true)
  expect(hasLedTo(25, 35)).toBe(false)
  // A restore itself begins what follows it, and a snapshot from before the journal leaves nothing.
  expect(lineOf(30)).toBe(lineOf(35))
  expect(livesOf([{ order: 50 }]).undoneBy(45)).toEqual({ order: 50 })
})
