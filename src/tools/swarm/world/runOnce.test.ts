import { expect, test } from 'vitest'
import type { Exchange } from './exchange.js'
import { hangs, throughCrashes } from './runOnce.js'

const asked = (received_ms: number, took_ms?: number): Exchange =>
  ({
    received_ms,
    ...(took_ms !== undefined && { answer: { took_ms } }),
  }) as Exchange

const at = (seconds: number) => ({
  elapsedMs: seconds * 1000,
  nowMs: seconds * 1000,
  activeMs: 15_000,
})

test('default: a client that gives up a response after 40 s and goes on does not hang; one that asks again and again does', () => {
  expect(hangs([asked(0, 5), asked(100)], at(40))).toBe(false)
  expect(hangs([asked(0, 5), asked(100, 40_000), asked(41_000, 5)], at(50))).toBe(false)
  expect(hangs([asked(0, 5), asked(100, 40_000), asked(41_000, 5)], at(60))).toBe(true)
  const polls = Array.from({ length: 20 }, (_, second) => asked(second * 1000, 10))
  expect(hangs(polls, at(16))).toBe(true)
  expect(hangs(polls, at(15))).toBe(false)
})

test('behavior: one response for more than 70 s, so that a client may give up after 60 s, or silence', () => {
  expect(hangs([asked(100)], at(65))).toBe(false)
  expect(hangs([asked(100)], at(71))).toBe(true)
  expect(hangs([], at(16))).toBe(true)
})

const crash = { on: 'request', effect: { crash: { done: true } }, times: 2 }

/** A world in which a rule has killed the client so often, and in which its last request ends when it has been looked at so often. */
function worldOf(kills: () => number, looks = 0) {
  const note = { type: 'fault', rule: 'fault_1', effect: 'request.crash' }
  let asked = 0
  return {
    crashes: async () => kills(),
    requestsSoFar: async () =>
      [{ notes: [note], answer: ++asked > looks ? {} : undefined }] as unknown as Exchange[],
    looks: () => asked,
  }
}

test('default: a client that is killed lives again, once for each time, when its last request has ended', async () => {
  let lives = 0
  const world = worldOf(() => Math.min(lives, 2), 3)
  const ended = await throughCrashes(world, [crash], async (signal) => {
    lives++
    // The third life is not killed.
    if (lives < 3)
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    return `life ${lives}, ${world.looks() >= 3 || lives === 1}`
  })
  expect([lives, ended]).toEqual([3, 'life 3, true'])
})

test('behavior: without a rule that kills, the world is not asked', async () => {
  const never = async (): Promise<never> => {
    throw new Error('asked')
  }
  const rules = [{ on: 'request', effect: 'hang' }]
  expect(await throughCrashes({ crashes: never, requestsSoFar: never }, rules, async () => 7)).toBe(
    7,
  )
})

test('error: a client that fails by itself is not run again', async () => {
  const failing = throughCrashes(
    worldOf(() => 0),
    [crash],
    async () => Promise.reject(new Error('no luck')),
  )
  await expect(failing).rejects.toThrow('no luck')
})
