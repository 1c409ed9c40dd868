import { ServiceError } from '../../lib/errors.js'
import { isDrawnKey } from '../../lib/ids.js'
import type { AccountRecord } from '../../service/store/store.js'
import type { ApiKey } from '../core/apiKeys.js'
import type { AppDeps } from '../core/types.js'

const howTo = 'Send the header "Authorization: Bearer <API_KEY>".'

/** The holder of the request's API key. Throws the 401 problems of service-facts section 1. */
export function authenticate(keys: readonly ApiKey[], header: string | undefined): ApiKey {
  const token = bearerToken(header)
  const key = keys.find((candidate) => candidate.key === token)
  if (!key) throw unknownKey(token)
  if (key.revoked) {
    throw new ServiceError('api_key_revoked', 'API key has been revoked', {
      hint: 'Switch to an API key that is not revoked.',
    })
  }
  return key
}

/** An unknown key, or a former one: drawn keys belong to leased worlds. */
export function unknownKey(key: string): ServiceError {
  if (/^["'`<].*["'`>]$/.test(key))
    return new ServiceError('invalid_api_key', 'Invalid API key', {
      hint: 'The bearer token is in quotes or brackets, which count as part of it. Send the key without them.',
    })
  return new ServiceError('invalid_api_key', 'Invalid API key', {
    hint: isDrawnKey(key)
      ? 'The bearer token is the key of another world, or of a leased world that is over: released or expired. Each world has its own URL and key: GET /_sim/worlds lists the current worlds, POST /_sim/worlds leases another. If the key comes from a start banner, that start was an earlier one: see the current banner.'
      : 'This server was not started with this API key; see --api-key and the start banner.',
  })
}

/** The token of an `Authorization: Bearer` header. Throws `missing_auth_header`, with this hint, when there is none. */
export function bearerToken(header: string | undefined, hintOfNone = howTo): string {
  const token = header && /^Bearer +(\S+) *$/i.exec(header)?.[1]
  if (token) return token
  // A header in another form is answered like no header: the service's codes know no third case.
  const isTwice = /^Bearer +Bearer +/i.test(header ?? '')
  const hint = isTwice
    ? `The Authorization header says "Bearer" twice: the client adds it to a key that already has it. ${hintOfNone}`
    : header
      ? `The Authorization header is present, but not of the form "Bearer <API_KEY>". ${hintOfNone}`
      : hintOfNone
  throw new ServiceError('missing_auth_header', 'Missing Authorization header', { hint })
}

/** The sub-account of this id under this prime account. Rejects with `account_not_found`. */
export async function accountOf(
  { service: { store } }: AppDeps,
  primeId: string,
  accountId: string,
): Promise<AccountRecord> {
  return (await store.account(primeId, accountId)) ?? unknownAccount(accountId)
}

/** The same error for an account that does not exist and for one of another key. */
function unknownAccount(accountId: string): never {
  throw new ServiceError('account_not_found', 'Account not found', {
    hint: `There is no account ${accountId.slice(0, 80)} under this API key. Create accounts with POST /accounts. The account may belong to another key or another world.`,
  })
}
