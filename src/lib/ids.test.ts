import { expect, test } from 'vitest'
import { createIds } from './ids.js'

const kinds = ['account', 'plan', 'activity', 'intent', 'request'] as const

test('default: a prefix per kind and twelve base-36 characters', () => {
  const ids = createIds(3n)
  expect(kinds.map((kind) => ids[kind]().replace(/[0-9a-z]{12}$/, ''))).toEqual([
    'acc_',
    'pln_',
    'act_',
    'qi_',
    'req_',
  ])
})

test('behavior: no two are alike', () => {
  const [ids, salted] = [createIds(7n), createIds(7n, 'of a store that is kept')]
  const many = Array.from({ length: 2_000 }, () => [ids.plan(), salted.plan()]).flat()
  expect(new Set(many).size).toBe(many.length)
})

test('behavior: a seed gives the same sequence, another seed another', () => {
  const sequence = (seed: bigint) => {
    const ids = createIds(seed)
    return kinds.flatMap((kind) => [ids[kind](), ids[kind]()])
  }
  expect(sequence(1n)).toEqual(sequence(1n))
  expect(sequence(1n)).not.toEqual(sequence(2n))
})

test('behavior: where ids must not repeat, a restore takes none back, also when they did repeat for a while', () => {
  let repeats = false
  const ids = createIds(5n, '', () => repeats)
  const early = ids.save()
  const drawn = [ids.plan(), ids.plan(), ids.request()]
  for (let round = 0; round < 3; round++) {
    ids.restore(early)
    drawn.push(ids.plan(), ids.request())
  }
  expect(new Set(drawn).size).toBe(drawn.length)
  repeats = true
  ids.restore(early)
  expect(ids.plan()).toBe(drawn[0])
  repeats = false
  expect(drawn).not.toContain(ids.plan())
  expect(drawn).not.toContain(ids.request())
})

test('behavior: one kind takes no id away from another, and a saved state gives the same ids again', () => {
  const [ids, other] = [createIds(5n), createIds(5n)]
  ids.activity()
  expect(ids.request()).toBe(other.request())
  const saved = ids.save()
  const next = [ids.plan(), ids.request()]
  ids.restore(saved)
  expect([ids.plan(), ids.request()]).toEqual(next)
})
