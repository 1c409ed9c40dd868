import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { searchOptions } from '../run.js'
import type { Exchange } from '../world/exchange.js'
import type { Subject } from '../world/subject.js'
import type { World } from '../world/world.js'
import { search } from './search.js'

const asked = {
  ...{ cursor: 1, at: '2026-01-01T00:00:00.000Z', received_ms: 1, request_id: 'req_1' },
  ...{ method: 'GET', url: '/networks', headers: {}, notes: [] },
  answer: { at: '2026-01-01T00:00:00.000Z', status: 200, headers: {}, bytes: 0, cut: false },
} as unknown as Exchange

/** A world in which each run is one request. */
const world = {
  variables: {},
  arm: async () => {},
  add: async () => true,
  matchingCalls: async () => new Map(Array.from({ length: 100 }, (_, n) => [`count-${n}`, 1])),
  crashes: async () => 0,
  settle: async () => ({ exchanges: [asked], outcome: { accounts: [] } }),
  requestsSoFar: async () => [asked],
  why: async () => undefined,
  reset: async () => {},
  coverage: async () => [],
  close: async () => {},
} as unknown as World

test('error: when a run cannot be made, the others have ended before the search fails', async () => {
  let [runs, running] = [0, 0]
  const subject: Subject = {
    async act(_, end) {
      const run = ++runs
      const ended = { exit: 0, tookMs: 1, output: '' }
      // The first two are those without faults.
      if (run <= 2) return ended
      if (run === 4) throw new Error('no more processes')
      running++
      await new Promise((resolve) => end.addEventListener('abort', resolve, { once: true }))
      running--
      return ended
    },
    async close() {},
  }
  const options = await searchOptions({
    ...{ jobs: 3, runs: 10, seed: 1 },
    out: join(tmpdir(), 'svc-sim-never-written'),
  })
  await expect(search(subject, options, async () => world)).rejects.toThrow('no more processes')
  expect(running).toBe(0)
})
