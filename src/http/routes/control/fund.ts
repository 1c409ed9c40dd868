import { z } from 'zod'
import { networkNames } from '../../../deployments/networks.js'
import { amountOrInteger } from '../../../service/plans/model/amount.js'
import { assetField, networkField } from '../../../service/plans/model/fields.js'
import { controlRoute, type Route } from '../../core/route.js'
import { example } from '../../openapi/examples.js'
import { unknownAccount, walletOf, walletTarget } from './walletTarget.js'

const fundBody = walletTarget(
  {
    asset: assetField('Asset to give; the native token too.'),
    amount: amountOrInteger(
      'Amount to add, in the asset’s smallest unit: a decimal string, as in every other route. A JSON integer up to 2^53-1 is accepted too; larger numbers are refused, because JSON numbers are not exact there.',
    ),
    network: networkField,
  },
  'Funds',
).meta({ id: 'Fund' })

const answerSchema = z
  .strictObject({
    address: z.string(),
    asset: z.string(),
    network: z.enum(networkNames),
    balance: z.string().meta({ pattern: '^[0-9]+$' }),
  })
  .meta({ id: 'Funded' })

export const fundRoutes: readonly Route[] = [
  controlRoute({
    operationId: 'fundWallet',
    method: 'post',
    path: '/_sim/fund',
    summary: 'Give funds',
    description: 'Adds to the balance of a sub-account’s wallet or of any address, on one network.',
    body: {
      schema: fundBody,
      example: {
        account_id: example.accountId,
        asset: 'USDC',
        amount: '10000000',
        network: 'base',
      },
    },
    answer: {
      description: 'The balance afterwards, in the asset’s smallest unit.',
      schema: answerSchema,
      example: { address: example.wallet, asset: 'USDC', network: 'base', balance: '10000000' },
    },
    errors: [
      {
        code: 'invalid_params',
        when: 'a field is missing or malformed, the asset is not on that network, or the token refuses the recipient',
        message: 'exactly one of account_id and address must be given',
      },
      unknownAccount,
      {
        code: 'conflict',
        when: 'the network mines no blocks, or its node does not respond; nothing was added',
        message:
          'The base network mines no blocks, since its mining is switched off; nothing was given',
      },
    ],
    async handler({ deps, body }) {
      const { asset, amount, network } = body
      const address = await walletOf(deps, body)
      const funded = await deps.control.faucet.fund({ address, asset, amount, network })
      return { ...funded, balance: funded.balance.toString() }
    },
  }),
]
