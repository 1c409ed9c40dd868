import type { Address } from 'viem'
import { type ZodRawShape, z } from 'zod'
import { ServiceError } from '../../../lib/errors.js'
import { addressField } from '../../../service/plans/model/fields.js'
import type { ErrorCase } from '../../core/route.js'
import type { AppDeps } from '../../core/types.js'

const oneTarget = 'exactly one of account_id and address must be given'

/** A body that names a wallet: exactly one of `account_id` and `address`, besides the fields of `shape`. */
export function walletTarget<Shape extends ZodRawShape>(shape: Shape, does: string) {
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
