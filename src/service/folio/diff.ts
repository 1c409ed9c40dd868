import { isDeepStrictEqual } from 'node:util'
import { type Folio, folioSections } from './schema.js'

/** A value of the folio under its full key, section first: `balances/token/base/USDC/0x…`. */
export type FolioPair = [key: string, value: unknown]

/** All values of a folio. */
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
