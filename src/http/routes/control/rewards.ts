import { z } from 'zod'
import { networkNames } from '../../../deployments/networks.js'
import { exactAmount } from '../../../service/plans/model/amount.js'
import { assetField, networkField } from '../../../service/plans/model/fields.js'
import { controlRoute, type Route } from '../../core/route.js'
import { example } from '../../openapi/examples.js'
import { unknownAccount, walletOf, walletTarget } from './walletTarget.js'

const amount = '5000000000000000000'

const body = walletTarget(
  {
    asset: assetField('Reward asset to grant: what the network’s distributor pays.', 'MORPHO'),
    amount: exactAmount('Amount to grant, in the asset’s smallest unit.'),
    network: networkField,
  },
  'Grants to',
).meta({ id: 'RewardGrant' })

export const rewardRoutes: readonly Route[] = [
  controlRoute({
    operationId: 'grantRewards',
    method: 'post',
    path: '/_sim/rewards',
    summary: 'Grant rewards',
    description:
      'Grants unearned rewards of Morpho vaults to a sub-account’s wallet or any address. The next root includes them, with a proof, so they can be claimed at once. The distributor receives the funds.',
    body: {
      schema: body,
      example: { account_id: example.accountId, asset: 'MORPHO', amount, network: 'base' },
    },
    answer: {
      description: 'What the wallet can now claim, in the smallest unit.',
      schema: z
        .strictObject({
          address: z.string(),
          asset: z.string(),
          network: z.enum(networkNames),
          owed: z.string().meta({ pattern: '^[0-9]+$' }),
        })
        .meta({ id: 'RewardsOwed' }),
      example: { address: example.wallet, asset: 'MORPHO', network: 'base', owed: amount },
    },
    errors: [
      {
        code: 'invalid_params',
        when: 'a field is missing or malformed, or the network’s distributor does not pay that asset',
        message:
          'asset: "COMP" cannot be granted: the rewards distributor on base pays MORPHO only',
      },
      unknownAccount,
      {
        code: 'conflict',
        when: 'the network mines no blocks',
        message:
          'The base network mines no blocks, since its mining is switched off; nothing was granted',
      },
    ],
    async handler({ deps, body: { asset, amount: granted, network, ...target } }) {
      const address = await walletOf(deps, target)
      const { owed, ...rest } = await deps.control.rewards.grant({
        address,
        asset,
        amount: granted,
        network,
      })
      return { ...rest, owed: owed.toString() }
    },
  }),
]
