import { afterEach, expect, test, vi } from 'vitest'
import { createBackgroundTasks } from '../time/backgroundTasks.js'
import { createClock } from '../time/clock.js'
import { createArrivals, createSystemLock, patienceMs, SystemBusyError } from './systemLock.js'

afterEach(() => {
  vi.useRealTimers()
})

/** Work that ends when it is told to. */
function work() {
  let end: () => void = () => {}
  const done = new Promise<void>((resolve) => {
    end = resolve
  })
  return { done, end }
}

/** Lets everything run that does not wait for something else. */
async function settle(): Promise<void> {
  for (let i = 0; i < 20; i++) await Promise.resolve()
}

test('default: whoever is alone waits for those inside, and those who come meanwhile wait for it', async () => {
  const lock = createSystemLock()
  const log: string[] = []
  const [visit, exchange] = [work(), work()]
  const inside = lock.shared('first', async () => {
    await visit.done
    log.push('first left')
  })
  const alone = lock.exclusive(async () => {
    log.push('alone')
    await exchange.done
    log.push('exchanged')
  })
  const later = lock.shared('later', async () => log.push('later'))
  await settle()
  expect(log).toEqual([])
  visit.end()
  await inside
  await settle()
  expect(log).toEqual(['first left', 'alone'])
  exchange.end()
  await Promise.all([alone, later])
  expect(log).toEqual(['first left', 'alone', 'exchanged', 'later'])
})

test('behavior: many are inside at once; those who want to be alone take turns', async () => {
  const lock = createSystemLock()
  const visits = [work(), work()]
  let inside = 0
  const passing = visits.map((visit, i) =>
    lock.shared(`${i}`, () => {
      inside++
      return visit.done
    }),
  )
  expect(inside).toBe(2)
  for (const visit of visits) visit.end()
  await Promise.all(passing)

  let alone = 0
  const most: number[] = []
  const exchange = async (): Promise<void> => {
    most.push(++alone)
    await settle()
    alone--
  }
  await Promise.all([1, 2, 3].map(() => lock.exclusive(exchange)))
  expect(most).toEqual([1, 1, 1])
})

test('behavior: failures inside and alone are passed on and leave the gate open', async () => {
  const lock = createSystemLock()
  const failing = () => Promise.reject(new Error('broken'))
  await expect(lock.shared('a', failing)).rejects.toThrow('broken')
  await expect(lock.exclusive(failing)).rejects.toThrow('broken')
  expect(await lock.shared('b', async () => 'in')).toBe('in')
})

test('behavior: whoever is alone can end before the simulator stops; nobody else can be alone then', async () => {
  const lock = createSystemLock()
  const exchange = work()
  let retired = false
  const alone = lock.exclusive(() => exchange.done)
  const queued = lock.exclusive(async () => 'never')
  const refused = expect(queued).rejects.toThrow('the simulator is being stopped')
  const retiring = lock.retire().then(() => {
    retired = true
  })
  await settle()
  expect(retired).toBe(false)
  exchange.end()
  await Promise.all([alone, refused, retiring])
})

test('behavior: whoever waits outside hears of an exchange until it unsubscribes', () => {
  const lock = createSystemLock()
  let heard = 0
  const unsubscribe = lock.onReplaced(() => heard++)
  lock.replaced()
  unsubscribe()
  lock.replaced()
  expect(heard).toBe(1)
})

test('error: what does not end is named, and the gate opens again', async () => {
  vi.useFakeTimers()
  const lock = createSystemLock()
  const hanging = work()
  const inside = lock.shared('POST /accounts/acc_1/plan/earn', () => hanging.done)
  let exchanged = false
  const alone = lock.exclusive(async () => {
    exchanged = true
  })
  const refused = expect(alone).rejects.toThrow(SystemBusyError)
  await vi.advanceTimersByTimeAsync(patienceMs)
  await refused
  await expect(alone).rejects.toThrow('POST /accounts/acc_1/plan/earn did not end within 10 s')
  expect(exchanged).toBe(false)
  expect(await lock.shared('next', async () => 'in')).toBe('in')
  hanging.end()
  await inside
})

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
