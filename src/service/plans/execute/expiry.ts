import { isoSeconds } from '../../../time/clock.js'
import type { ChangeRecord } from '../../context/changes.js'
import type { StaleNote } from '../../context/notes.js'
import type { PlanRecord } from '../../store/store.js'

/** The fault rule that made a plan expire before its time; undefined for a plan that has simply expired. */
export function expiryCause(
  changes: Pick<ChangeRecord, 'since'>,
  { planId, expiresAtMs }: PlanRecord,
): StaleNote | undefined {
  const found = changes
    .since(planId)
    ?.changes.find(
      (one) => one.cause === 'fault' && one.plan_id === planId && one.changed === 'expiry',
    )
  if (found?.cause !== 'fault') return undefined
  const { ms, requestId, hashes: _, ...fault } = found
  return {
    ...fault,
    type: 'stale',
    reason: `it expired at ${isoSeconds(expiresAtMs)}`,
    at: new Date(ms).toISOString(),
    ...(requestId && { by_request: requestId }),
  }
}
