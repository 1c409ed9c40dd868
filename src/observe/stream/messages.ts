/** How far a run of a scenario is: sent as each of its parts begins, and at its end. */
export interface RunProgress {
  name: string
  /** Counts the runs of this process. */
  run: number
  state: 'running' | 'passed' | 'failed'
  /** The part that has begun, as `steps` names it; at the end the one that failed, or null. */
  where: string | null
  message: string | null
  steps: readonly string[]
}

/** The data of each type of entry. `Bodies` are what the OpenAPI documents have under these names. The dashboard imports this file: it may not import Node. */
export interface EntryData<
  Bodies extends Record<'Exchange' | 'Event' | 'Clock' | 'Fault', unknown>,
> {
  exchange: Bodies['Exchange']
  event: Bodies['Event'] & { account_id: string; cursor: number }
  block: {
    network: string
    number: number
    hash: string
    parent_hash: string
    /** ISO 8601. */
    time: string
    /** Hashes. */
    transactions: string[]
  }
  clock: Bodies['Clock']
  fault: {
    change: 'added' | 'removed' | 'fired' | 'ended'
    fault: Bodies['Fault']
    request_id: string | null
  }
  /** Null for a reset. */
  snapshot: {
    change: 'taken' | 'restored' | 'deleted' | 'reset'
    snapshot: { id: string; name: string | null } | null
    request_id: string | null
  }
  scenario: RunProgress
  world: {
    change: 'leased' | 'renewed' | 'ended' | 'lost' | 'failed' | 'passed'
    world: { id: string; lease_until: string }
    reason: string | null
  }
}
