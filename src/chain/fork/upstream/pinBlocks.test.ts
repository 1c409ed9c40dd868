import { toHex } from 'viem/utils'
import { expect, test } from 'vitest'
import { lastBlockAt } from './pinBlocks.js'
import type { Upstream } from './upstream.js'

/** A chain by the times of its blocks. */
function chain(times: readonly number[]): Upstream & { asked: number } {
  const upstream = {
    ...{
      network: 'base' as const,
      host: 'rpc.example',
      sent: 0,
      isAsked: false,
      patienceMs: 0,
      asked: 0,
    },
    async ask<T>(_method: string, [tag]: readonly unknown[]) {
      upstream.asked++
      const number = tag === 'latest' ? times.length - 1 : Number(tag)
      const time = times[number]
      if (time === undefined) return null as T
      const timestamp = toHex(time)
      return { number: toHex(number), hash: toHex(number, { size: 32 }), timestamp } as T
    },
    pin() {},
    close() {},
  }
  return upstream
}

const numberAt = async (times: readonly number[], second: number) =>
  Number((await lastBlockAt(chain(times), second)).number)

test('default: the last block at or before the second, wherever it is', async () => {
  const times = Array.from({ length: 100 }, (_, number) => 1_000 + 12 * number)
  for (const number of [0, 1, 37, 50, 98, 99])
    for (const more of [0, 1, 11])
      expect(await numberAt(times, 1_000 + 12 * number + more)).toBe(number)
})

test('behavior: of several blocks in a second the last', async () => {
  expect(await numberAt([5, 7, 7, 7, 7, 8, 9], 7)).toBe(4)
  expect(await numberAt([7, 7, 7], 7)).toBe(2)
})

test('behavior: a year back takes some fifty questions', async () => {
  const upstream = chain(Array.from({ length: 2 ** 21 }, (_, number) => number))
  expect(Number((await lastBlockAt(upstream, 12_345)).number)).toBe(12_345)
  expect(upstream.asked).toBeLessThan(50)
})

test('error: before the first block, and in the future', async () => {
  await expect(lastBlockAt(chain([100, 101]), 99)).rejects.toThrow(
    'base has no block at or before 1970-01-01T00:01:39Z: it begins later',
  )
  const future = Math.floor(Date.now() / 1000) + 1_000
  await expect(lastBlockAt(chain([100, 101]), future)).rejects.toThrow('is not over on base')
})
