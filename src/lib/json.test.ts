import fc from 'fast-check'
import { expect, test } from 'vitest'
import { JsonDepthError, maxJsonDepth, parseJson } from './json.js'

const lists = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
const objects = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

test('default: JSON as JSON.parse reads it', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 8 }), (text) => {
      expect(parseJson(text)).toEqual(JSON.parse(text))
    }),
  )
})

test('behavior: brackets in texts do not count, whatever is escaped there; neither do those beside each other', () => {
  const brackets = '['.repeat(1_000)
  expect(parseJson(JSON.stringify([`"${brackets}\\`]))).toEqual([`"${brackets}\\`])
  expect(parseJson(JSON.stringify({ [`\\"${brackets}`]: '\\' }))).toBeTypeOf('object')
  expect(parseJson(`[${Array(1_000).fill('[{}]')}]`)).toHaveLength(1_000)
})

test.each([lists, objects])('error: one level too deep', (nested) => {
  expect(() => parseJson(nested(maxJsonDepth))).not.toThrow()
  expect(() => parseJson(nested(maxJsonDepth + 1))).toThrow(JsonDepthError)
  expect(() => parseJson(nested(200_000))).toThrow('up to a depth of 64')
})

test('error: what is none, is none', () => {
  for (const text of ['', '{', ']]]]', '"', '"\\', '[1,]'])
    expect(() => parseJson(text)).toThrow(SyntaxError)
})
