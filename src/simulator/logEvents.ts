import type { AddressBook } from '../deployments/addressBook.js'
import type { RuleView } from '../faults/rules/faultRules.js'
import type { LogEvent } from '../http/core/log.js'
import type { Journal } from '../observe/journal/journal.js'
import { momentsIn } from '../observe/journal/moments.js'
import type { Deposit } from '../service/bridge/deposit.js'
import { currentScope } from '../service/context/requestContext.js'
import { itemName } from '../service/plans/model/activityItem.js'
import type { EventRecord, Store } from '../service/store/store.js'

export function firedEvent({ id, on }: RuleView, effect: string): LogEvent {
  return {
    type: 'fault',
    fault: id,
    effect: `${on}.${effect}`,
    request_id: currentScope()?.requestId ?? null,
  }
}

/** Logs each failed activity, with the fault rules that caused it. */
export function failureLog(parts: {
  store: Store
  book: AddressBook
  journal: Journal
  happened(event: LogEvent): void
  onError(message: string, cause: unknown): void
}): (event: EventRecord) => void {
  const { store, book, journal, happened, onError } = parts
  const logFailure = async ({ accountId, data: { activity_id } }: EventRecord): Promise<void> => {
    const activity = await store.activity(accountId, activity_id)
    const exchanges = journal
      .all()
      .filter(({ notes }) => notes.some(({ text }) => text.includes(activity_id)))
    const moments = await momentsIn(exchanges, { book, journal })
    const { rulesBehind } = await import('../observe/journal/activityVerdict.js')
    const faults = activity ? rulesBehind(activity, moments) : []
    const cause = activity?.metadata.find((item) => item.success === false)
    const reason = cause
      ? `${itemName(activity!.metadata, cause)}: ${cause.revert_reason ?? 'no reason given'}`
      : null
    happened({
      type: 'activity_failed',
      activity_id,
      account_id: accountId,
      reason,
      ...(faults.length > 0 && { faults }),
    })
  }
  return (event) => {
    if (event.data.activity_status !== 'failed') return
    logFailure(event).catch((error) => onError('a failed activity was not logged', error))
  }
}

/** The deposit will not be filled. */
export function stuckEvent(
  { from, to, relayData }: Deposit,
  accountId: string | undefined,
  reason: string,
): LogEvent {
  const deposit_id = relayData.depositId.toString()
  return { type: 'bridge_stuck', from, to, deposit_id, account_id: accountId ?? null, reason }
}
