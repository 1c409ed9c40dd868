import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { packageFile } from '../../../lib/files/packageFile.js'
import { readDocument } from '../documented.js'
import { allProbes } from '../probes/index.js'
import { corpusJsonSchema, corpusOf } from './corpus.js'
import type { ProbeStep } from './steps.js'

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
  for (const wrong of [{ jump: 1 }, { wait: -1 }, { send: { method: 'GET' }, expect: [] }]) {
    const broken = structuredClone(corpus)
    broken.probes[0].steps = [wrong]
    expect(z.fromJSONSchema(shipped).safeParse(broken).success).toBe(false)
  }
})

test('behavior: steps name only accounts, plans and values of steps before them', () => {
  const unknown = probes.flatMap(({ name, steps = [] }) =>
    strangersIn(steps, new Set()).map((each) => `${name}: ${each}`),
  )
  expect(unknown).toEqual([])
})

test('behavior: the page counts the probes that have steps', () => {
  const page = readFileSync(packageFile('docs/corpus.md'), 'utf8')
  const withSteps = probes.filter(({ steps }) => steps).length
  expect(page).toContain(`${withSteps} of the ${probes.length} probes have steps`)
  expect(page).toContain(`The other ${probes.length - withSteps} compute`)
})

test('behavior: the example of the page is the probe as it is', () => {
  const page = readFileSync(packageFile('docs/corpus.md'), 'utf8')
  const example = JSON.parse(/```json\n([\s\S]*?)```/.exec(page)![1]!)
  expect(corpus.probes).toContainEqual(example)
})

/** What stands in braces, or is used as a plan, and is not known at that point. */
function strangersIn(steps: readonly ProbeStep[], known: Set<string>): string[] {
  return steps.flatMap((step) => {
    if ('once' in step) return strangersIn(step.steps, known)
    const used = [...JSON.stringify(step).matchAll(/\{([\w.]+)\}/g)].map(([, name]) => name!)
    if ('plan' in step) used.push(`${step.by}.id`)
    if ('execute' in step) used.push(`plan ${step.execute}`)
    if ('settle' in step) used.push(`execution of ${step.settle}`)
    const strangers = used.filter((name) => !known.has(name))
    if ('account' in step)
      for (const field of ['id', 'wallet', 'signer', 'wallet_lower', 'signer_lower'])
        known.add(`${step.account}.${field}`)
    if ('plan' in step) known.add(`plan ${step.plan}`)
    if ('execute' in step) known.add(`execution of ${step.execute}`)
    for (const name of Object.keys(('keep' in step && step.keep) || {})) known.add(name)
    return strangers
  })
}
