import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { reportProgress } from '../../scripts/progress.mjs'

// `scripts/build.mjs` says every ten seconds what it still makes.

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('default: a line every ten seconds names what is being made, until it ends', () => {
  const lines: string[] = []
  const parts = ['code', 'world']
  const stop = reportProgress(
    () => parts,
    (line) => lines.push(line),
  )
  vi.advanceTimersByTime(9_999)
  expect(lines).toEqual([])
  vi.advanceTimersByTime(1)
  parts.shift()
  vi.advanceTimersByTime(10_000)
  parts.shift()
  vi.advanceTimersByTime(10_000)
  expect(lines).toEqual([
    'build: 10 s, still making: code, world\n',
    'build: 20 s, still making: world\n',
  ])
  parts.push('docs')
  stop()
  vi.advanceTimersByTime(60_000)
  expect(lines).toHaveLength(2)
})
