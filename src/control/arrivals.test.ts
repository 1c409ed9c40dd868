import { afterEach, expect, test, vi } from 'vitest'
import { createBackgroundTasks } from '../time/backgroundTasks.js'
import { createClock } from '../time/clock.js'
import { createArrivals } from './arrivals.js'
import { patienceMs } from './systemLock.js'

afterEach(() => void vi.useRealTimers())

/** Three pieces of work, of which the first comes to its turn last, and what they do in their turns. */
async function played(mode: 'real' | 'frozen', first: () => Promise<void>): Promise<string[]> {
  const clock = createClock(mode === 'real' ? { mode, offsetMs: 0 } : { mode, atMs: 0 })
  const tasks = createBackgroundTasks()
  const inOrder = createArrivals(clock, tasks)
  const done: string[] = []
  const work = (name: string, before: () => Promise<unknown>) =>
    inOrder(async (comes) => {
      await before()
      await comes()
      done.push(name)
      // In the background, after the answer.
      void tasks.run(async () => {
        await new Promise((resolve) => setImmediate(resolve))
        done.push(`${name} at rest`)
      })
    })
  const all = [work('first', first), work('second', async () => {}), work('third', async () => {})]
  await Promise.allSettled(all)
  await tasks.settled()
  return done
}
const later = () => new Promise<void>((resolve) => setImmediate(resolve))
const inOrder = ['second', 'second at rest', 'third', 'third at rest']

test('default: where the clock stands still, each begins when what those before it have set going is at rest', async () => {
  expect(await played('frozen', later)).toEqual(['first', 'first at rest', ...inOrder])
})

test('behavior: while the clock runs, nothing waits for its turn', async () => {
  expect((await played('real', later)).slice(0, 3)).toEqual(['second', 'third', 'first'])
})

test('error: one that fails holds up nobody', async () => {
  expect(await played('frozen', () => Promise.reject(new Error('refused')))).toEqual(inOrder)
})

test('error: one that hangs holds the others up for ten seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  let end = (): void => {}
  const hangs = new Promise<void>((resolve) => {
    end = resolve
  })
  const playing = played('frozen', () => hangs)
  await vi.advanceTimersByTimeAsync(patienceMs)
  for (let i = 0; i < 20; i++) await later()
  end()
  expect(await playing).toEqual([...inOrder, 'first', 'first at rest'])
})
