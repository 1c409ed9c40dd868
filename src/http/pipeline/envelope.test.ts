import { expect, test } from 'vitest'
import { isJournaled } from './envelope.js'

test.each(['/accounts', '/networks', '/_sim/clock', '/_sim/faults', '/nope'])(
  'default: %s is journaled',
  (path) => expect(isJournaled(path)).toBe(true),
)

test.each([
  ...[
    '/rpc/base',
    '/docs/',
    '/health/live',
    '/metrics',
    '/worlds/wld_1/rpc/base',
    '/_sim',
    '/_sim/',
  ],
  ...['/_sim/journal', '/_sim/ui/', '/_sim/docs/guides/tests', '/_sim/why/acc_1', '/_sim/stream'],
])('behavior: %s is not: it looks on, or is no request of a client', (path) =>
  expect(isJournaled(path)).toBe(false),
)
