import type { ProblemCode } from '../errors.js'
import { unexpectedMessage } from './route.js'

/** An example message of each code, for routes that have none of their own. */
export const problemMessages: Record<ProblemCode, string> = {
  invalid_params: 'network must be one of mainnet, base, arbitrum, optimism, polygon, received "x"',
  plan_failed: 'insufficientResources(target: .exact(2000000), max: 0)',
  no_wallet: 'Account has no wallets',
  missing_auth_header: 'Missing Authorization header',
  invalid_api_key: 'Invalid API key',
  api_key_revoked: 'API key has been revoked',
  forbidden: 'This server has another name: Host is evil.example',
  account_not_found: 'Account not found',
  plan_not_found: 'Plan not found or expired',
  not_found: 'There is no route GET /x',
  method_not_allowed: 'PUT is not allowed on /accounts; allowed: POST, GET, HEAD',
  timeout: 'Folio computation timed out',
  account_already_exists: 'An account already exists with this configuration',
  plan_stale: 'The plan is stale; create a new one',
  conflict: 'The system is busy',
  payload_too_large: 'The request body must be at most 1048576 bytes, but is 2000000 bytes',
  headers_too_large: 'The head of the request is over 16 KiB',
  rate_limited: 'Too many requests; try again in 1 s',
  swap_quote_failed: 'No swap quote could be fetched',
  internal_error: unexpectedMessage,
}
