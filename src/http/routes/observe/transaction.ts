import { ServiceError } from '../../../lib/errors.js'
import { readTransaction } from '../../../observe/journal/transaction.js'
import { transactionSchema } from '../../../observe/journal/transactionSchema.js'
import { controlRoute, type Route } from '../../core/route.js'
import { example } from '../../openapi/examples.js'

export const transactionRoutes: readonly Route[] = [
  controlRoute({
    operationId: 'inspectTransaction',
    method: 'get',
    settles: 'briefly',
    path: '/_sim/transactions/:hash',
    summary: 'Inspect a transaction',
    description:
      'Returns a mined transaction of any network: its calls and logs decoded, the balances that it changed, its gas, and why it reverted.',
    answer: {
      description: 'The transaction.',
      schema: transactionSchema,
      example: {
        network: 'base',
        hash: example.word('e'),
        status: 'mined',
        block: 354,
        at: example.time,
        gas_used: '231354',
        reason: null,
        calls: [],
        calls_left_out: 0,
        logs: [],
        balances: [
          {
            address: '0x1111111111111111111111111111111111111111',
            name: example.accountId,
            asset: 'USDC',
            change: '-1000000',
          },
        ],
      },
    },
    errors: [
      {
        code: 'invalid_params',
        when: 'the hash is not `0x` and 64 hex digits',
        message: 'hash must be 0x and 64 hex digits, but it is 0x12',
      },
      {
        code: 'not_found',
        when: 'no network has mined it',
        message: `No network has mined transaction 0x${'5c50'.repeat(16)}`,
      },
    ],
    async handler({ deps, req }) {
      const hash = String(req.params.hash)
      if (!isHash(hash))
        throw new ServiceError(
          'invalid_params',
          `hash must be 0x and 64 hex digits, but it is ${hash.slice(0, 80)}`,
        )
      const { found, silent } = await deps.chains.inspect(hash)
      if (!found)
        throw new ServiceError('not_found', `No network has mined transaction ${hash}`, {
          hint: deps.trace
            ? 'A trace holds the transactions that were sent last.'
            : silent.length > 0
              ? `These networks did not answer: ${silent.join(', ')}. Try again when they do.`
              : 'It may still be in the pool, or a reorganisation, restore or reset removed it.',
        })
      const { store, book } = deps.service
      const accounts = await store.allAccounts()
      const owners = new Map(
        accounts.map(({ accountId, walletAddress }) => [walletAddress.toLowerCase(), accountId]),
      )
      return readTransaction(found, book, owners)
    },
  }),
]

const isHash = (text: string): text is `0x${string}` => /^0x[0-9a-fA-F]{64}$/.test(text)
