import { z } from 'zod'
import { folioSchema } from '../../service/folio/schema.js'
import { defineRoute, type Route } from '../core/route.js'
import { folioExample } from '../openapi/examples.js'
import { booleanParameter } from '../openapi/query.js'

const folioQuery = z.object({
  cached: booleanParameter(
    'When true, returns the most recent folio instead of computing a fresh one; faster, possibly stale. Default false.',
  ).optional(),
})

export const folioRoutes: readonly Route[] = [
  defineRoute({
    operationId: 'getFolio',
    method: 'get',
    path: '/accounts/:account_id/folio',
    tag: 'Portfolio',
    summary: 'Read the portfolio',
    description:
      'Wallet balances, positions and market data across all networks. Keys are slash-joined paths with lower-case addresses; amounts are `<decimal>e<decimals>` in whole units, rates are fractions.',
    access: 'account',
    source: 'interface',
    query: folioQuery,
    answer: {
      description: 'The folio.',
      schema: z.strictObject({ folio: folioSchema }),
      example: { folio: folioExample },
    },
    errors: [
      {
        code: 'invalid_params',
        when: '`cached` is neither true nor false',
        message: 'cached must be true or false, received "yes"',
      },
      { code: 'timeout' },
    ],
    handler: async ({ deps, account, query }) => ({
      folio: await deps.service.folio.read(account, { cached: query.cached ?? false }),
    }),
  }),
]
