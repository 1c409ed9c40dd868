import { describe, expect, test } from 'vitest'
import { createStream, type Stream, type StreamPart } from './stream.js'

const never = new AbortController().signal

/** Publishes so many entries whose data are the numbers from `from` on. */
function publish(stream: Stream, count: number, from = 1): void {
  for (let i = 0; i < count; i++) stream.publish('event', () => from + i)
}

const dataOf = (part: StreamPart | undefined) => part?.entries.map(({ data }) => data)

test('default: a reader gets what is published after it came, in its order', async () => {
  const stream = createStream()
  publish(stream, 2)
  const reader = stream.reader()
  const next = reader.next(never)
  stream.publish('clock', () => 'moved')
  expect(await next).toMatchObject({ dropped: 0, entries: [{ type: 'clock', data: 'moved' }] })
  publish(stream, 3, 10)
  expect(dataOf(await reader.next(never))).toEqual([10, 11, 12])
})

test('behavior: who comes back with the last id goes on behind it', async () => {
  const stream = createStream()
  const first = stream.reader()
  publish(stream, 5)
  const { entries } = (await first.next(never))!
  const again = stream.reader(entries[1]!.id)
  expect(dataOf(await again.next(never))).toEqual([3, 4, 5])
  expect(new Set(entries.map(({ id }) => id)).size).toBe(5)
})

test('behavior: who came and got nothing goes on where it began', async () => {
  for (const before of [0, 2]) {
    const stream = createStream()
    publish(stream, before)
    const { start } = stream.reader()
    publish(stream, 2, 10)
    expect(dataOf(await stream.reader(start).next(never))).toEqual([10, 11])
  }
})

test('behavior: many readers, each at its own pace', async () => {
  const stream = createStream()
  const readers = [stream.reader(), stream.reader(), stream.reader()]
  publish(stream, 1)
  await readers[0]!.next(never)
  publish(stream, 1, 2)
  const parts = await Promise.all(readers.map((reader) => reader.next(never)))
  expect(parts.map(dataOf)).toEqual([[2], [1, 2], [1, 2]])
})

describe('a slow reader', () => {
  test('behavior: loses the oldest, and is told how many', async () => {
    const stream = createStream(10)
    const reader = stream.reader()
    publish(stream, 25)
    const part = (await reader.next(never))!
    expect(part.dropped).toBe(15)
    expect(dataOf(part)).toEqual([16, 17, 18, 19, 20, 21, 22, 23, 24, 25])
    publish(stream, 1, 26)
    expect(await reader.next(never)).toMatchObject({ dropped: 0, entries: [{ data: 26 }] })
  })

  test('behavior: an entry of which nothing is left counts as lost', async () => {
    const stream = createStream()
    const reader = stream.reader()
    stream.publish('exchange', () => undefined)
    publish(stream, 1)
    expect(await reader.next(never)).toMatchObject({ dropped: 1, entries: [{ data: 1 }] })
  })

  test('behavior: gets a hundred at once, and the rest after that', async () => {
    const stream = createStream()
    const reader = stream.reader()
    publish(stream, 250)
    const sizes = []
    for (let i = 0; i < 3; i++) sizes.push((await reader.next(never))!.entries.length)
    expect(sizes).toEqual([100, 100, 50])
  })
})

describe('ids that are not of this run', () => {
  test('behavior: of another run: everything that is kept comes', async () => {
    const before = createStream()
    const reader = before.reader()
    publish(before, 7)
    const { entries } = (await reader.next(never))!
    const stream = createStream()
    publish(stream, 2)
    expect(dataOf(await stream.reader(entries[6]!.id).next(never))).toEqual([1, 2])
  })

  test.each(['', 'x', '0', '00000000-', '00000000-00', '00000000-99999999999999999', '__proto__'])(
    'behavior: %j is none, so only what comes next is told',
    async (id) => {
      const stream = createStream()
      publish(stream, 2)
      const reader = stream.reader(id)
      publish(stream, 1, 3)
      expect(dataOf(await reader.next(never))).toEqual([3])
    },
  )

  test('behavior: one that has not been given yet stands for the newest', async () => {
    const stream = createStream()
    const reader = stream.reader()
    publish(stream, 1)
    const [run] = (await reader.next(never))!.entries[0]!.id.split('-')
    const ahead = stream.reader(`${run}-500`)
    publish(stream, 1, 2)
    expect(dataOf(await ahead.next(never))).toEqual([2])
  })
})

test('behavior: an aborted reader gets nothing more, waiting or not', async () => {
  const stream = createStream()
  const reader = stream.reader()
  const gone = new AbortController()
  const next = reader.next(gone.signal)
  gone.abort()
  expect(await next).toBeUndefined()
  publish(stream, 1)
  expect(await reader.next(gone.signal)).toBeUndefined()
})

test('behavior: it is followed from when a reader begins until the last one has left', async () => {
  const stream = createStream()
  expect(stream.isFollowed()).toBe(false)
  const [one, other] = [stream.reader(), stream.reader()]
  one.leave()
  expect(stream.isFollowed()).toBe(true)
  other.leave()
  other.leave()
  expect(stream.isFollowed()).toBe(false)
})
