import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readDefects, withDefect } from '../mutants/readDefects.mjs'

/** The defects of `npm run mutants:hand`. */

const defects = readDefects()

test('default: at least 60 defects with distinct names', () => {
  expect(defects.length).toBeGreaterThanOrEqual(60)
  expect(new Set(defects.map(({ name }) => name)).size).toBe(defects.length)
})

test('default: the text of each defect occurs exactly once in its file, and its tests exist', () => {
  for (const defect of defects) {
    const text = readFileSync(defect.file, 'utf8')
    expect(withDefect(text, defect)).not.toBe(text)
    expect(defect.tests.length, defect.name).toBeGreaterThan(0)
    for (const file of defect.tests) expect(existsSync(file), file).toBe(true)
  }
})

test('default: every room of src has a defect', () => {
  const rooms = readdirSync('src', { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'generated')
    .map(({ name }) => name)
  expect([...new Set(defects.map(({ file }) => file.split('/')[1]))].sort()).toEqual(rooms.sort())
})

test('error: a missing or repeated text is reported with the name of the defect', () => {
  const defect = { name: 'a gap', file: 'a.ts', find: 'x', replace: 'y', tests: [] }
  expect(() => withDefect('a', defect)).toThrow('a gap: its text occurs 0 times in a.ts, not once')
  expect(() => withDefect('xx', defect)).toThrow('a gap: its text occurs 2 times in a.ts, not once')
})
