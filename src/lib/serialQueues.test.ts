import { expect, test } from 'vitest'
import { serialQueues } from './serialQueues.js'

test('default: work of one key runs one at a time, in the order of the calls', async () => {
  const inTurn = serialQueues<object>()
  const key = {}
  const seen: string[] = []
  const work = (name: string) => async () => {
    seen.push(`${name} begins`)
    await Promise.resolve()
    seen.push(`${name} ends`)
    return name
  }
  expect(await Promise.all([inTurn(key, work('a')), inTurn(key, work('b'))])).toEqual(['a', 'b'])
  expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends'])
})

test('behavior: another key does not wait', async () => {
  const inTurn = serialQueues<object>()
  let finish = (): void => {}
  const first = inTurn({}, () => new Promise<void>((resolve) => (finish = resolve)))
  expect(await inTurn({}, async () => 'done')).toBe('done')
  finish()
  await first
})

test('error: a rejection reaches its caller, and the next in the queue runs', async () => {
  const inTurn = serialQueues<object>()
  const key = {}
  const failing = inTurn(key, () => Promise.reject(new Error('no')))
  const next = inTurn(key, async () => 'next')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('next')
})
