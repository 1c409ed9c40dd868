import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readDefects, withDefect } from '../mutants/readDefects.mjs'

/** The defects that `npm run mutants:hand` makes. */

const defects = readDefects()

test('default: there are sixty, each with a name of its own', () => {
  expect(new Set(defects.map(({ name }) => name)).size).toBe(60)
  expect(defects).toHaveLength(60)
})

test('default: the text of each occurs exactly once, and its tests are there', () => {
  for (const defect of defects) {
    const text = readFileSync(defect.file, 'utf8')
    expect(withDefect(text, defect)).not.toBe(text)
    expect(defect.tests.length, defect.name).toBeGreaterThan(0)
    for (const file of defect.tests) expect(existsSync(file), file).toBe(true)
  }
})

test('default: every room of src has some', () => {
  const rooms = readdirSync('src', { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'generated')
    .map(({ name }) => name)
  expect([...new Set(defects.map(({ file }) => file.split('/')[1]))].sort()).toEqual(rooms.sort())
})

test('error: a text that is not there, or twice, is told with the name of the defect', () => {
  const defect = { name: 'a gap', file: 'a.ts', find: 'x', replace: 'y', tests: [] }
  expect(() => withDefect('a', defect)).toThrow('a gap: its text occurs 0 times in a.ts, not once')
  expect(() => withDefect('xx', defect)).toThrow('a gap: its text occurs 2 times in a.ts, not once')
})
