/**
 * All errors of the service and the control API: the body is `{ "error": code, "message": text }`. Source: interface.md, "Errors". Our
 * documented additions: the 401 codes, `not_found`, `method_not_allowed`, `payload_too_large`, `headers_too_large`, `rate_limited`,
 * `conflict`, `world_lost`, `no_room` and `forbidden`.
 */
export const problems = {
  invalid_params: { status: 400, when: 'a parameter is missing, malformed or not allowed' },
  plan_failed: {
    status: 400,
    when: 'no valid plan can be generated from the account’s funds and positions',
  },
  no_wallet: { status: 400, when: 'the account has no wallets' },
  missing_auth_header: {
    status: 401,
    when: 'the Authorization header is missing or is not a bearer token',
  },
  invalid_api_key: { status: 401, when: 'the API key is not known' },
  api_key_revoked: { status: 401, when: 'the API key has been revoked' },
  forbidden: {
    status: 403,
    when: 'the Host header names another server, or a foreign page calls the control API',
  },
  account_not_found: {
    status: 404,
    when: 'the account does not exist or belongs to another prime account',
  },
  plan_not_found: { status: 404, when: 'the plan is absent, expired or consumed' },
  not_found: { status: 404, when: 'the resource or route does not exist' },
  method_not_allowed: { status: 405, when: 'the path exists, the method does not' },
  timeout: { status: 408, when: 'the folio computation timed out' },
  account_already_exists: { status: 409, when: 'a sub-account with this signer exists' },
  plan_stale: { status: 409, when: 'the underlying data of the plan changed' },
  conflict: { status: 409, when: 'the state of the simulator does not allow it now' },
  payload_too_large: { status: 413, when: 'the request body is over 1 MiB' },
  headers_too_large: { status: 431, when: 'the head of the request is over 16 KiB' },
  rate_limited: {
    status: 429,
    when: 'a fault rule says so, or no world can be leased now: the simulator has no other limits',
  },
  swap_quote_failed: { status: 422, when: 'no swap quote could be fetched' },
  world_lost: { status: 503, when: 'the leased world has ended under its client' },
  no_room: {
    status: 503,
    when: 'this simulator leases no world now; behind a load balancer, another one may',
  },
  internal_error: { status: 500, when: 'signature verification or execution failed' },
} as const

export type ProblemCode = keyof typeof problems

/** An error response. `message` goes into the body; `hint` goes into the `x-svc-sim-hint` header and the log only. */
export class ServiceError extends Error {
  readonly code: ProblemCode
  readonly hint: string | undefined

  constructor(
    code: ProblemCode,
    message: string,
    options: { hint?: string; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.name = 'ServiceError'
    this.code = code
    this.hint = options.hint
  }

  get status(): number {
    return problems[this.code].status
  }
}

/** The disk refused a write. The same request succeeds once the disk accepts it. */
export class UnwritableError extends ServiceError {
  override name = 'UnwritableError'
  readonly folder: string
  constructor(folder: string, so: string, hint: string, cause: Error) {
    const message = `The data folder ${folder} cannot be written to (${cause.message}); ${so}`
    super('internal_error', message, { hint, cause })
    this.folder = folder
  }
}
