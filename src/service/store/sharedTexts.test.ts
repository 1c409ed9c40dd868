import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { shareTexts } from './sharedTexts.js'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

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

/** What 5,000 records take that were read from JSON. Bytes. */
function sizeOf(keep: (record: object) => object): number {
  collect()
  const before = process.memoryUsage().heapUsed
  const kept = Array.from({ length: 5000 }, (_, n) =>
    keep(JSON.parse(JSON.stringify(recordOf(n))) as object),
  )
  collect()
  const size = process.memoryUsage().heapUsed - before
  expect(kept).toHaveLength(5000)
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
