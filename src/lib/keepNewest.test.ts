import { expect, test } from 'vitest'
import { keepNewest } from './keepNewest.js'

const numbers = (...keys: string[]) => new Map(keys.map((key, index) => [key, index]))

test('default: the oldest entries go', () => {
  const map = numbers('a', 'b', 'c', 'd')
  keepNewest(map, 2)
  expect([...map.keys()]).toEqual(['c', 'd'])
})

test('behavior: a map that is small enough stays as it is', () => {
  const map = numbers('a', 'b')
  keepNewest(map, 2)
  expect([...map.keys()]).toEqual(['a', 'b'])
})

test('behavior: entries that may not go stay, also when there are too many of them', () => {
  const map = numbers('a', 'b', 'c', 'd')
  keepNewest(map, 1, (value) => value % 2 === 1)
  expect([...map.keys()]).toEqual(['a', 'c'])
})
