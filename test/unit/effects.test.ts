import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { effects } from '../../src/faults/effects/index.js'
import { seamOf } from '../../src/faults/rules/rules.js'

test('behavior: every effect has a summary that says what happens, and a name of its own at its seam', () => {
  const names = effects.map((effect) => `${seamOf(effect)}.${effect.name}`)
  expect(new Set(names).size).toBe(names.length)
  for (const { summary } of effects) expect(summary).toMatch(/^[A-Z0-9].{30,}\.$/)
})

test('behavior: each seam is called in the file that Seams names, and nowhere else', () => {
  const src = fileURLToPath(new URL('../../src/', import.meta.url))
  const text = (path: string): string => readFileSync(`${src}${path}`, 'utf8')
  const [, table = ''] =
    /interface Seams \{([\s\S]*?)\n\}/.exec(text('faults/rules/effect.ts')) ?? []
  const named = [...table.matchAll(/\/\*\* (\S+) \*\/\n {2}'?([\w.]+)'?:/g)].map(
    ([, path, seam]) => `${seam} in ${path}`,
  )
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).map((path) =>
    path.replaceAll('\\', '/'),
  )
  const calls = files
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .flatMap((path) =>
      [...text(path).matchAll(/\bintercept\(\s*'([\w.]+)'/g)].map(
        ([, seam]) => `${seam} in ${path}`,
      ),
    )
  expect(named).toHaveLength(12)
  expect([...new Set(calls)].sort()).toEqual(named.sort())
})
