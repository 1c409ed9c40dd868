import fc from 'fast-check'
import { expect, test } from 'vitest'
import { frame, link, unframe } from './frames.js'

const records = [{ a: 1 }, { text: 'ä\u2028\n' }, [null]]
const whole = Buffer.from(written(records.length))

test('default: records come back as they were, one a line', () => {
  expect(unframe(whole)).toMatchObject({ records, wholeBytes: whole.length, rest: 'nothing' })
  expect(whole.toString('utf8').split('\n')).toHaveLength(records.length + 1)
  expect(unframe(Buffer.alloc(0))).toMatchObject({ records: [], wholeBytes: 0, rest: 'nothing' })
})

test('behavior: cut anywhere, what is whole comes back, and the rest is torn', () => {
  const ends = [0, ...records.map((_, i) => frameLength(i + 1))]
  for (let length = 0; length < whole.length; length++) {
    const { records: found, wholeBytes, rest } = unframe(whole.subarray(0, length))
    expect(wholeBytes).toBe(ends.findLast((end) => end <= length))
    expect(found).toEqual(records.slice(0, ends.indexOf(wholeBytes)))
    expect(rest).toBe(wholeBytes === length ? 'nothing' : 'torn')
  }
})

test('error: any byte that differs is noticed; what is behind it does not count', () => {
  fc.assert(
    fc.property(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), (at, by) => {
      const bad = Buffer.from(whole)
      bad[at] = bad[at]! ^ by
      const { records: found, rest } = unframe(bad)
      const line = records.findIndex((_, i) => frameLength(i + 1) > at)
      expect(found).toEqual(records.slice(0, line))
      // Where a line feed is gone, or one too many, the line before or behind it is lost with it.
      if (line === 0 && at < frameLength(1) - 1) expect(rest).toBe('damaged')
      expect(rest).not.toBe('nothing')
    }),
  )
})

test('behavior: lines that hang together miss one that is lost, doubled or moved before them', () => {
  const texts = ['1', '2', '3', '4', '5']
  const head = frame({ head: true })
  const first = link(texts.slice(0, 2), 0)
  const lines = head + first.lines + link(texts.slice(2), first.last).lines
  const found = (content: string) => unframe(Buffer.from(content))
  expect(found(lines)).toMatchObject({ records: [{ head: true }, 1, 2, 3, 4, 5], rest: 'nothing' })
  // It can be gone on with from what was read.
  expect(found(lines + link(['6'], found(lines).last).lines)).toMatchObject({ rest: 'nothing' })
  const [h, ...own] = lines.split('\n').slice(0, -1)
  const changed = (...order: number[]) =>
    found([h, ...order.map((at) => own[at])].map((line) => `${line}\n`).join(''))
  for (const order of [
    [0, 2, 3, 4],
    [0, 1, 2, 4],
    [0, 1, 2, 3, 3, 4],
    [0, 1, 2, 3, 4, 4],
    [0, 2, 1, 3, 4],
    [1, 2, 3, 4],
  ])
    expect(changed(...order)).toMatchObject({ rest: 'damaged' })
})

test('error: a damaged last line is no write that did not end; a hole that a power failure leaves is', () => {
  const text = whole.toString('latin1')
  const damaged = Buffer.from(text.replace('[null]', '[nulk]'), 'latin1')
  expect(unframe(damaged)).toMatchObject({ records: records.slice(0, 2), rest: 'damaged' })
  const hole = Buffer.from(text.replace('[null]', '\0\0\0\0\0\0'), 'latin1')
  expect(unframe(hole)).toMatchObject({ records: records.slice(0, 2), rest: 'torn' })
})

function frameLength(count: number): number {
  return Buffer.byteLength(written(count))
}

/** The first line names the file, the others are links. */
function written(count: number): string {
  const [head, ...others] = records.slice(0, count)
  return (
    frame(head) +
    link(
      others.map((record) => JSON.stringify(record)),
      0,
    ).lines
  )
}
