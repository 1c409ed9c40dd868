import { z } from 'zod'
import { networkNames } from '../../../deployments/networks.js'
import { networkField } from '../../../service/plans/model/fields.js'
import { controlRoute, type Route } from '../../core/route.js'
import { example } from '../../openapi/examples.js'
import { notOneTarget, unknownAccount, walletOf, walletTarget } from './walletTarget.js'

const body = walletTarget({ network: networkField.optional() }, 'Liquidates').meta({
  id: 'Liquidate',
})

export const liquidationRoutes: readonly Route[] = [
  controlRoute({
    operationId: 'liquidate',
    method: 'post',
    path: '/_sim/liquidations',
    summary: 'Liquidate unsafe positions',
    description:
      'A bot account liquidates the unsafe positions of a sub-account’s wallet or of any address, on one network or on all. Comet absorbs the position; on Morpho Blue the bot repays the debt for collateral. Safe positions stay. The sub-account gets an activity of type `exogenous` with its event.',
    body: { schema: body, example: { account_id: example.accountId, network: 'base' } },
    answer: {
      description: 'The liquidated positions; none when everything was safe.',
      schema: z
        .strictObject({
          liquidations: z.array(
            z.strictObject({
              network: z.enum(networkNames),
              protocol: z.enum(['compound', 'morpho']),
              market: z.string(),
              transaction_hash: z.string(),
            }),
          ),
        })
        .meta({ id: 'Liquidations' }),
      example: {
        liquidations: [
          {
            network: 'base',
            protocol: 'morpho',
            market: example.word('a'),
            transaction_hash: example.word('b'),
          },
        ],
      },
    },
    errors: [
      notOneTarget,
      unknownAccount,
      {
        code: 'conflict',
        when: 'one of the networks mines no blocks',
        message:
          'The base network mines no blocks, since its mining is switched off; nothing was liquidated',
      },
    ],
    async handler({ deps, body }) {
      const wallet = await walletOf(deps, body)
      const networks = body.network ? [body.network] : networkNames
      const done = await deps.control.liquidator.liquidate(wallet, networks)
      return {
        liquidations: done.map(({ network, protocol, market, receipt }) => ({
          network,
          protocol,
          market,
          transaction_hash: receipt.transactionHash,
        })),
      }
    },
  }),
]
