import { crc32 } from 'node:zlib'

/** The answers of an upstream at one block, by request. */
export interface AnswerCache {
  get(key: string): unknown
  /** Ignores a known key. Resolves when the answer is persisted, if this cache persists answers at once. */
  add(key: string, value: unknown): void | Promise<void>
  /** Whether chains are replayed from it. Then computed answers are added too. */
  readonly isForReplay?: boolean
  entries(): IterableIterator<[string, unknown]>
  /** Resolves when everything is on the disk, if this cache persists answers. */
  close(): Promise<void>
}

export function cacheInMemory(entries: Iterable<[string, unknown]> = []): AnswerCache {
  const all = new Map(entries)
  return {
    get: (key) => all.get(key),
    add(key, value) {
      if (!all.has(key)) all.set(key, value)
    },
    entries: () => all.entries(),
    close: async () => {},
  }
}

/** Reads from recorded answers first; adds go to the other cache. */
export function cacheOver(recorded: RecordedAnswers, others: AnswerCache): AnswerCache {
  return {
    get: (key) => recorded.get(key) ?? others.get(key),
    add(key, value) {
      return recorded.has(key) ? undefined : others.add(key, value)
    },
    *entries() {
      yield* recorded
      for (const [key, value] of others.entries()) if (!recorded.has(key)) yield [key, value]
    },
    close: others.close,
  }
}

/** One answer as a line of a file. */
export function lineOf(key: string, value: unknown): string {
  const text = `${key}\t${JSON.stringify(value)}`
  return `${crc32(text).toString(16).padStart(8, '0')}\t${text}`
}

/** The content of a line; undefined when it is incomplete. */
export function readLine(line: string): [string, unknown] | undefined {
  const text = line.slice(9)
  const at = text.indexOf('\t')
  if (at < 0 || line.slice(0, 9) !== `${crc32(text).toString(16).padStart(8, '0')}\t`)
    return undefined
  return [text.slice(0, at), JSON.parse(text.slice(at + 1))]
}

export type RecordedAnswers = Pick<ReadonlyMap<string, unknown>, 'get' | 'has' | 'size'> &
  Iterable<[string, unknown]>

/** Empty until `fill` is called. */
export interface LateAnswers extends RecordedAnswers {
  /** Takes lines with verified checksums. Parses a value only on `get`, because most of a large bundle is never read. */
  fill(lines: readonly Buffer[]): void
}

export function lateAnswers(): LateAnswers {
  const values = new Map<string, Buffer>()
  const read = (bytes: Buffer): unknown => JSON.parse(bytes.toString('utf8'))
  return {
    fill(lines) {
      for (const line of lines) {
        const at = line.indexOf('\t', 9)
        if (at > 0) values.set(line.toString('utf8', 9, at), line.subarray(at + 1))
      }
    },
    get size() {
      return values.size
    },
    has: (key) => values.has(key),
    get(key) {
      const bytes = values.get(key)
      return bytes && read(bytes)
    },
    *[Symbol.iterator]() {
      for (const [key, bytes] of values) yield [key, read(bytes)]
    },
  }
}
