import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const ledger = await readFile(join(root, 'docs/fidelity.md'), 'utf8')
const rows = ledger
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (Topic|---)/.test(line))
  .map((line) => line.slice(2, -2).split(' | '))

test('default: every row has its four cells and a reason', () => {
  expect(rows.length).toBeGreaterThan(40)
  for (const row of rows) {
    expect(row, row[0]!).toHaveLength(4)
    expect(row[2], row[0]!).toMatch(/interface|public|judgement/)
  }
})

test('behavior: every test that a row names exists', async () => {
  for (const [topic, , , pinned] of rows) {
    const [file, ...name] = pinned!.split(': ')
    const text = await readFile(join(root, file!), 'utf8')
    expect(text, `${topic}: ${file}`).toContain(`'${name.join(': ')}'`)
  }
})
