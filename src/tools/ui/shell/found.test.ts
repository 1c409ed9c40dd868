import { expect, test } from 'vitest'
import { type Findable, foundAtOnce } from './found.js'

const pages = [
  { name: 'faults', title: 'Faults' },
  { name: 'transaction', title: 'Transaction', isLinked: true as const },
]
const known: Findable = {
  pages: [...pages, { name: 'overview', title: 'Overview' }],
  networks: [
    { network: 'base', height: 120 },
    { network: 'polygon', height: 40 },
  ],
  rules: ['used_nonce'],
  codes: ['plan_stale', 'plan_failed'],
  effects: ['plan.stale'],
  addresses: [{ name: 'Token USDC', address: '0xA1', network: 'base' }],
}
const hash = `0x${'ab'.repeat(32)}`

test.each([
  [
    'pln_000000000000',
    [{ title: 'Timeline of pln_000000000000', path: ['timeline', 'pln_000000000000'] }],
  ],
  [hash, [{ title: `Transaction ${hash}`, path: ['transaction', hash] }]],
  ['faults', [{ title: 'Page Faults', path: ['faults'] }]],
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
  ['used_n', [{ title: 'Fault rule used_nonce: what it hit', path: ['timeline', 'used_nonce'] }]],
  ['block 77', [{ title: 'Block 77 of base', path: ['chain', 'base', '77'] }]],
  ['polyg', [{ title: 'Network polygon', path: ['chain', 'polygon'] }]],
  ['usdc', [{ title: 'Token USDC on base, 0xA1', path: ['chain', 'base'] }]],
  ['0xa1', [{ title: 'Token USDC on base, 0xA1', path: ['chain', 'base'] }]],
  ['plan.st', [{ title: 'Fault plan.stale', path: ['faults', 'plan', 'stale'] }]],
  ['freeze', [{ title: 'Advance, freeze or resume the clock', path: ['overview'] }]],
  // Such a page shows nothing without a hash.
  ['transaction', []],
  ['', []],
])('default: %s', (text, found) => {
  expect(foundAtOnce(text, known)).toEqual(found)
})
