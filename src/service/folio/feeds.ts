import { isDeepStrictEqual } from 'node:util'
import { createListeners } from '../../lib/listeners.js'
import { yieldFor } from '../../time/backgroundTasks.js'
import type { Wait } from '../../time/clock.js'
import { type Folio, folioSections } from './schema.js'

/** The source of changes, and the reader. */
export interface FeedSource {
  read(): Promise<Folio>
  /** Calls back when the folio may have changed. Returns the unsubscribe function. */
  subscribe(onChange: () => void): () => void
  clockWait: Wait
  /** The folio also changes without a call, for example by interest, so followers read it again after each such interval of the clock. */
  intervalMs: number
}

export interface Following {
  /** The folio after the latest change. Followers that read between two changes share one reading. */
  look(): Promise<Folio>
  leave(): void
}

/** What the folio streams of one app share: a feed per key, from its first follower until its last has left. */
export function createFolioFeeds() {
  const feeds = new Map<unknown, ReturnType<typeof createFeed>>()
  return {
    /** `onChange` says that `look` may return something new. */
    follow(key: unknown, source: FeedSource, onChange: () => void): Following {
      const feed = feeds.get(key) ?? createFeed(source)
      feeds.set(key, feed)
      const leave = feed.join(onChange)
      return {
        look: feed.look,
        leave() {
          leave()
          if (!feed.isEmpty()) return
          feed.stop()
          feeds.delete(key)
        },
      }
    },
  }
}

function createFeed({ read, subscribe, clockWait, intervalMs }: FeedSource) {
  const followers = createListeners<void>()
  const stopped = new AbortController()
  let count = 0
  /** Begun after the latest change. */
  let latest: Promise<Folio> | undefined

  const change = (): void => {
    latest = undefined
    followers.publish()
  }
  const unsubscribe = subscribe(change)
  const tick = async (): Promise<void> => {
    while (await yieldFor(clockWait(intervalMs, stopped.signal))) change()
  }
  void tick()
  return {
    join(onChange: () => void): () => void {
      const forget = followers.add(onChange)
      count++
      return () => {
        count--
        forget()
      }
    },
    isEmpty: () => count === 0,
    look(): Promise<Folio> {
      if (latest) return latest
      const reading = read()
      latest = reading
      // A failure is not cached for later readers.
      reading.catch(() => {
        if (latest === reading) latest = undefined
      })
      return reading
    },
    stop(): void {
      unsubscribe()
      stopped.abort()
    },
  }
}

/** A value of the folio under its full key, section first: `balances/token/base/USDC/0x…`. */
export type FolioPair = [key: string, value: unknown]

export function folioPairs(folio: Folio): FolioPair[] {
  return folioSections.flatMap((section) =>
    Object.entries(folio[section]).map(([key, value]): FolioPair => [`${section}/${key}`, value]),
  )
}

/** What a reader of `before` must learn to know `after`; a key that is gone has the value null. */
export function changedPairs(before: Folio, after: Folio): FolioPair[] {
  const known = new Map(folioPairs(before))
  const now = folioPairs(after)
  const present = new Set(now.map(([key]) => key))
  const changed = now.filter(([key, value]) => !isDeepStrictEqual(known.get(key), value))
  const gone = [...known.keys()].filter((key) => !present.has(key))
  return [...changed, ...gone.map((key): FolioPair => [key, null])]
}
