import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createClock, parseClock } from './clock.js'

const never = new AbortController().signal

test('default: the machine’s clock', () => {
  const before = Date.now()
  const now = createClock().now()
  expect(now).toBeGreaterThanOrEqual(before)
  expect(now).toBeLessThanOrEqual(Date.now())
})

test('behavior: frozen, it moves only when it is set, and wakes who is due in the order of their times', async () => {
  const clock = createClock({ mode: 'frozen', atMs: 1000 })
  const woken: number[] = []
  const waits = [500, 20, 20, 999].map(async (ms, i) => {
    await clock.wait(ms, never)
    woken.push(i)
  })
  expect(clock.nextDue(5000)).toBe(1020)
  clock.set({ mode: 'frozen', atMs: 1500 })
  await Promise.all(waits.slice(0, 3))
  expect(woken).toEqual([1, 2, 0])
  expect(clock.nextDue(5000)).toBe(1999)
  expect(clock.nextDue(1998)).toBeUndefined()
  clock.set({ mode: 'real', offsetMs: 0 })
  await Promise.all(waits)
  expect(woken).toEqual([1, 2, 0, 3])
})

test('behavior: held, it wakes one after the other, those due at once by their order and then as they came', async () => {
  const clock = createClock({ mode: 'frozen', atMs: 0 })
  const release = clock.hold()
  const woken: string[] = []
  for (const order of ['b', 'a', 'b'])
    void clock.wait(50_000, never, order).then(() => woken.push(order))
  clock.set({ mode: 'frozen', atMs: 60_000 })
  expect(clock.wakeNext()).toBe(true)
  await Promise.resolve()
  expect(woken).toEqual(['a'])
  release()
  await Promise.resolve()
  expect(woken).toEqual(['a', 'b', 'b'])
  expect(clock.wakeNext()).toBe(false)
})

test('behavior: a hold that is announced keeps back who waits for the release, and nobody else', async () => {
  const clock = createClock({ mode: 'frozen', atMs: 0 })
  const end = clock.announce()
  const told: string[] = []
  void clock.released().then(() => told.push('released'))
  const due = clock.wait(10, never).then(() => told.push('due'))
  clock.set({ mode: 'frozen', atMs: 10 })
  await due
  const release = clock.hold()
  end()
  await Promise.resolve()
  expect(told).toEqual(['due'])
  release()
  await clock.released()
  await Promise.resolve()
  expect(told).toEqual(['due', 'released'])
})

test('behavior: no stop is made for who waits idly; it is woken at the next one', async () => {
  const clock = createClock({ mode: 'frozen', atMs: 0 })
  const woken: string[] = []
  void clock.idle(10, never).then(() => woken.push('idle'))
  void clock.wait(50, never).then(() => woken.push('fill'))
  expect(clock.nextDue(100)).toBe(50)
  clock.set({ mode: 'frozen', atMs: 50 })
  await Promise.resolve()
  expect(woken).toEqual(['idle', 'fill'])
  expect(clock.nextDue(100)).toBeUndefined()
})

test('behavior: what somebody waits for includes polls, and not who looks again from time to time', async () => {
  const clock = createClock({ mode: 'auto', atMs: 0 })
  let changes = 0
  clock.onChange(() => changes++)
  const woken: string[] = []
  void clock.look(10, never).then(() => woken.push('look'))
  expect(clock.nextWaited()).toBeUndefined()
  void clock.idle(20, never).then(() => woken.push('poll'))
  expect(clock.nextWaited()).toBe(20)
  expect(clock.nextDue(100)).toBeUndefined()
  clock.set({ mode: 'auto', atMs: 20 })
  await Promise.resolve()
  expect(woken).toEqual(['look', 'poll'])
  expect(changes).toBe(3)
})

test('behavior: running, it wakes by itself, also after it was frozen', async () => {
  const clock = createClock({ mode: 'frozen', atMs: 0 })
  const waiting = clock.wait(5, never)
  clock.set({ mode: 'real', offsetMs: -Date.now() })
  expect(await waiting).toBe(true)
  expect(clock.now()).toBeGreaterThanOrEqual(5)
})

test('behavior: an aborted wait ends at once with false and is no longer due', async () => {
  const clock = createClock({ mode: 'frozen', atMs: 0 })
  const stop = new AbortController()
  const waiting = clock.wait(10, stop.signal)
  stop.abort()
  expect(await waiting).toBe(false)
  expect(clock.nextDue(100)).toBeUndefined()
  expect(await clock.wait(10, stop.signal)).toBe(false)
  expect(await clock.wait(0, never)).toBe(true)
})

test('behavior: whatever is waited for and however far it moves, exactly the due ones wake', async () => {
  const delays = fc.array(fc.nat(1000), { maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(delays, fc.nat(1000), async (all, moved) => {
      const clock = createClock({ mode: 'frozen', atMs: 0 })
      const stop = new AbortController()
      const waits = all.map((ms) => clock.wait(ms, stop.signal))
      clock.set({ mode: 'frozen', atMs: moved })
      stop.abort()
      expect(await Promise.all(waits)).toEqual(all.map((ms) => ms <= moved))
    }),
  )
})

test('default: the texts of a clock', () => {
  expect(parseClock('real')).toEqual({ mode: 'real', offsetMs: 0 })
  expect(parseClock('frozen')).toEqual({ mode: 'frozen', atMs: 'earliest' })
  expect(parseClock('auto')).toEqual({ mode: 'auto', atMs: 'earliest' })
  expect(parseClock('frozen@2026-02-01T10:00:00+02:00')).toEqual({
    mode: 'frozen',
    atMs: Date.parse('2026-02-01T08:00:00Z'),
  })
})

test.each([
  '',
  'frozen@2026-02-30T00:00:00Z',
  'frozen@2100-01-02T00:00:00Z',
  'Frozen',
  'frozen@',
  'frozen@tomorrow',
  'frozen@2026-01-01',
  'frozen@1767225600',
])('error: %j is no clock', (text) => {
  expect(() => parseClock(text)).toThrow('it must be real, auto, frozen, or frozen@')
})
