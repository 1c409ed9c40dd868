import { expect, test } from 'vitest'
import { apiKeysOf } from './apiKeys.js'

const clock = { now: () => Date.UTC(2026, 0, 1) }

test('default: each key is a prime account of its own, the accepted ones first', () => {
  const keys = apiKeysOf({ apiKeys: ['qk_one', 'qk_two'], revokedApiKeys: ['qk_old'] }, clock)
  expect(keys.map(({ key, revoked }) => [key, revoked])).toEqual([
    ['qk_one', false],
    ['qk_two', false],
    ['qk_old', true],
  ])
  expect(new Set(keys.map(({ primeId }) => primeId)).size).toBe(3)
  for (const { primeId, createdAt } of keys) {
    expect(primeId).toMatch(/^svc_[0-9a-z]{12}$/)
    expect(createdAt).toBe('2026-01-01T00:00:00Z')
  }
})

test('behavior: the id of a prime account follows from its key alone', () => {
  const [before] = apiKeysOf({ apiKeys: ['qk_one'], revokedApiKeys: [] }, clock)
  const [, after] = apiKeysOf({ apiKeys: ['qk_new'], revokedApiKeys: ['qk_one'] }, { now: () => 0 })
  expect(after!.primeId).toBe(before!.primeId)
  expect(after!.primeId).not.toContain('one')
})
