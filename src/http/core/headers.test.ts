import fc from 'fast-check'
import { expect, test } from 'vitest'
import { headerSafe } from './headers.js'

test('default', () => {
  expect(headerSafe('amount must be at most 5')).toBe('amount must be at most 5')
})

test('behavior: typographic characters become ASCII, what has no ASCII becomes a question mark', () => {
  expect(headerSafe('the account’s “amount” – 5…')).toBe('the account\'s "amount" - 5...')
  expect(headerSafe('名')).toBe('?')
})

test('behavior: line breaks cannot start another header', () => {
  expect(headerSafe('a\r\nset-cookie: b')).toBe('a set-cookie: b')
})

test('behavior: any text becomes a header value that Node accepts, of bounded length', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 2000 }), (text) => {
      const safe = headerSafe(text)
      expect(safe).toMatch(/^[\x20-\x7e]{0,600}$/)
      new Headers({ 'x-svc-sim-hint': safe })
    }),
  )
})
