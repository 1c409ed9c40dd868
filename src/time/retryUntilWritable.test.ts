import { expect, test, vi } from 'vitest'
import { UnwritableError } from '../lib/errors.js'
import { retryUntilWritable } from './retryUntilWritable.js'

const full = () =>
  new UnwritableError(
    '/data',
    'nothing was changed',
    'Free some space',
    new Error('the disk is full'),
  )

test('default: it is tried again until the disk takes it', async () => {
  const work = vi.fn().mockRejectedValueOnce(full()).mockResolvedValueOnce('written')
  expect(await retryUntilWritable(work, new AbortController().signal)).toBe('written')
  expect(work).toHaveBeenCalledTimes(2)
})

test('error: given up, it rejects with what the disk said; another error rejects at once', async () => {
  const giveUp = new AbortController()
  const work = vi.fn().mockImplementation(async () => {
    giveUp.abort()
    throw full()
  })
  await expect(retryUntilWritable(work, giveUp.signal)).rejects.toThrow('the disk is full')
  expect(work).toHaveBeenCalledTimes(1)
  const other = vi.fn().mockRejectedValue(new Error('another'))
  await expect(retryUntilWritable(other, new AbortController().signal)).rejects.toThrow('another')
  expect(other).toHaveBeenCalledTimes(1)
})
