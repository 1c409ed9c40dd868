import { crc32 } from 'node:zlib'

/** The answers of an upstream at one block, by request. */
export interface AnswerCache {
  get(key: string): unknown
  /** Nothing that is there is changed. Resolves when it is as safe as it is to be. */
  add(key: string, value: unknown): void | Promise<void>
  /** Whether a chain is made again from it: then it gets all that the node is told, also what nobody was asked for. */
  readonly isForReplay?: boolean
  entries(): IterableIterator<[string, unknown]>
  /** Resolves when all is on the disk, where it is kept there. */
  close(): Promise<void>
}

/** In memory alone. */
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

/** What is recorded and never changes, over what is kept besides. */
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

/** Answers that do not change, by what was asked. */
export type RecordedAnswers = Pick<ReadonlyMap<string, unknown>, 'get' | 'has' | 'size'> &
  Iterable<[string, unknown]>

/** Answers that come later: until they are filled in there are none. */
export interface LateAnswers extends RecordedAnswers {
  /** Takes lines that were checked together. Each is read when it is wanted: most of a bundle is never, and it is large. */
  fill(lines: readonly Buffer[]): void
}

/** Room for answers. */
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
