import { z } from 'zod'
import type { PlayedScenario } from '../../../clients/scenarios/runs.js'
import { count } from '../../../lib/scalars.js'
import { redacted } from '../../core/apiKeys.js'
import { controlRoute, type ErrorCase, type Route } from '../../core/route.js'

const aboutShape = {
  name: z.string().meta({ description: 'Name of its file, without `.yaml`.' }),
  source: z.enum(['shipped', 'own']).meta({ description: '`own`: from the `--scenarios` folder.' }),
  title: z.string(),
  description: z.string().nullable(),
  steps: z
    .array(z.string())
    .meta({ description: 'The parts of a run, in the order in which they are played.' }),
  problem: z.string().nullable().meta({ description: 'Why the file cannot be played.' }),
}
const entrySchema = z.strictObject(aboutShape).meta({ id: 'ScenarioEntry' })

const runSchema = z
  .strictObject({
    name: z.string(),
    run: count.meta({ description: 'The id of the run in `scenario` messages of the stream.' }),
    passed: z.boolean(),
    failure: z
      .strictObject({ where: z.string(), message: z.string() })
      .nullable()
      .meta({ description: 'The part that failed, and why; later parts were not played.' }),
    is_prepared: z
      .boolean()
      .meta({ description: 'It only prepares a world: nothing was played or checked.' }),
    steps: z.array(z.string()),
    requests: count.meta({ description: 'Number of requests that it sent; the journal has them.' }),
    duration_ms: count,
    account_ids: z
      .array(z.string())
      .meta({ description: 'Ids of the accounts it created, for `GET /_sim/why/{id}`.' }),
  })
  .meta({ id: 'ScenarioRun' })

const unknown: ErrorCase = {
  code: 'not_found',
  when: 'there is no such scenario',
}

const busy: ErrorCase = {
  code: 'conflict',
  when: 'a scenario is already running in this world, its clock begins before that of the world, or no snapshot of the world can be taken',
}

const yamlError = 'must be the text of a scenario file'

const common = { tag: 'Scenarios', locks: 'none' } as const

export const scenarioRoutes: readonly Route[] = [
  controlRoute({
    ...common,
    operationId: 'listScenarios',
    method: 'get',
    path: '/_sim/scenarios',
    summary: 'List the scenarios',
    description:
      'Lists the shipped scenarios and those in the `--scenarios` folder, by name. One of your own replaces a shipped one with the same name.',
    answer: {
      description: 'The scenarios.',
      schema: z.strictObject({ scenarios: z.array(entrySchema) }).meta({ id: 'Scenarios' }),
    },
    handler: async ({ deps }) => ({ scenarios: await deps.scenarios.list() }),
  }),
  controlRoute({
    ...common,
    operationId: 'getScenario',
    method: 'get',
    path: '/_sim/scenarios/:name',
    summary: 'Read a scenario',
    description: 'Returns the description and the file of a scenario.',
    answer: {
      description: 'The scenario.',
      schema: z.strictObject({ ...aboutShape, yaml: z.string() }).meta({ id: 'ScenarioFile' }),
    },
    errors: [unknown],
    handler: ({ deps, req }) => deps.scenarios.read(String(req.params.name)),
  }),
  controlRoute({
    ...common,
    operationId: 'runScenario',
    method: 'post',
    path: '/_sim/scenarios/:name/run',
    summary: 'Play a scenario',
    description:
      'Plays the scenario in this world, as any client could. First takes a snapshot and sets fault rules aside; at the end, everything is restored. This also undoes what others do meanwhile. In a leased world (`/_sim/worlds/ID/scenarios/NAME/run`) it disturbs nobody. Responds at the end; meanwhile, `scenario` messages of the stream report each part as it begins. The journal keeps the requests and responses.',
    answer: {
      description: 'The result, even when the scenario failed.',
      schema: runSchema,
    },
    errors: [unknown, busy],
    handler: async ({ deps, req }) =>
      redacted(deps, wire(await deps.scenarios.run(String(req.params.name)))),
  }),
  controlRoute({
    ...common,
    operationId: 'runScenarioText',
    method: 'post',
    path: '/_sim/scenarios',
    summary: 'Play a scenario of your own',
    description:
      'Plays the text of a scenario file, YAML or JSON, in the same way as `/_sim/scenarios/{name}/run`. The run takes its name from the text.',
    body: {
      schema: z.object({ yaml: z.string({ error: yamlError }) }).meta({ id: 'ScenarioText' }),
    },
    answer: { description: 'The result.', schema: runSchema },
    errors: [
      {
        code: 'invalid_params',
        when: 'the text is not a valid scenario; the message names lines and paths',
      },
      busy,
    ],
    handler: async ({ deps, body }) => redacted(deps, wire(await deps.scenarios.play(body.yaml))),
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
