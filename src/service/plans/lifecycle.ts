import type { Hex } from 'viem'
import type { NetworkName } from '../../deployments/networks.js'
import { ServiceError } from '../../lib/errors.js'
import type { Ids } from '../../lib/ids.js'
import { isoSeconds, unixSeconds } from '../../time/clock.js'
import { quoteToJson } from '../aggregator/quote.js'
import type { ChangeRecord } from '../context/changes.js'
import { note } from '../context/requestContext.js'
import * as rewardsJson from '../rewards/json.js'
import type { AccountRecord, NewActivity, PlanRecord } from '../store/store.js'
import { contextsOf, planDetails, planDigest } from './assembly/details.js'
import { pendingItem } from './execute/activityItems.js'
import { balanceKey, findCause } from './execute/cause.js'
import { checkExecutable, PlanStale } from './execute/executable.js'
import type { Submission } from './execute/execution.js'
import {
  createExecutions,
  type ExecuteVia,
  type ExecutionParts,
  type Executions,
  kindOf,
} from './execute/executions.js'
import { recordedIntent } from './execute/recordedIntent.js'
import { intentToJson } from './model/amount.js'
import type { PlanKind } from './model/kind.js'
import { assemble, type PlanSources, withinTimeout } from './prepare/assemble.js'
import { conflictOf } from './prepare/conflicts.js'
import { undeployable } from './prepare/deployable.js'
import { executionsOf } from './prepare/progress.js'
import { simulatePlan } from './prepare/simulate.js'
import { feeTaken } from './prepare/transferFees.js'
import type { ExecuteAnswer, PlanService } from './service.js'

/** A plan lives two minutes (interface.md, "Limits"). */
const planLifetimeMs = 120_000

/** Everything the life of a plan needs. */
export interface LifecycleParts extends PlanSources, ExecutionParts {
  ids: Ids
  changes: ChangeRecord
  /** Networks whose tokens are their makers' own. */
  forked?: { has(network: NetworkName): boolean }
}

/** The plan service as its owner holds it. */
export interface PlanLifecycle extends PlanService, Omit<Executions, 'begin'> {
  execute(
    account: AccountRecord,
    request: { planId: string; signature: string },
    via?: ExecuteVia,
  ): Promise<ExecuteAnswer>
}

/** Creates, checks and carries out plans: the only place that both reads the networks and sends. */
export function createPlanService(parts: LifecycleParts): PlanLifecycle {
  const { begin, ...executions } = createExecutions(parts)
  return {
    ...executions,
    create: (kindName, account, intent) => create(parts, kindOf(parts, kindName), account, intent),
    async execute(account, request, via) {
      const plan = await alivePlan(parts, account, request.planId)
      const { submissions, activity } = await consume(parts, account, plan, request.signature)
      const signature = request.signature as Hex // or it would have been refused
      const { planId } = plan
      const { activityId: activity_id, intentId: svc_intent_id } = activity
      note({ type: 'activity', activity_id, plan_id: planId, svc_intent_id, status: 'pending' })
      const recorded = await parts.store.activity(account.accountId, activity.activityId)
      begin({ account, plan, signature, activity: recorded! }, submissions, via)
      return {
        plan_id: plan.planId,
        svc_intent_id: activity.intentId!,
        activity_id: activity.activityId,
        status: 'executing',
      }
    },
  }
}

/** Checks the plan and takes it out of the store, with no execution in between that the check has not seen. */
async function consume(
  parts: LifecycleParts,
  account: AccountRecord,
  plan: PlanRecord,
  signature: string,
): Promise<{ submissions: Submission[]; activity: NewActivity }> {
  const { planId } = plan
  const wallet = account.walletAddress
  for (;;) {
    const underWay = await executionsOf(parts.store, wallet)
    const checked = checkExecutable(parts, account, plan, signature, underWay)
    const submissions = await checked.catch(async (refusal) => {
      // Executed by another call meanwhile, it is gone; that its nonces are used follows from it.
      await alivePlan(parts, account, planId)
      if (refusal instanceof PlanStale) note(refusal.note)
      throw refusal
    })
    const activity = pendingActivity(parts, account, plan)
    note({ type: 'signature', plan_id: planId, signer: account.signerAddress })
    const seen = underWay.map((execution) => execution.activity.activityId)
    const consumed = await parts.store.consumePlan(planId, wallet, activity, signature as Hex, seen)
    if (consumed === 'consumed') return { submissions, activity }
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

async function create(
  parts: LifecycleParts,
  kind: PlanKind,
  account: AccountRecord,
  intent: unknown,
) {
  const { clock, store } = parts
  const wallet = account.walletAddress
  // Whole seconds, so that `expires_at` says the very instant.
  const createdAtMs = unixSeconds(clock) * 1000
  const from = parts.changes.position()
  const nonceCounts = await store.nonceCounts(wallet)
  const underWay = await executionsOf(store, wallet)
  const request = { kind, intent, account, known: { nonceCounts, underWay } }
  const built = await assemble(parts, request)
  const { planned, spends, quotes, rewards, states } = built
  const operations = planned.map((item) => item.operation)
  const simulating = Promise.all([
    simulatePlan(parts, wallet, planned),
    conflictOf(parts, account, planned, underWay),
    feeTaken(parts, wallet, built),
    undeployable(parts, wallet, planned, states),
  ])
  // Hashing goes on while the nodes run the operations.
  const digest = planDigest(operations, wallet)
  const details = planDetails(planned, {
    wallet,
    digest,
    digestOnly: kind.digestOnly ?? false,
    book: parts.book,
  })
  const [outcomes, broken, fee, obstacle] = await withinTimeout(simulating, parts.readTimeoutMs)
  if (obstacle !== undefined)
    throw new ServiceError('plan_failed', obstacle, {
      hint: 'execute a plan on a network before you impersonate the wallet there; anvil_setNonce to 0x0 over /rpc, a restore or a reset lets it be deployed again',
    })
  if (fee !== undefined) throw new ServiceError('plan_failed', fee)
  for (const outcome of outcomes)
    if (outcome) {
      const why = kind.explain?.(outcome, intent, parts.book)
      const text = `the plan would revert: ${outcome.reason}${why ? `: ${why}` : ''}`
      throw new ServiceError('plan_failed', text, {
        hint: `simulated on chain before it was returned; reverted with ${outcome.reason}`,
      })
    }
  if (broken !== undefined)
    throw new ServiceError('plan_failed', broken, {
      hint: 'wait for that activity to end, or request less',
    })
  const plan: PlanRecord = {
    planId: parts.ids.plan(),
    accountId: account.accountId,
    kind: kind.kind,
    intent: intentToJson(intent),
    quotes: quotes.map(quoteToJson),
    rewards: rewards.map(rewardsJson.claimToJson),
    details,
    operations,
    spends,
    digest: digest.digest,
    nonceCounts: Object.fromEntries(
      operations.map(({ network }) => [network, states.get(network)!.nonceCount]),
    ),
    createdAtMs,
    expiresAtMs: createdAtMs + planLifetimeMs,
  }
  await store.dropExpiredPlans(clock.now())
  await store.savePlan(plan)
  const seen = spends.flatMap(({ network, symbol }) => {
    const held = states.get(network)?.balances.get(symbol)
    return held === undefined ? [] : [[balanceKey(network, symbol), `${held}`] as const]
  })
  parts.changes.planMade(plan.planId, { from, seen: Object.fromEntries(seen) })
  const { planId: plan_id, accountId: account_id } = plan
  note({ type: 'plan', plan_id, account_id, kind: kind.kind, digest: plan.digest, operations })
  return {
    plan_id: plan.planId,
    details,
    expires_at: isoSeconds(plan.expiresAtMs),
  }
}

/** The plan, if the account has it and it is neither consumed nor expired. */
async function alivePlan(
  { store, clock }: LifecycleParts,
  account: AccountRecord,
  planId: string,
): Promise<PlanRecord> {
  const plan = await store.plan(account.accountId, planId)
  if (!plan) throw planNotFound(planId)
  if (plan.expiresAtMs <= clock.now()) throw planExpired(plan)
  return plan
}

function pendingActivity(
  parts: LifecycleParts,
  account: AccountRecord,
  plan: PlanRecord,
): NewActivity {
  const { clock, ids } = parts
  const nowMs = clock.now()
  const contexts = contextsOf(plan)
  return {
    activityId: ids.activity(),
    accountId: account.accountId,
    planId: plan.planId,
    intentId: ids.intent(),
    svcIntent: recordedIntent(kindOf(parts, plan.kind), plan, account.walletAddress),
    status: 'pending',
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    metadata: plan.operations.map((operation, i) =>
      pendingItem({ operation, context: contexts[i]!, wallet: account.walletAddress, nowMs }),
    ),
  }
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
