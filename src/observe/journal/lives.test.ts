import { expect, test } from 'vitest'
import type { RecordedRequest } from './journal.js'
import { isOn, livesOf } from './lives.js'
import { lifeOf } from './ownLife.js'

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

test('behavior: what began before the journal: since the last reset if it is there, else in the life of the place that is asked about', () => {
  const at = (order: number, more: object = {}) =>
    ({
      order,
      method: 'GET',
      url: '/accounts/acc_1',
      notes: [],
      ...more,
    }) as unknown as RecordedRequest
  const made = at(35, {
    ...{
      method: 'POST',
      url: '/accounts',
      answer: { status: 201, text: '{"account_id":"acc_1"}' },
    },
  })
  const reset = { order: 10, ms: 0, snapshot: undefined, requestId: undefined }
  const restored = { ...reset, snapshot: { id: 'snap_1', name: undefined } }
  const [first, second] = [
    { ...restored, order: 20, taken: 12 },
    { ...restored, order: 30, taken: 5 },
  ]
  const third = { ...restored, order: 40, taken: 25 }
  const lifeIn = (marks: object[], isHere: boolean, near?: number) => {
    const ever = [at(5), at(15), at(25), made, at(45)]
    const { exchanges, line } = lifeOf(ever, ['acc_1'], { marks: marks as never, isHere, near })
    return [exchanges.map(({ order }) => order), line.end]
  }
  // What a restore has undone is shown, too; another account of that id is not.
  expect(lifeIn([reset, first, second, third], true)).toEqual([[15, 25, 45], undefined])
  expect(lifeIn([reset, first, second, third], false, 15)).toEqual([[5, 15, 25, 45], first])
})
