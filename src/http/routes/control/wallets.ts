import type { Address } from 'viem'
import { type ZodRawShape, z } from 'zod'
import { networkNames } from '../../../deployments/networks.js'
import { ServiceError } from '../../../lib/errors.js'
import {
  addressField,
  amountOrInteger,
  assetField,
  exactAmount,
  networkField,
} from '../../../service/plans/model/fields.js'
import { controlRoute, type ErrorCase, type Route } from '../../core/route.js'
import type { AppDeps } from '../../core/types.js'

const oneTarget = 'exactly one of account_id and address must be given'

/** A body that names a wallet: exactly one of `account_id` and `address`, besides the fields of `shape`. */
function walletTarget<Shape extends ZodRawShape>(shape: Shape, does: string) {
  return z
    .object({
      account_id: z
        .string({ error: 'must be the id of a sub-account' })
        .meta({
          description: `${does} the wallet of this sub-account.`,
        })
        .optional(),
      address: addressField(`${does} this address.`).optional(),
      ...shape,
    })
    .refine(
      (body) => {
        const { account_id, address } = body as { account_id?: unknown; address?: unknown }
        return (account_id === undefined) !== (address === undefined)
      },
      { error: oneTarget },
    )
    .meta({ description: 'Exactly one of `account_id` and `address` must be given.' })
}

/** The wallet that a body names, of any prime account: the control API is not limited to one. */
export async function walletOf(
  deps: AppDeps,
  body: { account_id?: string | undefined; address?: Address | undefined },
): Promise<Address> {
  if (body.address) return body.address
  const accountId = body.account_id!
  for (const { primeId } of deps.access.keys) {
    const account = await deps.service.store.account(primeId, accountId)
    if (account) return account.walletAddress
  }
  throw new ServiceError('account_not_found', noAccount(accountId))
}

function noAccount(id: string): string {
  return `There is no account ${id.slice(0, 80)}`
}

export const unknownAccount: ErrorCase = { code: 'account_not_found' }

/** For the document: the error while a network mines no blocks. */
export const minesNothing = (when: string): ErrorCase => ({ code: 'conflict', when })

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
    },
    answer: {
      description: 'The balance afterwards, in the asset’s smallest unit.',
      schema: answerSchema,
    },
    errors: [
      {
        code: 'invalid_params',
        when: 'a field is missing or malformed, the asset is not on that network, or the token refuses the recipient',
      },
      unknownAccount,
      minesNothing('the network mines no blocks, or its node does not respond; nothing was added'),
      {
        code: 'timeout',
        when: 'the node stopped responding when it had the gift: look at the balance before you fund again',
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

const grantBody = walletTarget(
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
      schema: grantBody,
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
    },
    errors: [
      {
        code: 'invalid_params',
        when: 'a field is missing or malformed, or the network’s distributor does not pay that asset',
      },
      unknownAccount,
      minesNothing('the network mines no blocks'),
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

const liquidateBody = walletTarget({ network: networkField.optional() }, 'Liquidates').meta({
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
    body: { schema: liquidateBody },
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
    },
    errors: [unknownAccount, minesNothing('one of the networks mines no blocks')],
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
