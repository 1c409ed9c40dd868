import { expect, test, vi } from 'vitest'
import { createFolioFeeds, type FeedSource } from './feeds.js'
import type { Folio } from './schema.js'

/** A source whose n-th read is of price n, and what a test needs to change it. */
function source() {
  const listeners = new Set<() => void>()
  const ticks: (() => void)[] = []
  const read = vi.fn(async () => ({ prices: { n: `${read.mock.calls.length}` } }) as never as Folio)
  const clockWait: FeedSource['clockWait'] = (_ms, signal) =>
    new Promise((resolve) => {
      ticks.push(() => resolve(true))
      signal.addEventListener('abort', () => resolve(false))
    })
  const subscribe = (onChange: () => void) => {
    listeners.add(onChange)
    return () => listeners.delete(onChange)
  }
  const change = (): void => {
    for (const listener of listeners) listener()
  }
  return { of: { read, subscribe, clockWait, intervalMs: 1 }, read, listeners, ticks, change }
}

test('default: followers of one key share a read per change, also those that look late', async () => {
  const { of, read, change } = source()
  const feeds = createFolioFeeds()
  const heard = [vi.fn(), vi.fn()]
  const [first, second] = heard.map((onChange) => feeds.follow('acc_1', of, onChange))
  change()
  expect(heard.map(({ mock }) => mock.calls.length)).toEqual([1, 1])
  const folio = await first!.look()
  expect(await second!.look()).toBe(folio)
  expect(read).toHaveBeenCalledTimes(1)
  change()
  expect(await second!.look()).not.toBe(folio)
  expect(read).toHaveBeenCalledTimes(2)
})

test('behavior: a change during a read needs another; so does a failed read', async () => {
  const { of, read, change } = source()
  const feed = createFolioFeeds().follow('acc_1', of, () => {})
  const early = feed.look()
  change()
  expect(await feed.look()).not.toBe(await early)
  change()
  read.mockRejectedValueOnce(new Error('a node does not answer'))
  await expect(feed.look()).rejects.toThrow('a node does not answer')
  await feed.look()
  expect(read).toHaveBeenCalledTimes(4)
})

test('behavior: an interval of the clock is a change', async () => {
  const { of, ticks } = source()
  const heard = vi.fn()
  createFolioFeeds().follow('acc_1', of, heard)
  ticks.at(-1)!()
  await vi.waitFor(() => expect(ticks).toHaveLength(2))
  expect(heard).toHaveBeenCalledTimes(1)
})

test('behavior: another key is read by itself; the last follower that leaves ends its feed', async () => {
  const { of, read, listeners } = source()
  const feeds = createFolioFeeds()
  const [first, second, other] = ['acc_1', 'acc_1', 'acc_2'].map((key) =>
    feeds.follow(key, of, () => {}),
  )
  await Promise.all([first, second, other].map((each) => each!.look()))
  expect([read.mock.calls.length, listeners.size]).toEqual([2, 2])
  first!.leave()
  expect(listeners.size).toBe(2)
  second!.leave()
  other!.leave()
  expect(listeners.size).toBe(0)
})
