import { z } from 'zod'
import type { PlayedScenario } from '../../../clients/scenarios/runs.js'
import { count } from '../../../lib/scalars.js'
import { masked } from '../../core/masked.js'
import { defineRoute, type ErrorCase, type Route } from '../../core/route.js'

const aboutShape = {
  name: z.string().meta({ description: 'Of its file, without `.yaml`.' }),
  source: z
    .enum(['shipped', 'own'])
    .meta({ description: '`own`: of the folder that was named with `--scenarios`.' }),
  title: z.string(),
  description: z.string().nullable(),
  steps: z
    .array(z.string())
    .meta({ description: 'The parts of a run, in the order in which they are played.' }),
  problem: z
    .string()
    .nullable()
    .meta({ description: 'What is wrong with the file; then it cannot be played.' }),
}
const entrySchema = z.strictObject(aboutShape).meta({ id: 'ScenarioEntry' })

const runSchema = z
  .strictObject({
    name: z.string(),
    run: count.meta({ description: 'By which `scenario` messages of the stream name it.' }),
    passed: z.boolean(),
    failure: z
      .strictObject({ where: z.string(), message: z.string() })
      .nullable()
      .meta({ description: 'The part that failed, and why; those behind it were not played.' }),
    is_prepared: z
      .boolean()
      .meta({ description: 'It only prepares a world: nothing was played or checked.' }),
    steps: z.array(z.string()),
    requests: count.meta({ description: 'How many it sent; the journal has them.' }),
    duration_ms: count,
    account_ids: z
      .array(z.string())
      .meta({ description: 'Of the accounts it made, for `GET /_sim/why/{id}`.' }),
  })
  .meta({ id: 'ScenarioRun' })

const exampleName = 'stale-plan-loop'
const entryExample = {
  name: exampleName,
  source: 'shipped' as const,
  title: 'a plan that goes stale again and again',
  description: null,
  steps: ['given', 'when.0 (plan)', 'when.1 (advance)', 'when.2 (execute)', 'faults'],
  problem: null,
}

const unknown: ErrorCase = {
  code: 'not_found',
  when: 'there is no such scenario',
  message: 'There is no scenario nowhere',
}

const runExample = {
  name: exampleName,
  run: 1,
  passed: true,
  failure: null,
  is_prepared: false,
  steps: entryExample.steps,
  requests: 9,
  duration_ms: 640,
  account_ids: ['acc_5t0p9x2m4k1c'],
}

const busy: ErrorCase = {
  code: 'conflict',
  when: 'one is being played in this world, or the world cannot be kept in a snapshot',
  message: 'The scenario stale-plan-loop is being played',
}

const yamlError = 'must be the text of a scenario file'

const common = { tag: 'Scenarios', access: 'control', source: 'extension', locks: 'none' } as const

/** Scenarios that are played in the world that is asked. */
export const scenarioRoutes: readonly Route[] = [
  defineRoute({
    ...common,
    operationId: 'listScenarios',
    method: 'get',
    path: '/_sim/scenarios',
    summary: 'List the scenarios',
    description:
      'The shipped ones, and those of the folder that was named with `--scenarios`, by name; an own one stands in for a shipped one of its name.',
    answers: [
      {
        status: 200,
        description: 'What each is about.',
        schema: z.strictObject({ scenarios: z.array(entrySchema) }).meta({ id: 'Scenarios' }),
        example: { scenarios: [entryExample] },
      },
    ],
    errors: [],
    handler: async ({ deps }) => ({ scenarios: await deps.scenarios.list() }),
  }),
  defineRoute({
    ...common,
    operationId: 'getScenario',
    method: 'get',
    path: '/_sim/scenarios/:name',
    summary: 'Read a scenario',
    description: 'What it is about, and its file.',
    answers: [
      {
        status: 200,
        description: 'The scenario.',
        schema: z.strictObject({ ...aboutShape, yaml: z.string() }).meta({ id: 'ScenarioFile' }),
        example: { ...entryExample, yaml: 'name: a plan that goes stale again and again\n' },
      },
    ],
    errors: [unknown],
    handler: ({ deps, req }) => deps.scenarios.read(String(req.params.name)),
  }),
  defineRoute({
    ...common,
    operationId: 'runScenario',
    method: 'post',
    path: '/_sim/scenarios/:name/run',
    summary: 'Play a scenario',
    description:
      'In this world, as any client could: first everything is kept in a snapshot and fault rules are put aside, at the end everything goes back to it. So what others do meanwhile is undone; in a leased world (`/_sim/worlds/ID/scenarios/NAME/run`) it disturbs nobody. Answers at the end; meanwhile `scenario` messages of the stream tell each part as it begins. What went over the wire stays in the journal.',
    answers: [
      {
        status: 200,
        description: 'How it went; a scenario that fails is an answer, too.',
        schema: runSchema,
        example: runExample,
      },
    ],
    errors: [unknown, busy],
    handler: async ({ deps, req }) =>
      masked(deps, wire(await deps.scenarios.run(String(req.params.name)))),
  }),
  defineRoute({
    ...common,
    operationId: 'runScenarioText',
    method: 'post',
    path: '/_sim/scenarios',
    summary: 'Play a scenario of your own',
    description:
      'The text of a scenario file, YAML or JSON; else as `/_sim/scenarios/{name}/run`. Its run bears the name that it gives itself.',
    body: {
      schema: z.object({ yaml: z.string({ error: yamlError }) }).meta({ id: 'ScenarioText' }),
      example: { yaml: 'name: one read\nwhen:\n  - call: { path: /assets }\n' },
    },
    answers: [{ status: 200, description: 'How it went.', schema: runSchema, example: runExample }],
    errors: [
      {
        code: 'invalid_params',
        when: 'it is no scenario; the message names lines and paths',
        message:
          'yaml:1:1 name: is missing; it must be a text: What the scenario is called in reports.',
      },
      busy,
    ],
    handler: async ({ deps, body }) => masked(deps, wire(await deps.scenarios.play(body.yaml))),
  }),
]

const accountId = /\bacc_[0-9A-Za-z]{12,32}\b/g

function wire(played: PlayedScenario): z.infer<typeof runSchema> {
  const { name, run, steps, failure = null, isPrepared, exchanges, durationMs } = played
  const ids = JSON.stringify(exchanges.map(({ answer }) => answer.body)).match(accountId) ?? []
  return {
    name,
    run,
    passed: failure === null,
    failure,
    is_prepared: isPrepared,
    steps,
    requests: exchanges.length,
    duration_ms: durationMs,
    account_ids: [...new Set(ids)],
  }
}
