import { randomBytes } from 'node:crypto'

export const streamTypes = [
  'exchange',
  'event',
  'block',
  'clock',
  'fault',
  'snapshot',
  'scenario',
  'world',
] as const

export type StreamType = (typeof streamTypes)[number]

export interface StreamEntry {
  /** The id by which a reader resumes: unique to each entry of each run. */
  id: string
  type: StreamType
  data: unknown
}

/** A reader's next entries: first a note of those that it missed for being too slow. */
export interface StreamPart {
  dropped: number
  entries: StreamEntry[]
}

export type Stream = ReturnType<typeof createStream>

/** The most entries that are retained. */
const retainedEntries = 2_000

/** A reader gets at most so many at once, so that a slow one does not have them all in its memory. */
const entriesAtOnce = 100

/** Everything that happens in the simulator, in one order. The latest entries are kept, for readers that are slow or resume. */
export function createStream(kept = retainedEntries) {
  const run = randomBytes(4).toString('hex')
  const ring: { type: StreamType; data: () => unknown }[] = []
  /** Of the oldest entry in the ring; the first one ever is 1. */
  let oldest = 1
  const waiting = new Set<() => void>()
  const followers = new Set<object>()
  const newest = (): number => oldest + ring.length - 1

  /** How many have been read when this id was the last; undefined for an id that is none. */
  const placeOf = (id: string): number | undefined => {
    const [, itsRun, place] = /^([0-9a-f]{8})-(0|[1-9]\d{0,14})$/.exec(id) ?? []
    if (place === undefined) return undefined
    return itsRun === run ? Math.min(Number(place), newest()) : oldest - 1
  }
  const untilPublished = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const end = (): void => {
        waiting.delete(end)
        signal.removeEventListener('abort', end)
        resolve()
      }
      waiting.add(end)
      signal.addEventListener('abort', end)
    })

  return {
    /** `data` is called when a reader gets the entry, once for each reader; undefined when there is nothing left to say. */
    publish(type: StreamType, data: () => unknown): void {
      ring.push({ type, data })
      if (ring.length > kept) {
        ring.shift()
        oldest++
      }
      for (const wake of [...waiting]) wake()
    },
    isFollowed: () => followers.size > 0,
    /** A reader that takes its own time: from the next entry on, or after the entry of this id; if that is of another run, from the oldest kept. */
    reader(after?: string) {
      const follower = {}
      followers.add(follower)
      let read = (after === undefined ? undefined : placeOf(after)) ?? newest()
      return {
        /** The entry after which it begins; with it as `after`, another reader begins there too. */
        start: `${run}-${read}`,
        leave: () => void followers.delete(follower),
        /** The next entries, as soon as there are any; undefined when the signal is aborted. */
        async next(signal: AbortSignal): Promise<StreamPart | undefined> {
          while (read === newest() && !signal.aborted) await untilPublished(signal)
          if (signal.aborted) return undefined
          const from = Math.max(read + 1, oldest)
          const batch = ring.slice(from - oldest, from - oldest + entriesAtOnce)
          const entries = batch.flatMap(({ type, data }, i) => {
            const content = data()
            return content === undefined ? [] : [{ id: `${run}-${from + i}`, type, data: content }]
          })
          const dropped = from - read - 1 + batch.length - entries.length
          read = from + batch.length - 1
          return { dropped, entries }
        },
      }
    },
  }
}
