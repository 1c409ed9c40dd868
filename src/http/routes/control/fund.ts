import type { Address } from 'viem'
import { z } from 'zod'
import { networkNames } from '../../../chain/networks.js'
import { ServiceError } from '../../../errors.js'
import { exactAmount } from '../../../plans/amount.js'
import { addressField, assetField, networkField } from '../../../plans/fields.js'
import { example } from '../../examples.js'
import { defineRoute, type Route } from '../../route.js'
import type { AppDeps } from '../../types.js'

const fundBody = z
  .object({
    account_id: z
      .string({ error: 'must be the id of a sub-account' })
      .meta({ description: 'Funds the wallet of this sub-account.', example: example.accountId })
      .optional(),
    address: addressField('Funds this address.').optional(),
    asset: assetField('Asset to give; the native token too.'),
    amount: exactAmount('Amount to add, in the asset’s smallest unit.'),
    network: networkField,
  })
  .refine((body) => (body.account_id === undefined) !== (body.address === undefined), {
    error: 'exactly one of account_id and address must be given',
  })
  .meta({ id: 'Fund' })

const answerSchema = z
  .strictObject({
    address: z.string(),
    asset: z.string(),
    network: z.enum(networkNames),
    balance: z.string().meta({ pattern: '^[0-9]+$' }),
  })
  .meta({ id: 'Funded' })

export const fundRoutes: readonly Route[] = [
  defineRoute({
    method: 'post',
    path: '/_sim/fund',
    tag: 'Control',
    summary: 'Give funds',
    description: 'Adds to the balance of a sub-account’s wallet or of any address, on one network.',
    access: 'control',
    source: 'extension',
    body: {
      schema: fundBody,
      example: {
        account_id: example.accountId,
        asset: 'USDC',
        amount: '10000000',
        network: 'base',
      },
    },
    answers: [
      {
        status: 200,
        description: 'The balance afterwards, in the asset’s smallest unit.',
        schema: answerSchema,
        example: { address: example.wallet, asset: 'USDC', network: 'base', balance: '10000000' },
      },
    ],
    errors: [
      {
        code: 'invalid_params',
        when: 'a field is missing or malformed, or the asset is not on that network',
        message: 'exactly one of account_id and address must be given',
      },
      { code: 'account_not_found' },
    ],
    async handler({ deps, body }) {
      const { asset, amount, network } = body
      const address = body.address ?? (await walletOf(deps, body.account_id!))
      const funded = await deps.faucet.fund({ address, asset, amount, network })
      return { ...funded, balance: funded.balance.toString() }
    },
  }),
]

/** The wallet of a sub-account of any prime account: the control API stands above them. */
async function walletOf(deps: AppDeps, accountId: string): Promise<Address> {
  for (const { primeId } of deps.keys) {
    const account = await deps.store.account(primeId, accountId)
    if (account) return account.walletAddress
  }
  throw new ServiceError('account_not_found', `There is no account ${accountId.slice(0, 80)}`)
}
