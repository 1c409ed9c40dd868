import type { Address } from 'viem'
import type { PlanRecord } from '../../store/store.js'
import { contextsOf, detailsVersion } from '../assembly/details.js'
import { operationLifetime } from '../assembly/planner.js'
import type { PlanKind } from '../model/kind.js'
import type { RecordedIntent } from '../model/svcIntents.js'

/** What a stored plan was asked for, as its activity keeps it. */
export function recordedIntent(kind: PlanKind, plan: PlanRecord, wallet: Address): RecordedIntent {
  const asked = kind.svcIntent(kind.schema.parse(plan.intent), contextsOf(plan), wallet)
  const block_timestamp = plan.operations[0]!.expiry - operationLifetime
  return {
    planner_version: detailsVersion,
    ...asked,
    intent: { ...asked.intent, block_timestamp },
  } as RecordedIntent
}
