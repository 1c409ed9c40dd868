import { createHash } from 'node:crypto'
import { z } from 'zod'
import { type Scenario, scenarioSchema } from '../../clients/scenarios/schema.js'
import { packageVersion } from '../../lib/files/packageFile.js'
import { httpStatus } from '../../lib/scalars.js'
import { cellName, type Documented } from './documented.js'
import { ledgerText, sourceDates } from './fidelityRows.js'
import type { Probe } from './probe.js'
import { axes, type Basis, reaches, type Source, sources } from './types.js'

const day = z.iso.date().nullable()

/** All probes as scenarios (docs/corpus.md). */
export const corpusSchema = z.strictObject({
  format: z.literal('svc-sim corpus 1'),
  version: z.string().meta({ description: 'Of svc-sim.' }),
  fingerprint: z.string().meta({ description: 'The same text: the same probes.' }),
  sources: z
    .strictObject({ interface: day, public: day, judgement: day })
    .meta({ description: 'The day on which each kind of source was last checked; null: never.' }),
  answers: z
    .array(
      z.strictObject({
        answer: z.string(),
        method: z.string(),
        path: z.string(),
        status: httpStatus,
        code: z.string().nullable(),
      }),
    )
    .meta({ description: 'Every documented answer, by the name that probes use.' }),
  probes: z.array(
    z.strictObject({
      name: z.string(),
      axis: z.enum(axes),
      answers: z.array(z.string()),
      source: z.strictObject({ kind: z.enum(sources), where: z.string(), checked: day }),
      reach: z.enum(reaches),
      slow: z.boolean(),
      scenario: scenarioSchema
        .nullable()
        .meta({ description: 'null: the probe computes; svc-sim verify runs it.' }),
    }),
  ),
})

export type Corpus = z.input<typeof corpusSchema>

export function corpusOf(probes: readonly Probe[], { cells }: Documented): Corpus {
  const dates = sourceDates(ledgerText())
  return {
    format: 'svc-sim corpus 1',
    version: packageVersion(),
    fingerprint: probesHash(probes),
    sources: dates,
    answers: cells.map((cell) => {
      const { method, path, status, code } = cell
      return { answer: cellName(cell), method, path, status, code }
    }),
    probes: probes.map((probe) => {
      const { name, axis, cells, from, reach, isSlow = false } = probe
      const { kind, where } = sourceOf(from)
      const source = { kind, where, checked: dates[kind] }
      return {
        name,
        axis,
        answers: [...cells],
        source,
        reach,
        slow: isSlow,
        scenario: probeScenario(probe) ?? null,
      }
    }),
  }
}

/** Undefined for a probe that computes. */
export function probeScenario({ name, given, when, compute }: Probe): ScenarioFile | undefined {
  return compute ? undefined : { name, given, when: [...when] }
}

type ScenarioFile = Pick<Scenario, 'name' | 'when'> & { given: Probe['given'] }

export function sourceOf(from: Basis): { kind: Source; where: string } {
  const [[kind, where]] = Object.entries(from) as [[Source, string]]
  return { kind, where }
}

export function probesHash(probes: readonly Probe[]): string {
  const questions = probes.map(({ name, axis, cells, from, reach, given, when }) => ({
    name,
    axis,
    cells,
    from,
    reach,
    given,
    when,
  }))
  return createHash('sha256').update(JSON.stringify(questions)).digest('hex').slice(0, 16)
}

export function corpusJsonSchema(): object {
  const schema = z.toJSONSchema(corpusSchema, { target: 'draft-2020-12', io: 'input' })
  return { $id: 'corpus.schema.json', title: 'svc-sim corpus', ...schema }
}
