import fc from 'fast-check'
import { expect, test } from 'vitest'
import { matchesGlob } from './glob.js'

test.each([
  ['/accounts/*/folio', '/accounts/acc_1/folio', true],
  ['/accounts/*', '/accounts/', true],
  ['*', '', true],
  ['', '', true],
  ['', 'a', false],
  ['EARN', 'earn', true],
  ['a*a', 'a', false],
  ['*ab*', 'xaab', true],
  ['a.c', 'abc', false],
  ['[a-z]*', '[a-z]1', true],
])('default: %j wants %j: %s', (pattern, text, wanted) => {
  expect(matchesGlob(pattern, text)).toBe(wanted)
})

test('behavior: the same as a regular expression says', () => {
  const letters = (from: string, maxLength: number) =>
    fc.string({ unit: fc.constantFrom(...from), maxLength })
  fc.assert(
    fc.property(letters('aB*', 8), letters('aBb', 12), (pattern, text) => {
      const expression = new RegExp(`^${pattern.replaceAll('*', '.*')}$`, 'i')
      expect(matchesGlob(pattern, text)).toBe(expression.test(text))
    }),
    { numRuns: 2_000 },
  )
})

test('behavior: no pattern is tried in more than one way', () => {
  // A regular expression would try some 10^200 ways here.
  const text = 'a'.repeat(16_000)
  expect(matchesGlob(`${'*a'.repeat(99)}*b`, text)).toBe(false)
  expect(matchesGlob(`${'*a'.repeat(99)}*`, text)).toBe(true)
  expect(matchesGlob(`${'*'.repeat(199)}b`, text)).toBe(false)
})
