import fc from 'fast-check'
import { expect, test } from 'vitest'
import { frame, unframe } from './frames.js'

const records = [{ a: 1 }, { text: 'ä\u2028\n' }, [null]]
const whole = Buffer.from(records.map(frame).join(''))

test('default: records come back as they were, one a line', () => {
  expect(unframe(whole)).toEqual({ records, wholeBytes: whole.length, rest: 'nothing' })
  expect(whole.toString('utf8').split('\n')).toHaveLength(records.length + 1)
  expect(unframe(Buffer.alloc(0))).toEqual({ records: [], wholeBytes: 0, rest: 'nothing' })
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

function frameLength(count: number): number {
  return Buffer.byteLength(records.slice(0, count).map(frame).join(''))
}
