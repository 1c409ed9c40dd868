import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { usersVitest, vitestEntry } from './usersVitest.js'

/** A project with a package `vitest` of these fields, and a file in it from which that is looked for. */
function projectWith(manifest: object): string {
  const project = mkdtempSync(join(tmpdir(), 'svc-sim-vitest-'))
  const folder = join(project, 'node_modules/vitest')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'vitest', ...manifest }))
  return join(project, 'package.json')
}

const nowhere = join(mkdtempSync(join(tmpdir(), 'svc-sim-none-')), 'package.json')
const here = fileURLToPath(import.meta.url)

test('default: the vitest that runs, not a second one', async () => {
  expect((await usersVitest()).expect).toBe(expect)
})

test('behavior: the first place that has one decides, as an import there would', () => {
  const exports = { '.': { import: { default: './new.js' } }, './package.json': './package.json' }
  const project = projectWith({ version: '5.0.0', exports })
  const entry = join(project, '../node_modules/vitest/new.js')
  expect(vitestEntry([nowhere, project, here])).toBe(entry)
  expect(vitestEntry([here, project])).toMatch(/node_modules\/vitest\/dist\/index\.js$/)
})

test('error: none is installed, or one that has no entry', () => {
  expect(() => vitestEntry([nowhere])).toThrow(
    /^svc-sim\/vitest needs vitest, but there is none for \S+\. Install it in the project that runs the tests: npm install --save-dev vitest$/,
  )
  expect(() => vitestEntry([projectWith({ version: '0.1.0' }), here])).toThrow(
    /cannot load vitest 0\.1\.0 at \S+: it is tested with vitest 4 and 5\. Install one of these\.$/,
  )
})
