import type { Hex } from 'viem'
import { fromJson, type QuoteJson, toJson } from '../aggregator/quote.js'
import type { BridgeRelayer } from '../bridge/relayer.js'
import type { AddressBook } from '../chain/addressBook.js'
import type { NetworkName } from '../chain/networks.js'
import { UpstreamError } from '../chain/rpc.js'
import { isoSeconds, unixSeconds } from '../clock.js'
import { note } from '../context.js'
import { ServiceError } from '../errors.js'
import type { Ids } from '../ids.js'
import * as rewardsJson from '../rewards/json.js'
import type { NewActivity } from '../store/numbers.js'
import type { AccountRecord, PlanRecord, Store } from '../store/store.js'
import type { Work } from '../work.js'
import { pendingItem } from './activity.js'
import { intentToJson } from './amount.js'
import { contextsOf, planDetails, planDigest } from './details.js'
import { createExecutions, type ExecuteVia, type Executions, kindOf } from './executions.js'
import type { PlanKind } from './kind.js'
import { operationLifetime, type PlannedOperation, sameOperations } from './planner.js'
import { type Submission, submissionsOf } from './relay.js'
import type { ExecuteAnswer, PlanService } from './service.js'
import { diagnoseSignature, isWellFormed } from './signature.js'
import {
  type Arrival,
  type Outcome,
  simulateAfterArrivals,
  simulateOperations,
  simulateTransaction,
} from './simulate.js'
import { assemble, type WorldSources, withinTimeout } from './world.js'

/** A plan lives two minutes (interface.md, "Limits"). */
export const planLifetimeMs = 120_000

/** Everything the life of a plan needs. */
export interface LifecycleParts extends WorldSources {
  store: Store
  ids: Ids
  bridge: BridgeRelayer
  kinds: readonly PlanKind[]
  /** Runs an execution as work under way. */
  track: Work['run']
  /** Told when following an execution failed for a reason that is not the chain's. */
  onError(message: string, cause: unknown): void
}

/** The errors with which a wallet refuses a signature (contracts/wallet). */
const signatureErrors = ['BadSignatory', 'InvalidSignature', 'InvalidEIP1271Signature']

/** The plan service as its owner holds it. */
export interface PlanLifecycle extends PlanService, Omit<Executions, 'begin'> {
  execute(
    account: AccountRecord,
    request: { planId: string; signature: string },
    via?: ExecuteVia,
  ): Promise<ExecuteAnswer>
}

/** Creates, checks and carries out plans: the only place that both reads the world and sends. */
export function createPlanService(parts: LifecycleParts): PlanLifecycle {
  const { begin, ...executions } = createExecutions(parts)
  return {
    ...executions,
    create: (kindName, account, intent) => create(parts, kindOf(parts, kindName), account, intent),
    async execute(account, request, via) {
      const plan = await alivePlan(parts, account, request.planId)
      const submissions = await checkExecutable(parts, account, plan, request.signature)
      const signature = request.signature as Hex // or it would have been refused
      const activity = pendingActivity(parts, account, plan)
      const { planId } = plan
      const wallet = account.walletAddress
      note({ type: 'signature', plan_id: planId, signer: account.signerAddress })
      const consumed = await parts.store.consumePlan(planId, wallet, activity, signature)
      if (consumed === 'not_found') throw planNotFound(plan.planId)
      if (consumed === 'stale')
        throw planStale('another plan of this wallet was executed meanwhile')
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
  const nonceCounts = await store.nonceCounts(wallet)
  const { planned, quotes, rewards } = await assemble(parts, {
    kind,
    intent,
    account,
    stamp: { nonceCounts },
  })
  const operations = planned.map((item) => item.operation)
  const simulating = simulate(parts, account, planned)
  // Hashing goes on while the nodes run the operations.
  const digest = planDigest(operations, wallet)
  const details = planDetails(planned, wallet, digest, kind.digestOnly ?? false)
  for (const outcome of await withinTimeout(simulating, parts.readTimeoutMs))
    if (outcome)
      throw new ServiceError('plan_failed', `the plan would revert: ${outcome.reason}`, {
        hint: `simulated on chain before it was returned; reverted with ${outcome.reason}`,
      })
  const plan: PlanRecord = {
    planId: parts.ids.plan(),
    accountId: account.accountId,
    kind: kind.kind,
    intent: intentToJson(intent),
    quotes: quotes.map(toJson),
    rewards: rewards.map(rewardsJson.toJson),
    details,
    operations,
    digest: digest.digest,
    nonceCounts: Object.fromEntries(operations.map((op) => [op.network, nonceCounts[op.network]])),
    createdAtMs,
    expiresAtMs: createdAtMs + planLifetimeMs,
  }
  await store.dropExpiredPlans(clock.now())
  await store.savePlan(plan)
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
  if (plan.expiresAtMs <= clock.now())
    throw planNotFound(planId, `it expired at ${isoSeconds(plan.expiresAtMs)}`)
  return plan
}

/**
 * Staleness first, then the signature (service-facts section 11). The world is read and the signed transaction is tried
 * side by side, so that the usual case costs one round trip.
 */
async function checkExecutable(
  parts: LifecycleParts,
  account: AccountRecord,
  plan: PlanRecord,
  signature: string,
): Promise<Submission[]> {
  const submissions = isWellFormed(signature) ? submissionsOf(account, plan, signature) : []
  const checking = Promise.all([
    findStaleness(parts, account, plan),
    Promise.all(
      submissions
        .filter(({ contingent }) => !contingent)
        .map(({ network, call }) => simulateTransaction(parts.nodes.get(network), call)),
    ),
  ])
  const [staleness, outcomes] = await withinTimeout(checking, parts.readTimeoutMs).catch(
    executionFailed,
  )
  if (staleness !== undefined) throw planStale(staleness)
  const reverted = outcomes.find((outcome) => outcome !== undefined)
  if (submissions.length > 0 && !reverted) return submissions
  const refused =
    !reverted || signatureErrors.some((name) => reverted.reason.startsWith(`${name}(`))
  if (!refused) throw planStale(`it would revert now: ${reverted.reason}`)
  // The signature is wrong; the plan may be stale all the same, which is said first.
  const contexts = contextsOf(plan)
  const planned = plan.operations.map((operation, i) => ({ operation, context: contexts[i]! }))
  const unsigned = (await simulate(parts, account, planned)).find((outcome) => outcome)
  if (unsigned) throw planStale(`it would revert now: ${unsigned.reason}`)
  throw new ServiceError('internal_error', 'Signature verification failed', {
    hint: await diagnoseSignature(signature, plan.digest, account),
  })
}

/** Reads the world again, builds again and compares. Returns what changed, or undefined. */
async function findStaleness(
  parts: LifecycleParts,
  account: AccountRecord,
  plan: PlanRecord,
): Promise<string | undefined> {
  const nonceCounts = await parts.store.nonceCounts(account.walletAddress)
  const moved = plan.operations.find(
    (op) => nonceCounts[op.network] !== plan.nonceCounts[op.network],
  )
  if (moved) return `another plan of this wallet was executed on ${moved.network} since`
  const kind = kindOf(parts, plan.kind)
  const intent = kind.schema.parse(plan.intent)
  try {
    const stamp = { nonceCounts, issuedAt: plan.operations[0]!.expiry - operationLifetime }
    const offers = {
      quotes: (plan.quotes as QuoteJson[]).map(fromJson),
      rewards: ((plan.rewards ?? []) as rewardsJson.RewardClaimJson[]).map(rewardsJson.fromJson),
    }
    const { planned } = await assemble(parts, { kind, intent, account, stamp }, offers)
    const rebuilt = planned.map((item) => item.operation)
    return sameOperations(rebuilt, plan.operations)
      ? undefined
      : 'the same request would give other operations now'
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'plan_failed') return error.message
    throw error
  }
}

/** Runs the operations without a signature, network by network; what waits for bridges as if they had delivered. */
function simulate(
  parts: LifecycleParts,
  account: AccountRecord,
  planned: readonly PlannedOperation[],
): Promise<Outcome[]> {
  const wallet = account.walletAddress
  const networks = [...new Set(planned.map(({ operation }) => operation.network))]
  return Promise.all(
    networks.map((network) => {
      const node = parts.nodes.get(network)
      const operations = planned
        .map(({ operation }) => operation)
        .filter((operation) => operation.network === network)
      if (!operations.some((operation) => operation.contingent))
        return simulateOperations(node, wallet, operations)
      return simulateAfterArrivals(node, wallet, operations, {
        arrivals: arrivalsOn(parts.book, network, planned),
        donor: parts.book.on(network).exchange,
      })
    }),
  )
}

/** What the plan's bridges bring to a network. Ether counts as wrapped: the plan turns it into what it needs. */
function arrivalsOn(
  book: AddressBook,
  network: NetworkName,
  planned: readonly PlannedOperation[],
): Arrival[] {
  const chainId = String(book.on(network).chainId)
  return planned
    .map(({ context }) => context)
    .filter((context) => context.action_type === 'BRIDGE')
    .filter((context) => context.destination_chain_id === chainId)
    .map((context) => ({
      token: book.token(network, context.asset_symbol as string)!.address,
      amount: BigInt(context.output_amount as string),
    }))
}

function pendingActivity(
  { clock, ids }: LifecycleParts,
  account: AccountRecord,
  plan: PlanRecord,
): NewActivity {
  const nowMs = clock.now()
  const contexts = contextsOf(plan)
  return {
    activityId: ids.activity(),
    accountId: account.accountId,
    planId: plan.planId,
    intentId: ids.intent(),
    status: 'pending',
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    metadata: plan.operations.map((operation, i) =>
      pendingItem({ operation, context: contexts[i]!, wallet: account.walletAddress, nowMs }),
    ),
  }
}

/** A node that hangs is `timeout` when a plan is made, but execution has no such answer (interface.md, `plan/execute`). */
function executionFailed(cause: unknown): never {
  if (!(cause instanceof ServiceError) || cause.code !== 'timeout') throw cause
  throw new ServiceError('internal_error', 'Execution failed', {
    hint: `${cause.cause instanceof UpstreamError ? cause.message : 'a node did not answer in time'}; nothing was sent, execute the plan again`,
    cause,
  })
}

function planNotFound(
  planId: string,
  why = 'it does not exist, was executed, or is another account’s',
) {
  return new ServiceError('plan_not_found', `Plan not found: ${planId.slice(0, 80)}`, {
    hint: `${why}; create a new plan`,
  })
}

function planStale(why: string) {
  return new ServiceError(
    'plan_stale',
    'The underlying data of the plan has changed; create a new plan',
    {
      hint: why,
    },
  )
}
