import { expect, test } from 'vitest'
import type { Exchange } from './exchange.js'
import { hangs } from './watch.js'

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
