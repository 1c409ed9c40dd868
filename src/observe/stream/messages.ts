import type { ActivityRecord } from '../../service/store/store.js'
import type { WorldFailures } from '../../worlds/workers.js'
import type { RecordedRequest } from '../journal/journal.js'

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

/** The data of each type of entry. `Bodies` are what the OpenAPI documents have under these names. */
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
    /** Hashes of the transactions that are gone. */
    transactions: string[]
  }
  clock: Bodies['Clock']
  fault: {
    change: 'added' | 'removed' | 'fired'
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
    change: 'leased' | 'renewed' | 'ended' | 'lost' | 'failed'
    world: { id: string; lease_until: string }
    reason: string | null
  }
}

/** Counts the failures in the journal and the store. */
export function failuresIn(
  exchanges: readonly RecordedRequest[],
  activities: ReadonlyMap<string, Pick<ActivityRecord, 'status'>>,
): WorldFailures {
  const isRefused = ({ url, answer }: RecordedRequest): boolean =>
    !url.startsWith('/_sim') && answer !== undefined && (answer.cut || answer.status >= 400)
  return {
    failed: [...activities.values()].filter(({ status }) => status === 'failed').length,
    refused: exchanges.filter(isRefused).length,
  }
}
