import { z } from 'zod'
import { count, httpStatus } from '../../../lib/scalars.js'
import { redacted } from '../../core/apiKeys.js'
import { controlRoute, type Route } from '../../core/route.js'
import { example } from '../../openapi/examples.js'
import { hasLeft, leaseFor } from '../../worlds/leasing.js'
import { worldExample, worldOnWire, worldShape } from '../control/worldSchemas.js'
import { leaseErrors } from '../control/worlds.js'

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

/** How long the world of a fork stays without being renewed: somebody looks at it. Seconds. */
const leaseSeconds = 1_800

/** The past with a change in it. */
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
      example: { before: 9, change: [{ price: { ETH: '2000' } }] },
    },
    answer: {
      status: 201,
      description: 'The world, and the outcome of each step.',
      schema: forkSchema,
      example: {
        world: { ...worldExample, apiKey: 'qk_3f9a1c_0b7e5d2c8a4f6e1d3b9c' },
        twins: { [example.accountId]: 'acc_2m8c4v1x9q7z' },
        steps: [
          {
            step: 'price',
            cursor: null,
            asked: null,
            original: null,
            twin: { status: 200, error: null },
            problem: null,
          },
        ],
        left_out: [],
      },
    },
    errors: [
      {
        code: 'invalid_params',
        when: 'before or change is malformed, or the change cannot be made',
        message: `before ${cursorError}, received "x"`,
      },
      {
        code: 'not_found',
        when: 'there is no such exchange, or this is a leased world, which cannot lease worlds',
        message: 'There is no exchange 9 to fork before',
      },
      {
        code: 'conflict',
        when: 'the exchanges before it cannot be repeated in an empty world',
        message:
          'The journal cannot be asked again as it was: plan: POST /accounts/acc_5t0p9x2m4k1c/plan/transfer: expected status 201, got 400',
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
