import type { Address, Hex } from 'viem'
import { ServiceError } from '../../../lib/errors.js'
import type { Ids } from '../../../lib/ids.js'
import { isoSeconds } from '../../../time/clock.js'
import { note } from '../../context/requestContext.js'
import type {
  AccountRecord,
  ActivityRecord,
  NewActivity,
  PlanRecord,
  Store,
} from '../../store/store.js'
import { contextsOf, detailsVersion } from '../assembly/details.js'
import { operationLifetime } from '../assembly/planner.js'
import type { PlanKind } from '../model/kind.js'
import type { RecordedIntent } from '../model/svcIntents.js'
import { executionsOf } from '../prepare/progress.js'
import { pendingItem } from './activityItems.js'
import { findCause } from './cause.js'
import { checkExecutable, type ExecutableParts, PlanStale } from './executable.js'
import type { Submission } from './execution.js'
import type { PlanExecution } from './executions.js'

/** What it takes to consume a plan. */
export interface ConsumeParts extends ExecutableParts {
  ids: Ids
  store: Store
}

/**
 * Checks a plan and takes it out of the store, with no execution in between that the check has not seen. Resolves to its
 * transactions and its pending activity.
 *
 * @throws `plan_not_found` for one that is gone, `plan_stale`, and `internal_error` for a wrong signature.
 */
export async function consume(
  parts: ConsumeParts,
  { account, kind, signature, plan: { planId } }: PlanExecution,
): Promise<{ submissions: Submission[]; activity: ActivityRecord }> {
  const { store } = parts
  const wallet = account.walletAddress
  const plan = await alivePlan(parts, account, planId)
  for (;;) {
    const underWay = await executionsOf(store, wallet)
    const checked = checkExecutable(parts, { account, plan, kind, signature }, underWay)
    const submissions = await checked.catch(async (refusal) => {
      // Executed by another call meanwhile, it is gone; that its nonces are used follows from it.
      await alivePlan(parts, account, planId)
      if (refusal instanceof PlanStale) note(refusal.note)
      throw refusal
    })
    const activity = pendingActivity(parts, { account, plan, kind })
    note({ type: 'signature', plan_id: planId, signer: account.signerAddress })
    const seen = underWay.map((execution) => execution.activity.activityId)
    const consumed = await store.consumePlan(planId, wallet, activity, signature as Hex, seen)
    if (consumed === 'consumed') {
      const recorded = await store.activity(account.accountId, activity.activityId)
      return { submissions, activity: recorded! }
    }
    if (consumed === 'not_found') throw planNotFound(planId)
    if (consumed === 'expired') throw planExpired(plan)
    if (consumed === 'stale') {
      const [{ network }] = plan.operations as [PlanRecord['operations'][number]]
      const reason = `its nonce on ${network} is used`
      const refusal = new PlanStale(
        await findCause(parts, account, plan, { reason, by: 'nonce', network }),
      )
      note(refusal.note)
      throw refusal
    }
    // Overtaken by another execution of the wallet, which may need the same: look again.
  }
}

/** The plan, if the account has it and nobody has consumed it; it may have expired. */
export async function planOf(
  { store }: Pick<ConsumeParts, 'store'>,
  account: AccountRecord,
  planId: string,
): Promise<PlanRecord> {
  const plan = await store.plan(account.accountId, planId)
  if (!plan) throw planNotFound(planId)
  return plan
}

async function alivePlan(
  parts: Pick<ConsumeParts, 'store' | 'clock'>,
  account: AccountRecord,
  planId: string,
): Promise<PlanRecord> {
  const plan = await planOf(parts, account, planId)
  if (plan.expiresAtMs <= parts.clock.now()) throw planExpired(plan)
  return plan
}

function pendingActivity(
  { clock, ids }: ConsumeParts,
  { account, plan, kind }: Omit<PlanExecution, 'signature'>,
): NewActivity {
  const nowMs = clock.now()
  const contexts = contextsOf(plan)
  return {
    activityId: ids.activity(),
    accountId: account.accountId,
    planId: plan.planId,
    intentId: ids.intent(),
    svcIntent: recordedIntent(kind, plan, account.walletAddress),
    status: 'pending',
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    metadata: plan.operations.map((operation, i) =>
      pendingItem({ operation, context: contexts[i]!, wallet: account.walletAddress, nowMs }),
    ),
  }
}

/** What a stored plan was asked for, as its activity keeps it. */
function recordedIntent(kind: PlanKind, plan: PlanRecord, wallet: Address): RecordedIntent {
  const asked = kind.svcIntent(kind.schema.parse(plan.intent), contextsOf(plan), wallet)
  const block_timestamp = plan.operations[0]!.expiry - operationLifetime
  return {
    planner_version: detailsVersion,
    ...asked,
    intent: { ...asked.intent, block_timestamp },
  } as RecordedIntent
}

function planExpired({ planId, expiresAtMs }: PlanRecord) {
  return planNotFound(planId, `it expired at ${isoSeconds(expiresAtMs)}`)
}

function planNotFound(
  planId: string,
  why = 'it does not exist, was executed, or is another account’s',
) {
  return new ServiceError('plan_not_found', `Plan not found: ${planId.slice(0, 80)}`, {
    hint: `${why}; create a new plan`,
  })
}
