import type { Address } from 'viem'
import { getAddress, isAddress } from 'viem/utils'
import { z } from 'zod'
import { walletAddressOf } from '../../chain/wallet/wallet.js'
import { ServiceError } from '../../lib/errors.js'
import type { AccountRecord } from '../../service/store/store.js'
import { isoSeconds } from '../../time/clock.js'
import { addHint } from '../core/headers.js'
import { defineRoute, type Route } from '../core/route.js'
import type { AppDeps } from '../core/types.js'
import { integerParameter } from '../openapi/fields.js'
import { accountSchema, primeAccountSchema } from '../openapi/schemas.js'

const addressError = 'must be an address: 0x and 40 hex digits'

/** The body of `POST /accounts`. Any casing is taken, and echoed as sent (interface.md asks for 0x and 40 hex digits). */
const createBody = z
  .object({
    signer_type: z.literal('eoa'),
    signer_address: z
      .string({ error: addressError })
      .regex(/^0x[0-9a-fA-F]{40}$/, { error: addressError })
      .transform((text) => text as Address)
      .meta({ pattern: '^0x[0-9a-fA-F]{40}$' }),
  })
  .meta({ id: 'CreateAccount' })

const listQuery = z.object({
  limit: integerParameter('Maximum number of sub-accounts; all by default. An extension.', {
    min: 1,
  }).optional(),
  after: z
    .string({ error: 'must be the account_id of a sub-account, given once' })
    .meta({
      description: 'Only sub-accounts after this account_id. An extension.',
    })
    .optional(),
})

export const accountRoutes: readonly Route[] = [
  defineRoute({
    operationId: 'createAccount',
    method: 'post',
    path: '/accounts',
    tag: 'Accounts',
    summary: 'Create a sub-account',
    description:
      'Creates the sub-account of a signer, with one smart wallet at the same address on every network. A prime account has one sub-account per signer.',
    access: 'prime',
    source: 'interface',
    body: {
      schema: createBody,
    },
    answer: {
      status: 201,
      description: 'The new sub-account.',
      schema: accountSchema,
    },
    errors: [
      {
        code: 'invalid_params',
        when: 'the signer_type is not `eoa`, or the signer_address is malformed',
      },
      {
        code: 'account_already_exists',
      },
    ],
    async handler({ deps, prime, body, res }) {
      const account = await createAccount(deps, prime.primeId, body.signer_address)
      const hint = signerHint(body.signer_address)
      if (hint) addHint(res, hint)
      return accountWire(account)
    },
  }),
  defineRoute({
    operationId: 'listAccounts',
    method: 'get',
    path: '/accounts',
    tag: 'Accounts',
    summary: 'List the sub-accounts',
    description:
      'All sub-accounts of the prime account, oldest first. With `limit`, returns one page. For the next page, pass the last `account_id` as `after`.',
    access: 'prime',
    query: listQuery,
    answer: {
      description: 'The sub-accounts.',
      schema: z.strictObject({ accounts: z.array(accountSchema) }),
    },
    errors: [
      {
        code: 'invalid_params',
        when: '`limit` is not a positive integer, or `after` is not the account_id of a sub-account of this prime account',
      },
    ],
    async handler({ deps, prime, query }) {
      const accounts = await deps.service.store.accounts(prime.primeId)
      return { accounts: partOf(accounts, query).map(accountWire) }
    },
  }),
  defineRoute({
    operationId: 'getAccount',
    method: 'get',
    path: '/accounts/:account_id',
    tag: 'Accounts',
    summary: 'Read a sub-account',
    description: 'One sub-account.',
    access: 'account',
    answer: {
      description: 'The sub-account.',
      schema: accountSchema,
    },
    handler: ({ account }) => accountWire(account),
  }),
]

/** Rejects as the store does when the prime account has one for this signer. */
export async function createAccount(
  { service, timing }: Pick<AppDeps, 'service' | 'timing'>,
  primeId: string,
  signer: Address,
): Promise<AccountRecord> {
  const account: AccountRecord = {
    accountId: service.ids.account(),
    primeId,
    signerType: 'eoa',
    signerAddress: signer,
    walletAddress: walletAddressOf(signer),
    createdAt: isoSeconds(timing.clock.now()),
  }
  await service.store.createAccount(account)
  return account
}

/** The page after the account `after`. */
export function partOf(
  accounts: readonly AccountRecord[],
  { after, limit }: { after?: string | undefined; limit?: number | undefined },
): AccountRecord[] {
  const before = after === undefined ? -1 : accounts.findIndex((each) => each.accountId === after)
  if (after !== undefined && before < 0)
    throw new ServiceError(
      'invalid_params',
      `after must be the account_id of a sub-account, received ${JSON.stringify(after)}`,
      { hint: 'Use the last account_id of the previous page.' },
    )
  return accounts.slice(before + 1).slice(0, limit)
}

export function accountWire(account: AccountRecord): z.infer<typeof accountSchema> {
  return {
    account_id: account.accountId,
    signer_type: account.signerType,
    signer_address: account.signerAddress,
    svc_wallet_address: account.walletAddress,
    created_at: account.createdAt,
  }
}

/** A hint on a signer that is accepted but probably a mistake. */
function signerHint(signer: string): string | undefined {
  if (/^0x0{40}$/.test(signer)) {
    return 'Nobody can sign for the zero address: no plan of this account can be executed.'
  }
  const mixedCase = /[a-f]/.test(signer) && /[A-F]/.test(signer)
  if (!mixedCase || isAddress(signer)) return undefined
  const right = getAddress(signer.toLowerCase())
  return `The casing of signer_address is not its EIP-55 checksum (${right}); check for a typing error.`
}

export const primeAccountRoutes: readonly Route[] = [
  defineRoute({
    operationId: 'getPrimeAccount',
    method: 'get',
    path: '/prime_account',
    tag: 'Accounts',
    summary: 'Read the prime account',
    description: 'The holder of the API key.',
    access: 'prime',
    answer: {
      description: 'The prime account.',
      schema: primeAccountSchema,
    },
    handler: ({ prime }) => ({
      id: prime.primeId,
      name: prime.name,
      email: prime.email,
      created_at: prime.createdAt,
    }),
  }),
]
