import type { RuleView } from '../faults/rules/faultRules.js'
import type { LogEvent } from '../http/core/log.js'
import type { Deposit } from '../service/bridge/deposit.js'
import { currentScope } from '../service/context/requestContext.js'
import { itemName } from '../service/plans/model/activityItem.js'
import type { ActivityRecord } from '../service/store/store.js'

/** A rule that has just fired, for the log. */
export function firedEvent({ id, on, effect, sequence, seen, after }: RuleView): LogEvent {
  const step = effect ?? sequence?.[seen - after - 1] ?? 'sequence'
  const name = typeof step === 'string' ? step : Object.keys(step)[0]
  return {
    type: 'fault',
    fault: id,
    effect: `${on}.${name}`,
    request_id: currentScope()?.requestId ?? null,
  }
}

/** An activity that has failed, for the log. */
export function failedEvent(
  activity: Pick<ActivityRecord, 'metadata'> | undefined,
  accountId: string,
  activityId: string,
): LogEvent {
  const cause = activity?.metadata.find((item) => item.success === false)
  const reason = cause
    ? `${itemName(activity!.metadata, cause)}: ${cause.revert_reason ?? 'no reason given'}`
    : null
  return { type: 'activity_failed', activity_id: activityId, account_id: accountId, reason }
}

/** A deposit that is not going to be filled, for the log. */
export function stuckEvent(
  { from, to, relayData }: Deposit,
  accountId: string | undefined,
  reason: string,
): LogEvent {
  const deposit_id = relayData.depositId.toString()
  return { type: 'bridge_stuck', from, to, deposit_id, account_id: accountId ?? null, reason }
}
