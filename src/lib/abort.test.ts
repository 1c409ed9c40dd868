import { expect, test } from 'vitest'
import { unlessAborted } from './abort.js'

const never = new Promise<never>(() => {})

test('default: settles as the work does', async () => {
  const { signal } = new AbortController()
  expect(await unlessAborted(Promise.resolve(1), signal)).toBe(1)
  expect(await unlessAborted(Promise.resolve(1), undefined)).toBe(1)
  await expect(unlessAborted(Promise.reject(new Error('no')), signal)).rejects.toThrow('no')
})

test('behavior: rejects with the reason when it is aborted, before or meanwhile', async () => {
  const given = new AbortController()
  const waiting = unlessAborted(never, given.signal)
  given.abort('enough')
  await expect(waiting).rejects.toBe('enough')
  await expect(unlessAborted(never, given.signal)).rejects.toBe('enough')
})

test('behavior: work that ends in the time of grace counts', async () => {
  const given = new AbortController()
  given.abort('enough')
  expect(await unlessAborted(Promise.resolve(1), given.signal, 1e6)).toBe(1)
  await expect(unlessAborted(never, given.signal, 1)).rejects.toBe('enough')
})
