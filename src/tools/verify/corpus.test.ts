import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { parseScenario } from '../../clients/scenarios/load.js'
import { packageFile } from '../../lib/files/packageFile.js'
import { vocabulary } from '../cli/process/vocabulary.js'
import { corpusJsonSchema, corpusOf } from './corpus.js'
import { readDocument } from './documented.js'
import { allProbes } from './probes/index.js'

const documented = readDocument()
const probes = allProbes(documented)
const corpus = JSON.parse(JSON.stringify(corpusOf(probes, documented)))
const shipped = JSON.parse(readFileSync(packageFile('openapi/corpus.schema.json'), 'utf8'))

test('default: every probe is in it, and it fits the schema that is shipped', () => {
  expect(corpus.probes).toHaveLength(probes.length)
  expect(JSON.parse(JSON.stringify(corpusJsonSchema()))).toEqual(shipped)
  expect(z.fromJSONSchema(shipped).safeParse(corpus).error).toBeUndefined()
})

test('behavior: the schema refuses steps that no runner knows', () => {
  for (const wrong of [{ jump: 1 }, { advance: -1 }, { call: { path: '/', expect: [] } }]) {
    const broken = structuredClone(corpus)
    broken.probes[0].scenario.when = [wrong]
    expect(z.fromJSONSchema(shipped).safeParse(broken).success).toBe(false)
  }
})

test('behavior: each is a scenario whose steps name only accounts and steps before them', () => {
  const wrong = probes.flatMap(({ name, given, when }) => {
    try {
      parseScenario(JSON.stringify({ name, given, when }), name, vocabulary)
      return []
    } catch (error) {
      return [(error as Error).message]
    }
  })
  expect(wrong).toEqual([])
})

test('behavior: the page counts the probes, and those that are scenarios alone', () => {
  const page = readFileSync(packageFile('docs/corpus.md'), 'utf8')
  const alone = probes.filter(({ compute }) => !compute).length
  expect(page).toContain(
    `${alone} of the ${probes.length} probes have one. The other ${probes.length - alone} compute`,
  )
})

test('behavior: the example of the page is the probe as it is', () => {
  const page = readFileSync(packageFile('docs/corpus.md'), 'utf8')
  const example = JSON.parse(/```json\n([\s\S]*?)```/.exec(page)![1]!)
  expect(corpus.probes).toContainEqual(example)
})
