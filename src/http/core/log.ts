import type { NetworkName } from '../../deployments/networks.js'

/** Where the HTTP layer writes what does not belong on the wire. */
export interface HttpLog {
  debug(message: string): void
  error(message: string, cause: unknown): void
  /** Told of each request when it has been answered; without it nothing is gathered. */
  request?(line: RequestLine): void
  /** Told of what happens apart from an answer. */
  happened?(event: LogEvent): void
}

/** A fault rule fired, an activity failed, or a bridge is stuck: its deposit is not going to be filled. */
export type LogEvent = {
  /** The id of the world in which it happened, where it was not the first. */
  world?: string
} & (
  | {
      type: 'fault'
      /** The id of the rule. */
      fault: string
      /** Such as `execute.revert`. */
      effect: string
      /** Of the request on whose behalf it fired. */
      request_id: string | null
    }
  | {
      type: 'activity_failed'
      activity_id: string
      account_id: string
      reason: string | null
      /** Ids of the fault rules that made it fail; absent when none did. */
      faults?: string[]
    }
  | {
      type: 'bridge_stuck'
      from: NetworkName
      to: NetworkName
      deposit_id: string
      /** Whose wallet made the deposit; null when it is no account's. */
      account_id: string | null
      reason: string
    }
)

/** What a log is told of a request. Keys and tokens are masked. */
export interface RequestLine {
  /** The `x-svc-sim-request-id` of its answer. */
  request_id: string
  method: string
  /** The template of its route, such as `/accounts/:account_id/folio`; `(none)` when no route was reached. */
  route: string
  /** 0 when the connection ended before the head of an answer was out. */
  status: number
  /** From its head to the end of the answer, in milliseconds of the machine. */
  ms: number
  /** Of an error, such as `plan_stale`; `cut` when the connection ended before all of the answer was out. */
  code?: string
  /** The account that its path names, whether there is one or not. */
  account_id?: string
  /** Ids of the fault rules that fired before the answer. */
  faults?: string[]
  /** Its path as the client sent it, without the query. */
  path?: string
  /** Of an error: the message in its answer. */
  message?: string
  /** Whether the journal keeps it, so that `svc-sim why` explains it. */
  explained?: boolean
  /** The id of the world that has answered, where it was not the first. */
  world?: string
}

/**
 * Runs bookkeeping (journal, coverage, log): whatever goes wrong there is logged, and reaches neither the answer nor the process.
 * Undefined when it failed.
 */
export function safely<T>(log: HttpLog, work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    safeLog(log).error(
      'a record of the request could not be kept; its response is not affected',
      error,
    )
    return undefined
  }
}

/** A log that never throws: it may be anybody's. */
export function safeLog(log: HttpLog): HttpLog {
  const quiet = (write: () => void): void => {
    try {
      write()
    } catch {}
  }
  return {
    debug: (message) => quiet(() => log.debug(message)),
    error: (message, cause) => quiet(() => log.error(message, cause)),
    ...(log.request && { request: (line) => quiet(() => log.request?.(line)) }),
    ...(log.happened && { happened: (event) => quiet(() => log.happened?.(event)) }),
  }
}

/** Whatever was thrown, for a log: with its stack where it has one. */
export function stackOf(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
}
