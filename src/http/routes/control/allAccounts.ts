import { z } from 'zod'
import { count } from '../../../lib/scalars.js'
import type { AccountRecord } from '../../../service/store/store.js'
import { controlRoute, type Route } from '../../core/route.js'
import { accountExample } from '../../openapi/examples.js'
import { integerParameter } from '../../openapi/query.js'
import { accountSchema } from '../../openapi/schemas.js'
import { accountWire, partOf } from '../accounts.js'

const query = z.object({
  limit: integerParameter('Maximum number of sub-accounts.', { min: 1, max: 1_000 }).default(100),
  after: z
    .string({ error: 'must be the account_id of a sub-account, given once' })
    .meta({ description: 'Only sub-accounts after this account_id.' })
    .optional(),
  order: z
    .enum(['oldest', 'newest'], { error: 'must be oldest or newest, given once' })
    .meta({ description: 'Which sub-accounts come first.' })
    .default('oldest'),
  q: z
    .string({ error: 'must be a text, given once' })
    .meta({
      description:
        'Only sub-accounts with this text in an id or address (account, prime account, signer or wallet), in any casing.',
    })
    .optional(),
})

/** With whose it is. */
export const foundAccountSchema = accountSchema
  .extend({ prime_account_id: z.string().meta({ description: 'As in `GET /prime_account`.' }) })
  .meta({ id: 'AccountOfAny' })

export const allAccountsRoutes: readonly Route[] = [
  controlRoute({
    operationId: 'listAllAccounts',
    method: 'get',
    path: '/_sim/accounts',
    summary: 'Find sub-accounts',
    description:
      'Lists the sub-accounts of all prime accounts, oldest first by default. For the next page, pass the last `account_id` as `after`.',
    query,
    answer: {
      description: 'One page, and the total number found.',
      schema: z.strictObject({ accounts: z.array(foundAccountSchema), total: count }),
      example: {
        accounts: [{ ...accountExample, prime_account_id: 'svc_a1b2c3d4e5f6' }],
        total: 1,
      },
    },
    errors: [
      {
        code: 'invalid_params',
        when: '`limit` is out of bounds, `order` is unknown, or `after` is not the account_id of a match',
        message: 'limit must be an integer from 1 to 1000, given once, received "0"',
      },
    ],
    async handler({ deps, query: { q, order, ...part } }) {
      const all = (await deps.service.store.allAccounts()).filter((account) => has(account, q))
      const found = order === 'newest' ? all.toReversed() : all
      const accounts = partOf(found, part).map((account) => ({
        ...accountWire(account),
        prime_account_id: account.primeId,
      }))
      return { accounts, total: found.length }
    },
  }),
]

function has(
  { accountId, primeId, signerAddress, walletAddress }: AccountRecord,
  wanted = '',
): boolean {
  const sought = wanted.toLowerCase()
  return [accountId, primeId, signerAddress, walletAddress].some((text) =>
    text.toLowerCase().includes(sought),
  )
}
