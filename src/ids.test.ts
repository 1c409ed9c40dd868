import { expect, test } from 'vitest'
import { createIds } from './ids.js'

const kinds = ['account', 'plan', 'activity', 'intent', 'request'] as const

test('default: a prefix per kind and twelve base-36 characters', () => {
  const ids = createIds()
  expect(kinds.map((kind) => ids[kind]().replace(/[0-9a-z]{12}$/, ''))).toEqual([
    'acc_',
    'pln_',
    'act_',
    'qi_',
    'req_',
  ])
})

test('behavior: no two are alike', () => {
  for (const seed of [undefined, 7n]) {
    const ids = createIds(seed)
    const many = Array.from({ length: 2_000 }, () => ids.plan())
    expect(new Set(many).size).toBe(many.length)
  }
})

test('behavior: a seed gives the same sequence, another seed another', () => {
  const sequence = (seed: bigint) => {
    const ids = createIds(seed)
    return kinds.flatMap((kind) => [ids[kind](), ids[kind]()])
  }
  expect(sequence(1n)).toEqual(sequence(1n))
  expect(sequence(1n)).not.toEqual(sequence(2n))
})
