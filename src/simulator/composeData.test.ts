import { expect, test } from 'vitest'
import { createClock } from '../time/clock.js'
import { noLog } from '../wal/dataLog.js'
import { persistedClock } from './composeData.js'

const frozen = { mode: 'frozen', atMs: 5_000 } as const

/** What a checkpoint would have of the clock now. */
async function written({ part }: ReturnType<typeof persistedClock>): Promise<unknown> {
  let text = ''
  for await (const piece of await part.content(async () => {})) text += piece
  return JSON.parse(text)
}

test('default: a checkpoint while the clock is being moved has where it is moved to, as the log says; later what it is', async () => {
  const clock = createClock({ mode: 'frozen', atMs: 1_000 })
  const kept = persistedClock(clock, noLog)
  expect(await written(kept)).toEqual({ mode: 'frozen', atMs: 1_000 })
  await kept.keep(frozen, async () => {
    expect(await written(kept)).toEqual(frozen)
    clock.set(frozen)
  })
  clock.set({ mode: 'frozen', atMs: 7_000 })
  expect(await written(kept)).toEqual({ mode: 'frozen', atMs: 7_000 })
})

test('error: a move that cannot be written is not made, and none that fails is kept', async () => {
  const clock = createClock({ mode: 'frozen', atMs: 1_000 })
  const full = persistedClock(clock, { ...noLog, append: () => Promise.reject(new Error('full')) })
  await expect(full.keep(frozen, async () => clock.set(frozen))).rejects.toThrow('full')
  expect(await written(full)).toEqual({ mode: 'frozen', atMs: 1_000 })
  const failing = persistedClock(clock, noLog)
  const move = () => failing.keep(frozen, () => Promise.reject(new Error('a node')))
  await expect(move()).rejects.toThrow('a node')
  expect(await written(failing)).toEqual({ mode: 'frozen', atMs: 1_000 })
})
