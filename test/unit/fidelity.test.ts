import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { effects } from '../../src/faults/effects/index.js'
import { seamOf } from '../../src/faults/rules/rules.js'
import { readDocument } from '../../src/tools/verify/documented.js'
import { readLedger } from '../../src/tools/verify/fidelityRows.js'
import { allProbes } from '../../src/tools/verify/probes/index.js'
import { openRows } from '../../src/tools/verify/run.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
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

test('behavior: every effect of the seam answer is the other reading of a row, and every reading that a row names exists', () => {
  const named = rows.flatMap(([, , reason]) => reason!.split('other reading: ')[1] ?? [])
  const read = new Set(
    named.flatMap((text) => [...text.matchAll(/`(\w+\.\w+)`/g)].map(([, name]) => name)),
  )
  const all = effects.map((effect) => `${seamOf(effect)}.${effect.name}`)
  expect([...read].filter((name) => !all.includes(name!))).toEqual([])
  expect(all.filter((name) => name.startsWith('answer.') && !read.has(name))).toEqual([])
})

test('behavior: every judgement that a client can see has another reading, or docs/answers.md says why it has none', async () => {
  const answers = await readFile(join(root, 'docs/answers.md'), 'utf8')
  const [, table = ''] = answers.split('## Choices without an effect')
  const explained = table
    .split('\n## ')[0]!
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (Choice|---)/.test(line))
    .map((line) => line.slice(2, -2).split(' | '))
  const open = readLedger(ledger)
    .filter(({ reason, isHidden }) => reason.includes('judgement') && !isHidden)
    .filter(({ reason }) => !reason.includes('other reading: '))
  expect(explained.map(([topic]) => topic).sort()).toEqual(open.map(({ topic }) => topic).sort())
  for (const [topic, why] of explained) expect(why, topic).toMatch(/\w{3,}.*[.]$/)
})

describe('what a run of svc-sim verify can find out', () => {
  const probed = new Set(
    allProbes(readDocument()).flatMap(({ from }) => ('judgement' in from ? [from.judgement] : [])),
  )
  // What all answers together show needs no request of its own.
  for (const row of Object.values(openRows)) probed.add(row)
  const judged = readLedger(ledger).filter(({ reason }) => reason.includes('judgement'))

  test('default: every row that is judgement has a probe, or says that nobody can see it', () => {
    const neither = judged.filter(({ topic, isHidden }) => !isHidden && !probed.has(topic))
    expect(neither.map(({ topic }) => topic)).toEqual([])
  })

  test('behavior: every probe of a judgement names a row that is one', () => {
    const topics = new Set(judged.map(({ topic }) => topic))
    expect([...probed].filter((topic) => !topics.has(topic))).toEqual([])
  })

  test('behavior: no row says of itself that nobody can see it, and has a probe', () => {
    const both = judged.filter(
      ({ topic, reason }) => reason.includes('not observable') && probed.has(topic),
    )
    expect(both.map(({ topic }) => topic)).toEqual([])
  })
})
