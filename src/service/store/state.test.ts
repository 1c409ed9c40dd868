import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { shareTexts } from './state.js'

setFlagsFromString('--expose-gc')
const gc = runInNewContext('gc') as () => void
/** Twice: what only the first has freed is gone too. */
function collect(): void {
  gc()
  gc()
}

const address = `0x${'ab'.repeat(20)}`
const recordOf = (n: number) => ({
  id: `act_${n}`,
  count: n,
  nothing: null,
  isDone: true,
  items: [
    { wallet: address, kind: 'COMET_SUPPLY' },
    { wallet: address, hash: `0x${n}` },
  ],
  texts: [address, address, address],
})

const count = 40_000

/** What so many records take that were read from JSON: bytes, so many that other garbage does not matter. */
function sizeOf(keep: (record: object) => object): number {
  collect()
  const before = process.memoryUsage().heapUsed
  const kept = Array.from({ length: count }, (_, n) =>
    keep(JSON.parse(JSON.stringify(recordOf(n))) as object),
  )
  collect()
  const size = process.memoryUsage().heapUsed - before
  expect(kept).toHaveLength(count)
  return size
}

test('default: a record stays what it is', () => {
  expect(shareTexts(recordOf(1))).toEqual(recordOf(1))
  expect(shareTexts('a text')).toBe('a text')
  expect(shareTexts(null)).toBe(null)
})

test('behavior: equal texts take the place of one', () => {
  const apart = sizeOf((record) => record)
  expect(sizeOf(shareTexts)).toBeLessThan(apart * 0.75)
})
