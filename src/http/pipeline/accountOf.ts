import { ServiceError } from '../../lib/errors.js'
import type { AccountRecord } from '../../service/store/store.js'
import type { AppDeps } from '../core/types.js'

/** The sub-account of this id under this prime account. Rejects with `account_not_found`. */
export async function accountOf(
  { service: { store } }: AppDeps,
  primeId: string,
  accountId: string,
): Promise<AccountRecord> {
  const account = await store.account(primeId, accountId)
  if (account) return account
  throw new ServiceError('account_not_found', 'Account not found', {
    hint: `There is no account ${accountId.slice(0, 80)} under this API key. Create accounts with POST /accounts. The account may belong to another key or another world.`,
  })
}
