import type { ServiceErrorCode } from './types.js'

/** A call that did not succeed. */
export class SvcError extends Error {
  override readonly name = 'SvcError'
  /** HTTP status; 0 when no answer came. */
  readonly status: number
  readonly code: ServiceErrorCode
  /** What the simulator adds: what was wrong and what to do next. */
  readonly hint: string | undefined
  /** Names the request in the simulator's log and for `svc-sim why`. */
  readonly requestId: string | undefined
  /** What was called, such as `POST /accounts/acc_…/plan/earn`. */
  readonly call: string

  constructor(
    message: string,
    fields: Pick<SvcError, 'status' | 'code' | 'call'> & { headers?: Headers; cause?: unknown },
  ) {
    super(message, { cause: fields.cause })
    this.status = fields.status
    this.code = fields.code
    this.call = fields.call
    this.hint = fields.headers?.get('x-svc-sim-hint') ?? undefined
    this.requestId = fields.headers?.get('x-svc-sim-request-id') ?? undefined
  }
}
