import { expect, test } from 'vitest'
import { foundAtOnce } from './found.js'

const pages = [
  { name: 'faults', title: 'Faults' },
  { name: 'transaction', title: 'Transaction', isLinked: true as const },
]
const hash = `0x${'ab'.repeat(32)}`

test.each([
  [
    'pln_000000000000',
    [{ title: 'Timeline of pln_000000000000', path: ['timeline', 'pln_000000000000'] }],
  ],
  [hash, [{ title: `Transaction ${hash}`, path: ['transaction', hash] }]],
  ['fau', [{ title: 'Page Faults', path: ['faults'] }]],
  [
    'plan_stale',
    [
      {
        title: 'Requests refused with plan_stale',
        path: ['journal'],
        query: { path: 'plan_stale' },
      },
    ],
  ],
  // Such a page shows nothing without a hash.
  ['transaction', []],
  ['', []],
])('default: %s', (text, found) => {
  expect(foundAtOnce(text, pages)).toEqual(found)
})
