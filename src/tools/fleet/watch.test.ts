import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createWatch } from './watch.js'

const worker = (id: string) => ({ id, url: `http://${id}:1` })

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})
const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** Watches workers of which these are silent; with whom was looked at. */
function watchOf(silent: Set<string>) {
  const looked: string[] = []
  const watch = createWatch(async ({ id }) => {
    looked.push(id)
    return !silent.has(id)
  })
  closing.push(watch.close)
  return { watch, looked }
}

test('default: who waits for a silent worker hears of it, who waits for another waits on', async () => {
  const { watch } = watchOf(new Set(['silent']))
  const heard: string[] = []
  for (const id of ['silent', 'slow', 'silent']) watch.over(worker(id), () => heard.push(id))
  await vi.advanceTimersByTimeAsync(10_000)
  expect(heard).toEqual(['silent', 'silent'])
})

test('behavior: nobody is looked at for an answer that comes soon', async () => {
  const { watch, looked } = watchOf(new Set(['silent']))
  const heard = vi.fn()
  for (let i = 0; i < 10; i++) {
    const end = watch.over(worker('silent'), heard)
    await vi.advanceTimersByTimeAsync(900)
    end()
    end()
  }
  await vi.advanceTimersByTimeAsync(5_000)
  expect(heard).not.toHaveBeenCalled()
  expect(looked).toEqual([])
})

test('behavior: a worker that is silent later is noticed then, and looked at once at a time', async () => {
  const silent = new Set<string>()
  let looks = 0
  let most = 0
  const watch = createWatch(async ({ id }) => {
    most = Math.max(most, ++looks)
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    looks--
    return !silent.has(id)
  })
  closing.push(watch.close)
  const heard = vi.fn()
  watch.over(worker('one'), heard)
  watch.over(worker('one'), () => {})
  await vi.advanceTimersByTimeAsync(20_000)
  expect(heard).not.toHaveBeenCalled()
  silent.add('one')
  await vi.advanceTimersByTimeAsync(10_000)
  expect(heard).toHaveBeenCalledTimes(1)
  expect(most).toBe(1)
})
