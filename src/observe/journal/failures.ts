import type { ActivityRecord } from '../../service/store/store.js'
import type { WorldFailures } from '../../worlds/workers.js'
import type { RecordedRequest } from './journal.js'

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
