import type { NetworkName } from '../../deployments/networks.js'

/** What the HTTP layer logs. Responses do not carry it. */
export interface HttpLog {
  debug(message: string): void
  error(message: string, cause: unknown): void
  /** Logs each answered request. If absent, the layer collects nothing. */
  request?(line: RequestLine): void
  /** Logs events that belong to no response. */
  happened?(event: LogEvent): void
}

/** A fault rule fired, an activity failed, or a bridge is stuck: its deposit is not going to be filled. */
export type LogEvent = {
  /** The id of the world where it happened; absent for the default world. */
  world?: string
} & (
  | {
      type: 'fault'
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
      /** Ids of the fault rules that caused it; absent if none did. */
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

/** A log line for a request. Keys and tokens are masked. */
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
  /** The account named in its path. It may not exist. */
  account_id?: string
  /** Ids of the fault rules that fired before the answer. */
  faults?: string[]
  /** Its path as the client sent it, without the query. */
  path?: string
  message?: string
  /** Whether the journal has it: then `svc-sim why` explains it. */
  explained?: boolean
  /** The id of the world that answered; absent for the default world. */
  world?: string
}

/**
 * Runs bookkeeping (journal, coverage, log): an error there is logged, and reaches neither the response nor the process. Undefined when it
 * failed.
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

/** Never throws, even if the given log (the user's own) does. */
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

/** Formats anything that was thrown, with its stack if it has one. */
export function stackOf(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
}
