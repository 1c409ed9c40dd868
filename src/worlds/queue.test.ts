import { expect, test } from 'vitest'
import { createQueue } from './queue.js'

test('default: requests are served in order; those beyond the limit are refused', async () => {
  const queue = createQueue<{ signal?: AbortSignal }, string>({ max: 2, waitMs: 60_000 })
  const [first, second, third] = [queue.wait({}), queue.wait({}), queue.wait({})]
  queue.shorten()
  await expect(third).rejects.toThrow('2 requests wait for one already')
  queue.first()!.settle(Promise.resolve('one'))
  queue.first()!.settle(Promise.resolve('two'))
  expect(await Promise.all([first, second])).toEqual(['one', 'two'])
  expect(queue.first()).toBeUndefined()
})

test('behavior: a client that disconnects before or during its wait gets no world', async () => {
  const queue = createQueue<{ signal?: AbortSignal }, string>({ max: 2, waitMs: 1_000 })
  const gone = new AbortController()
  const waiting = queue.wait({ signal: gone.signal })
  gone.abort()
  await expect(waiting).rejects.toThrow('the caller has disconnected')
  await expect(queue.wait({ signal: gone.signal })).rejects.toThrow('the caller has disconnected')
  expect(queue.length()).toBe(0)
})
