import { expect, test } from 'vitest'
import type { Exchange } from '../world/exchange.js'
import type { World } from '../world/world.js'
import { tryOnce } from './examine.js'

function exchange(second: number, status: number): Exchange {
  const at = new Date(second * 1000).toISOString()
  const headers: Record<string, string> = status === 429 ? { 'retry-after': '1' } : {}
  return {
    ...{ cursor: second, at, received_ms: second * 1000, request_id: `req_${second}`, notes: [] },
    ...{ method: 'POST', url: '/accounts', headers: {} },
    answer: { at, status, headers, bytes: 0, cut: false, took_ms: 1 },
  }
}

test('default: a finding about two requests has the timelines of both', async () => {
  const world = {
    arm: async () => {},
    settle: async () => ({
      exchanges: [exchange(3, 429), exchange(3.1, 201)],
      outcome: { accounts: [] },
    }),
    why: async (id: string) => `story of ${id}\n`,
  } as Partial<World> as World
  const subject = {
    act: async () => ({ exit: 0, hung: false, tookMs: 300, output: '' }),
    close: async () => {},
  }
  const baseline = {
    ...{ tookMs: 300, outcome: { accounts: [] } },
    cursorRewinds: { toStart: 0, toEarlier: 0 },
  }
  const found = await tryOnce(world, [], {
    ...{ subject, baseline, limits: { activeMs: 60_000 }, ignored: new Set() },
    signal: new AbortController().signal,
  })
  expect(found).toMatchObject([
    { kind: 'hammered', timeline: 'story of req_3\n\nstory of req_3.1\n' },
  ])
})
