import { afterEach, expect, test, vi } from 'vitest'
import { createSystemLock, patienceMs, SystemBusyError } from './systemLock.js'

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
  const gate = createSystemLock()
  const log: string[] = []
  const [visit, exchange] = [work(), work()]
  const inside = gate.shared('first', async () => {
    await visit.done
    log.push('first left')
  })
  const alone = gate.exclusive(async () => {
    log.push('alone')
    await exchange.done
    log.push('exchanged')
  })
  const later = gate.shared('later', async () => log.push('later'))
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
  const gate = createSystemLock()
  const visits = [work(), work()]
  let inside = 0
  const passing = visits.map((visit, i) =>
    gate.shared(`${i}`, () => {
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
  await Promise.all([1, 2, 3].map(() => gate.exclusive(exchange)))
  expect(most).toEqual([1, 1, 1])
})

test('behavior: failures inside and alone are passed on and leave the gate open', async () => {
  const gate = createSystemLock()
  const failing = () => Promise.reject(new Error('broken'))
  await expect(gate.shared('a', failing)).rejects.toThrow('broken')
  await expect(gate.exclusive(failing)).rejects.toThrow('broken')
  expect(await gate.shared('b', async () => 'in')).toBe('in')
})

test('behavior: whoever is alone can end before the simulator stops; nobody else can be alone then', async () => {
  const gate = createSystemLock()
  const exchange = work()
  let retired = false
  const alone = gate.exclusive(() => exchange.done)
  const queued = gate.exclusive(async () => 'never')
  const refused = expect(queued).rejects.toThrow('the simulator is being stopped')
  const retiring = gate.retire().then(() => {
    retired = true
  })
  await settle()
  expect(retired).toBe(false)
  exchange.end()
  await Promise.all([alone, refused, retiring])
})

test('behavior: whoever waits outside hears of an exchange until it unsubscribes', () => {
  const gate = createSystemLock()
  let heard = 0
  const unsubscribe = gate.onReplaced(() => heard++)
  gate.replaced()
  unsubscribe()
  gate.replaced()
  expect(heard).toBe(1)
})

test('error: what does not end is named, and the gate opens again', async () => {
  vi.useFakeTimers()
  const gate = createSystemLock()
  const hanging = work()
  const inside = gate.shared('POST /accounts/acc_1/plan/earn', () => hanging.done)
  let exchanged = false
  const alone = gate.exclusive(async () => {
    exchanged = true
  })
  const refused = expect(alone).rejects.toThrow(SystemBusyError)
  await vi.advanceTimersByTimeAsync(patienceMs)
  await refused
  await expect(alone).rejects.toThrow('POST /accounts/acc_1/plan/earn did not end within 10 s')
  expect(exchanged).toBe(false)
  expect(await gate.shared('next', async () => 'in')).toBe('in')
  hanging.end()
  await inside
})
