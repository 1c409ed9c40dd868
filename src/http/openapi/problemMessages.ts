import type { ProblemCode } from '../../lib/errors.js'
import { unexpectedMessage } from '../core/route.js'
import { example } from './examples.js'

/** What answers of each code say, for routes that have no text of their own; test/sim/errorExamples.test.ts causes each. */
export const problemMessages: Record<ProblemCode, string> = {
  invalid_params: 'The path has a malformed percent escape',
  plan_failed: 'insufficient resources of USDC on base: target 1000000, max 0',
  no_wallet: 'Account has no wallets',
  missing_auth_header: 'Missing Authorization header',
  invalid_api_key: 'Invalid API key',
  api_key_revoked: 'API key has been revoked',
  forbidden: 'The Host header does not name this server: Host is evil.example',
  account_not_found: 'Account not found',
  plan_not_found: `Plan not found: ${example.planId}`,
  not_found: 'There is no route GET /x',
  method_not_allowed: 'PUT is not allowed on /accounts; allowed: POST, GET, HEAD',
  timeout: 'Folio computation timed out',
  account_already_exists: 'An account already exists with this configuration',
  plan_stale: 'The underlying data of the plan has changed; create a new plan',
  conflict: 'The system is busy',
  payload_too_large: 'The request body must be at most 1048576 bytes, but is 2000000 bytes',
  headers_too_large: 'The head of the request is over 16 KiB',
  rate_limited: 'Too many requests; try again in 1 s',
  swap_quote_failed: `No quote for ${example.usdc} -> 0x4200000000000000000000000000000000000006 on base`,
  world_lost: 'The world wld_5t0p9x2m4k1c is lost: the base node ended (SIGKILL)',
  fleet_unavailable: 'The directory of worlds cannot be asked: connect ECONNREFUSED 127.0.0.1:6379',
  internal_error: unexpectedMessage,
}
