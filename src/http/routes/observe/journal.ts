import { z } from 'zod'
import { journalPageSchema, pageOf } from '../../../observe/journal/page.js'
import { redacted } from '../../core/apiKeys.js'
import { controlRoute, type Route } from '../../core/route.js'
import { booleanParameter, integerParameter } from '../../openapi/fields.js'

const accountError = 'must be the id of a sub-account, given once'

const accountParameter = z
  .string({ error: accountError })
  .regex(/^acc_[0-9A-Za-z]{12,32}$/, { error: accountError })
  .optional()

const nameError = 'must be a text of 1 to 200 characters, given once'

const filterParameter = (description: string) =>
  z.string({ error: nameError }).max(200, { error: nameError }).optional().meta({ description })

export const journalRoutes: readonly Route[] = [
  controlRoute({
    operationId: 'listExchanges',
    method: 'get',
    settles: 'briefly',
    path: '/_sim/journal',
    isUnjournaled: true,
    summary: 'List recent requests and responses',
    description:
      'Returns the latest exchanges of the service and the control API, and writes over `/rpc`, oldest first. Each includes its effects, even those after its response. `marks` shows where the simulator was reset or restored: exchanges before a mark belong to an earlier state. The journal is limited in number and bytes, and drops plain reads first. Secrets are masked.',
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
      example: { exchanges: [], marks: [], cursor: 0, dropped: 0 },
    },
    errors: [
      {
        code: 'invalid_params',
        when: 'since, limit, account_id or durations is malformed',
        message: 'limit must be an integer from 1 to 1000, given once, received "0"',
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
      'Returns a scenario file and a vitest file that plays it. The scenario repeats the journal since the last reset with new accounts, and expects the same statuses and errors. It begins in an empty world, without anything done before the saved part. Gaps of real time between requests are repeated when longer than ten seconds. A filter also keeps the accounts, funds, plans and executions that its exchanges need.',
    query: z.object({
      since: integerParameter('Only exchanges after this cursor.').optional(),
      until: integerParameter('Only exchanges up to this cursor.').optional(),
      account_id: accountParameter.meta({
        description: 'Only exchanges of this account, and changes to the world.',
      }),
      path: filterParameter(
        'Only exchanges with this text in method and URL, or this id or error code.',
      ),
      status: filterParameter('Only this class: `2`, `3`, `4`, `5`, `cut` or `open`.'),
      fault: filterParameter('Only exchanges that this fault rule hit; `any` for any rule.'),
      api: filterParameter('Only the `service` or the `control` API.'),
      name: z
        .string({ error: nameError })
        .min(1, { error: nameError })
        .max(200, { error: nameError })
        .default('saved from the journal')
        .meta({ description: 'Name of the scenario.' }),
    }),
    answer: {
      description: 'The files.',
      schema: z
        .strictObject({
          yaml: z.string().meta({ description: 'For `svc-sim scenario run`.' }),
          vitest: z.string().meta({ description: 'For vitest, with `svc-sim/vitest`.' }),
          left_out: z
            .array(z.string())
            .meta({ description: 'Exchanges that a scenario cannot contain, and why.' }),
        })
        .meta({ id: 'SavedJournal' }),
      example: {
        yaml: 'name: saved from the journal\ngiven:\n  accounts: {}\nwhen: []\nthen: []\n',
        vitest: "import { expect, test } from 'svc-sim/vitest'\n",
        left_out: [],
      },
    },
    errors: [
      {
        code: 'invalid_params',
        when: 'since, until, account_id, name or a filter is malformed',
        message: `name ${nameError}, received ""`,
      },
    ],
    async handler({ deps, query }) {
      const { savedJournal } = await import('../../worlds/savedJournal.js')
      return savedJournal(deps, query)
    },
  }),
]
