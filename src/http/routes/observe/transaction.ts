import { z } from 'zod'
import { networkNames } from '../../../deployments/networks.js'
import { ServiceError } from '../../../lib/errors.js'
import {
  blocksSchema,
  readBlock,
  readTransaction,
  type TransactionSources,
  transactionOwners,
  transactionSchema,
} from '../../../observe/journal/transaction.js'
import { controlRoute, type Route } from '../../core/route.js'
import type { AppDeps } from '../../core/types.js'
import { integerParameter } from '../../openapi/fields.js'

const maxBlocks = 50

export const transactionRoutes: readonly Route[] = [
  controlRoute({
    operationId: 'listBlocks',
    method: 'get',
    settles: 'briefly',
    isUnjournaled: true,
    path: '/_sim/blocks/:network',
    summary: 'List the blocks of a network',
    description:
      'Returns the latest blocks, newest first, with their transactions: sender, receiver, nonce, fee, the decoded call, and the request, plan and activity that sent it. In a trace: the blocks of the transactions that it holds.',
    query: z.object({
      last: integerParameter(
        'Number of the newest block to return; the latest when absent.',
      ).optional(),
      limit: integerParameter('Maximum number of blocks.', { min: 1, max: maxBlocks }).default(20),
    }),
    answer: {
      description: 'The blocks; none when `last` is beyond the latest.',
      schema: blocksSchema,
    },
    errors: [
      {
        code: 'not_found',
        when: 'there is no such network',
      },
      {
        code: 'conflict',
        when: 'the node does not answer',
      },
    ],
    async handler({ deps, req, query }) {
      const network = networkNames.find((name) => name === req.params.network)
      if (!network)
        throw new ServiceError(
          'not_found',
          `There is no network ${String(req.params.network).slice(0, 80)}; networks are ${networkNames.join(', ')}`,
        )
      const blocks = await deps.chains.blocks(network, query).catch((cause: Error) => {
        throw new ServiceError('conflict', `The ${network} node does not answer`, {
          hint: 'Remove the chain fault that stops it, or wait until it is ready again.',
          cause,
        })
      })
      const sources = await sourcesOf(deps)
      return { network, blocks: blocks.map((block) => readBlock(block, sources)) }
    },
  }),
  controlRoute({
    operationId: 'inspectTransaction',
    method: 'get',
    settles: 'briefly',
    isUnjournaled: true,
    path: '/_sim/transactions/:hash',
    summary: 'Inspect a transaction',
    description:
      'Returns a mined transaction of any network: its calls and logs decoded, the balances that it changed, its gas, and why it reverted.',
    answer: {
      description: 'The transaction.',
      schema: transactionSchema,
    },
    errors: [
      {
        code: 'invalid_params',
        when: 'the hash is not `0x` and 64 hex digits',
      },
      {
        code: 'not_found',
        when: 'no network has mined it',
      },
    ],
    async handler({ deps, req }) {
      const hash = String(req.params.hash)
      if (!isHash(hash))
        throw new ServiceError(
          'invalid_params',
          `hash must be 0x and 64 hex digits, but it is ${hash.slice(0, 80)}`,
        )
      const { transaction, silent } = await deps.chains.inspect(hash)
      if (!transaction)
        throw new ServiceError('not_found', `No network has mined transaction ${hash}`, {
          hint: deps.trace
            ? 'A trace holds the transactions that were sent last.'
            : silent.length > 0
              ? `These networks did not answer: ${silent.join(', ')}. Try again when they do.`
              : 'It may still be in the pool, or a reorganisation, restore or reset removed it.',
        })
      return readTransaction(transaction, await sourcesOf(deps))
    },
  }),
]

async function sourcesOf({ service, records }: AppDeps): Promise<TransactionSources> {
  const accounts = await service.store.allAccounts()
  return {
    book: service.book,
    owners: new Map(
      accounts.map(({ accountId, walletAddress }) => [walletAddress.toLowerCase(), accountId]),
    ),
    sentFor: transactionOwners(records.journal),
  }
}

const isHash = (text: string): text is `0x${string}` => /^0x[0-9a-fA-F]{64}$/.test(text)
