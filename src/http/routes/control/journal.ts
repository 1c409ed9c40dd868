import { z } from 'zod'
import { journalPageSchema, pageOf } from '../../../journal/page.js'
import { masked } from '../../masked.js'
import { integerParameter } from '../../query.js'
import { defineRoute, type Route } from '../../route.js'

const accountError = 'must be the id of a sub-account, given once'

const common = { tag: 'Control', access: 'control', source: 'extension' } as const

export const journalRoutes: readonly Route[] = [
  defineRoute({
    ...common,
    method: 'get',
    path: '/_sim/journal',
    summary: 'What was asked and answered',
    description:
      'The last exchanges of the service and the control API, oldest first, each with what happened on its behalf, also after the answer. `marks` tells where everything was taken back in between: what stands before a mark was done in another life. Bounded in number and bytes; secrets are masked.',
    query: z.object({
      since: integerParameter('Only exchanges after this cursor.').optional(),
      limit: integerParameter(
        'At most so many: with `since` the oldest of them, else the newest.',
        {
          min: 1,
          max: 1_000,
        },
      ).default(100),
      account_id: z
        .string({ error: accountError })
        .regex(/^acc_[0-9a-z]{12}$/, { error: accountError })
        .optional()
        .meta({ description: 'Only those of this account.' }),
    }),
    answers: [
      {
        status: 200,
        description: 'The exchanges, and where to go on.',
        schema: journalPageSchema,
        example: { exchanges: [], marks: [], cursor: 0, dropped: 0 },
      },
    ],
    errors: [
      {
        code: 'invalid_params',
        when: 'since, limit or account_id is malformed',
        message: 'limit must be an integer from 1 to 1000, given once, received "0"',
      },
    ],
    handler: ({ deps, query }) => masked(deps, pageOf(deps.records.journal, query)),
  }),
]
