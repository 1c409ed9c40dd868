import { z } from 'zod'
import { count, httpStatus } from '../../../lib/scalars.js'
import { journalPageSchema, pageOf } from '../../../observe/journal/page.js'
import { redacted } from '../../core/apiKeys.js'
import { controlRoute, type Route } from '../../core/route.js'
import { booleanParameter, integerParameter } from '../../openapi/fields.js'
import { hasLeft, leaseFor } from '../../worlds/leasing.js'
import { worldOnWire, worldShape } from '../control/worldSchemas.js'
import { leaseErrors } from '../control/worlds.js'

const accountError = 'must be the id of a sub-account, given once'

const accountParameter = z
  .string({ error: accountError })
  .regex(/^acc_[0-9A-Za-z]{12,32}$/, { error: accountError })
  .optional()

const nameError = 'must be a text of 1 to 200 characters, given once'

const filterParameter = (description: string) =>
  z.string({ error: nameError }).max(200, { error: nameError }).optional().meta({ description })

const statusError =
  'must be 2, 3, 4 or 5, a status such as 409, cut, open, failed or problem, given once'

const statusParameter = z
  .string({ error: statusError })
  .regex(/^([2-5]([0-9][0-9])?|cut|open|failed|problem)$/, { error: statusError })
  .optional()
  .meta({
    description:
      'Only this status (`409`) or class: `2`, `3`, `4`, `5`, `cut` or `open`; `failed` for failed activities, `problem` for these and for `4`, `5` and `cut`.',
  })

const apiError = 'must be service or control, given once'

const apiParameter = z
  .string({ error: apiError })
  .regex(/^(service|control)$/, { error: apiError })
  .optional()
  .meta({ description: 'Only the `service` or the `control` API.' })

export const journalRoutes: readonly Route[] = [
  controlRoute({
    operationId: 'listExchanges',
    method: 'get',
    settles: 'briefly',
    path: '/_sim/journal',
    isUnjournaled: true,
    summary: 'List recent requests and responses',
    description:
      'Returns the latest exchanges of the service and the control API, and writes over `/rpc`, oldest first. Each includes its effects, even those after its response. `marks` shows where the simulator was reset or restored, and `undone` names the one that has undone an exchange; it is absent in reads and in the stream. The journal is limited in number and bytes, and drops plain reads first. Secrets are masked.',
    query: z.object({
      since: integerParameter('Only exchanges after this cursor.').optional(),
      limit: integerParameter(
        'Maximum number of exchanges: the oldest with `since`, otherwise the newest.',
        {
          min: 1,
          max: 1_000,
        },
      ).default(100),
      account_id: accountParameter.meta({ description: 'Only exchanges of this account.' }),
      durations: booleanParameter(
        'Adds how long each took (`took_ms`). Without it, two simulators with the same seed and a frozen clock return the same journal.',
      ).default(false),
    }),
    answer: {
      description: 'The exchanges, and the cursor to continue from.',
      schema: journalPageSchema,
    },
    errors: [
      {
        code: 'invalid_params',
        when: 'since, limit, account_id or durations is malformed',
      },
    ],
    handler: ({ deps, query }) => redacted(deps, pageOf(deps.records.journal, query)),
  }),
  controlRoute({
    operationId: 'exportScenario',
    method: 'get',
    path: '/_sim/journal/scenario',
    isUnjournaled: true,
    summary: 'Save the journal as a test',
    description:
      'Returns a scenario file and a vitest file that plays it. The scenario repeats the journal since the last reset with new accounts, and expects the same statuses and errors. It begins in an empty world, without anything done before the saved part. Gaps of real time between requests are repeated when longer than ten seconds. Fault rules are kept when they hit a saved request. A filter keeps, besides its exchanges, the accounts, funds, plans, executions and moves of time that they depend on. Exchanges that a restore has undone belong to another run; one run is saved at a time.',
    query: z.object({
      since: integerParameter('Only exchanges after this cursor.').optional(),
      until: integerParameter(
        'Only the run that led to this cursor, also what other accounts did there.',
      ).optional(),
      account_id: accountParameter.meta({
        description: 'Only exchanges of this account.',
      }),
      path: filterParameter(
        'Only exchanges with this text in method and URL, or this id or error code.',
      ),
      status: statusParameter,
      fault: filterParameter(
        'Only exchanges that this fault rule hit or made fail; `any` for any rule.',
      ),
      api: apiParameter,
      name: z
        .string({ error: nameError })
        .min(1, { error: nameError })
        .max(200, { error: nameError })
        .optional()
        .meta({ description: 'Name of the scenario. By default, what its last failure is.' }),
    }),
    answer: {
      description: 'The files.',
      schema: z
        .strictObject({
          name: z.string(),
          file: z.string().meta({
            description: 'A name for the files, without extension.',
            example: 'transfer-plan_stale',
          }),
          yaml: z.string().meta({
            description:
              'For `svc-sim scenario run`. It expects what the client learnt, without the assertions of the client’s own tests.',
          }),
          vitest: z.string().meta({ description: 'For vitest, with `svc-sim/vitest`.' }),
          repeats: z.string().meta({
            description: 'How many exchanges of the journal the files repeat, and which.',
            example: '1 request of the selected, and 5 that led to the outcome',
          }),
          left_out: z.array(z.string()).meta({
            description:
              'Exchanges that were asked for, or led there, but are not in the files, and why.',
          }),
          not_expected: z.array(z.string()).meta({
            description:
              'States that reads showed but the files do not expect, because a correct simulator may show others when the test runs; each with the reason.',
            example: [
              'GET /activities/act_xo4zlf2sq1kn: pending: bridge.delay had less than 30 s left, and the test may read as much later',
            ],
          }),
        })
        .meta({ id: 'SavedJournal' }),
    },
    errors: [
      {
        code: 'invalid_params',
        when: 'since, until, account_id, name or a filter is malformed',
      },
      {
        code: 'conflict',
        when: 'the exchanges belong to several runs, which restored snapshots separate, or depend on accounts that were not created in the saved part; or no exchange matches, a reset has undone all that do, or none can be repeated',
      },
    ],
    async handler({ deps, query }) {
      const { savedJournal } = await import('../../worlds/savedJournal.js')
      return savedJournal(deps, query)
    },
  }),
]

const cursorError = 'must be the cursor of an exchange of the journal'
const changeError = 'must be a list of at most 20 steps, as a scenario file has them under `when`'

const forkBody = z
  .object({
    before: z
      .int({ error: cursorError })
      .min(1, { error: cursorError })
      .max(Number.MAX_SAFE_INTEGER, { error: cursorError })
      .meta({
        description: 'Everything before this exchange is repeated; then the change is made.',
      }),
    change: z
      .array(z.record(z.string(), z.unknown()), { error: changeError })
      .max(20, { error: changeError })
      .default([])
      .meta({
        description:
          'Steps of a scenario: `{"advance": 3600}`, `{"price": {"ETH": "2000"}}`, `{"fault": {...}}`, `{"heal": true}`. Ids of the journal are replaced by those of the new world.',
      }),
  })
  .meta({ id: 'JournalForkRequest' })

const answerSchema = z
  .strictObject({ status: httpStatus, error: z.string().nullable() })
  .meta({ id: 'ShortAnswer' })
  .nullable()

const stepSchema = z
  .strictObject({
    step: z.string().meta({ description: 'The keyword of the scenario file.' }),
    cursor: count
      .nullable()
      .meta({ description: 'Cursor of the exchange; null for the change and for waiting.' }),
    asked: z.string().nullable().meta({ description: 'Method and URL of the exchange.' }),
    original: answerSchema,
    twin: answerSchema,
    problem: z
      .string()
      .nullable()
      .meta({ description: 'Why its outcome differs, or why it could not be done.' }),
  })
  .meta({ id: 'TwinStep' })

const forkSchema = z
  .strictObject({
    world: z.strictObject({ ...worldShape, apiKey: z.string() }).meta({ id: 'ForkedWorld' }),
    twins: z.record(z.string(), z.string()).meta({
      description:
        'Ids and addresses of the journal, with their counterparts in the new world; missing ones are omitted.',
    }),
    steps: z.array(stepSchema).meta({ description: 'The change, and everything after it.' }),
    left_out: z
      .array(z.string())
      .meta({ description: 'Exchanges that could not be repeated, and why.' }),
  })
  .meta({ id: 'JournalFork' })

/** Seconds until the world of a fork expires unless renewed: a person looks at it. */
const leaseSeconds = 1_800

export const journalForkRoutes: readonly Route[] = [
  controlRoute({
    operationId: 'forkJournal',
    method: 'post',
    path: '/_sim/journal/fork',
    isUnjournaled: true,
    locks: 'handler',
    summary: 'Replay the journal with a change',
    description:
      'Leases a world and repeats there the journal since the last reset, up to before an exchange. Then makes a change and continues with the rest, whatever the outcome. This world is not touched. The new world keeps its final state for half an hour or until it is released, so that its timelines can be compared with the original ones.',
    body: {
      schema: forkBody,
    },
    answer: {
      status: 201,
      description: 'The world, and the outcome of each step.',
      schema: forkSchema,
    },
    errors: [
      {
        code: 'invalid_params',
        when: 'before or change is malformed, or the change cannot be made',
      },
      {
        code: 'not_found',
        when: 'there is no such exchange, or this is a leased world, which cannot lease worlds',
      },
      {
        code: 'conflict',
        when: 'a reset has undone it, it is no step of a scenario, or the exchanges before it cannot be repeated in an empty world',
      },
      ...leaseErrors,
    ],
    async handler({ deps, req, res, body }) {
      const { forkJournal } = await import('../../worlds/forkJournal.js')
      const { world, twins, steps, leftOut } = await forkJournal(
        deps,
        (wishes) => leaseFor(deps, res, { wishes, leaseSeconds }),
        { ...body, signal: hasLeft(res) },
      )
      return {
        world: { ...worldOnWire(world, req, deps), apiKey: world.apiKey },
        ...redacted(deps, { twins, steps, left_out: leftOut }),
      }
    },
  }),
]
