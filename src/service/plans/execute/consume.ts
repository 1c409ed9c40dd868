import type { Address, Hex } from 'viem'
import { NotRecordedError, UpstreamError } from '../../../chain/rpc/rpc.js'
import { dryRun } from '../../../chain/transactions/revert.js'
import type { NetworkName } from '../../../deployments/networks.js'
import { ServiceError } from '../../../lib/errors.js'
import type { Ids } from '../../../lib/ids.js'
import { quoteFromText } from '../../aggregator/quote.js'
import type { Ledger } from '../../context/ledger.js'
import { note, type StaleNote } from '../../context/requestContext.js'
import { rewardFromText } from '../../rewards/updater.js'
import type {
  AccountRecord,
  ActivityRecord,
  ConsumeResult,
  ExecutionRecord,
  NewActivity,
  PlanRecord,
  Store,
} from '../../store/store.js'
import { contextsOf, detailsVersion } from '../assembly/details.js'
import { shortfallOf } from '../assembly/funding.js'
import { operationLifetime, sameOperations } from '../assembly/planner.js'
import { isWithdrawal } from '../model/contexts.js'
import { kindOf, type PlanKind } from '../model/kind.js'
import type { RecordedIntent } from '../model/svcIntents.js'
import { assemble, type PlanSources, UsedNonceError, withinTimeout } from '../prepare/assemble.js'
import type { planCheck } from '../prepare/planCheck.js'
import { conflictOf, type SimulationResult, simulatePlan } from '../prepare/simulate.js'
import { pendingItem } from './activityLog.js'
import { findCause, type Staleness } from './cause.js'
import { lackText, sentenceOf } from './causeSentence.js'
import { isWellFormed, type Submission, submissionsOf } from './execution.js'
import type { PlanExecution } from './executions.js'
import { notThere, planExpired, planOf } from './notFound.js'
import { refusedSwapOf } from './refusedSwap.js'
import { diagnoseSignature } from './signature.js'

export interface ConsumeParts extends PlanSources {
  /** Whether the same request would be refused now. */
  planAgain: ReturnType<typeof planCheck>
  ids: Ids
  store: Store
  ledger: Ledger
  inTurn: <T>(wallet: Address, work: () => Promise<T>) => Promise<T>
}

type CheckParts = Omit<ConsumeParts, 'inTurn'>

/**
 * Checks a plan and removes it from the store. Executions of one wallet do so in turn, so each check sees all that may spend the same funds.
 * Resolves to its transactions and its pending activity.
 *
 * @throws `plan_not_found`, `plan_stale`, and `internal_error` for a wrong signature.
 */
export function consume(
  parts: ConsumeParts,
  { account, kind, signature, sent = signature, plan: { planId } }: PlanExecution,
): Promise<{ submissions: Submission[]; activity: ActivityRecord }> {
  const { store } = parts
  const wallet = account.walletAddress
  return parts.inTurn(wallet, async () => {
    const plan = await alivePlan(parts, account, planId)
    const underWay = await store.executions(wallet)
    const submissions = await checkExecutable(
      parts,
      { account, plan, kind, signature, sent },
      underWay,
    ).catch((refusal) => {
      if (refusal instanceof PlanStale) note(refusal.note)
      throw refusal
    })
    const activity = pendingActivity(parts, { account, plan, kind })
    note({ type: 'signature', plan_id: planId, signer: account.signerAddress })
    const consumed = await store.consumePlan(planId, wallet, activity, signature as Hex)
    if (consumed !== 'consumed') throw await notConsumed(parts, account, plan, consumed)
    const recorded = await store.activity(account.accountId, activity.activityId)
    return { submissions, activity: recorded! }
  })
}

/** No cause: the plan could be executed. */
export interface Foreseen {
  cause?: StaleNote
}

/** The longest that somebody who asks about a plan waits for the nodes. Milliseconds. */
const foreseenWithinMs = 5_000

/**
 * Says of a plan why it would be refused as stale now, its expiry aside: the check of an execution, which only reads. Without a cause the plan
 * could be executed. Undefined if a node does not answer, or if the plan or the wallet's executions changed meanwhile.
 */
export function staleCheck(parts: CheckParts & { kinds: readonly PlanKind[] }) {
  const { store } = parts
  const readTimeoutMs = Math.min(parts.readTimeoutMs, foreseenWithinMs)
  const find = async (account: AccountRecord, planId: string): Promise<Foreseen | undefined> => {
    const read = async () => ({
      plan: await store.plan(account.accountId, planId),
      underWay: await store.executions(account.walletAddress),
    })
    const { plan, underWay } = await read()
    if (!plan) return undefined
    const execution = { account, plan, kind: kindOf(parts, plan.kind), signature: '' }
    const refusal = await checkExecutable({ ...parts, readTimeoutMs }, execution, underWay).catch(
      (error: unknown) => error,
    )
    const after = await read()
    const idsOf = (all: readonly ExecutionRecord[]) => all.map((each) => each.plan.planId).join()
    const isSame = after.plan && idsOf(after.underWay) === idsOf(underWay)
    if (!isSame) return undefined
    if (refusal instanceof PlanStale) return { cause: refusal.note }
    // Nothing was signed.
    return refusal instanceof WrongSignature ? {} : undefined
  }
  return (account: AccountRecord, { planId }: Pick<PlanRecord, 'planId'>) =>
    withinTimeout(find(account, planId), readTimeoutMs).catch(() => undefined)
}

/** Why a plan that had been checked was not consumed. */
async function notConsumed(
  parts: ConsumeParts,
  account: AccountRecord,
  plan: PlanRecord,
  why: Exclude<ConsumeResult, 'consumed'>,
): Promise<ServiceError> {
  if (why === 'not_found') return notThere(parts, account, plan.planId)
  if (why === 'expired') return planExpired(parts, account, plan)
  const [{ network }] = plan.operations as [PlanRecord['operations'][number]]
  const reason = `its nonce on ${network} is taken`
  const taken: Staleness = { reason, by: 'nonce', network, isTaken: true }
  const stale = new PlanStale(await findCause(parts, account, plan, taken))
  note(stale.note)
  return stale
}

async function alivePlan(
  parts: Pick<ConsumeParts, 'store' | 'clock' | 'ledger' | 'book'>,
  account: AccountRecord,
  planId: string,
): Promise<PlanRecord> {
  const plan = await planOf(parts, account, planId)
  if (plan.expiresAtMs <= parts.clock.now()) throw await planExpired(parts, account, plan)
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

function recordedIntent(kind: PlanKind, plan: PlanRecord, wallet: Address): RecordedIntent {
  const svcIntent = kind.svcIntent(kind.schema.parse(plan.intent), contextsOf(plan), wallet)
  const block_timestamp = plan.operations[0]!.expiry - operationLifetime
  return {
    planner_version: detailsVersion,
    ...svcIntent,
    intent: { ...svcIntent.intent, block_timestamp },
  } as RecordedIntent
}

/** The errors with which a wallet refuses a signature (contracts/wallet). */
const signatureErrors = ['BadSignatory', 'InvalidSignature', 'InvalidEIP1271Signature']

/**
 * Rejects with `plan_stale` or, for a wrong signature, `internal_error`; staleness comes first (service-facts section 11). Three checks run in
 * parallel, so that the usual case costs one round trip: reading the networks, a dry run of the signed transactions, and a simulation of those
 * that wait for bridges.
 */
async function checkExecutable(
  parts: CheckParts,
  { account, plan, kind, signature, sent = signature }: PlanExecution,
  underWay: readonly ExecutionRecord[],
): Promise<Submission[]> {
  const wallet = account.walletAddress
  const contexts = contextsOf(plan)
  const planned = plan.operations.map((operation, i) => ({ operation, context: contexts[i]! }))
  const submissions = isWellFormed(signature) ? submissionsOf(account, plan, signature) : []
  const signed = submissions.filter(({ contingent }) => !contingent)
  const [staleness, outcomes, contingent, broken] = await inTime(
    parts,
    Promise.all([
      findStaleness(parts, { account, plan, kind }, underWay),
      Promise.all(
        // The dry run also checks the signature.
        signed.map(({ network, call }) => dryRun(parts.nodes.get(network), call)),
      ),
      simulatePlan(parts, wallet, planned, { contingentOnly: true }),
      underWay.length > 0 ? conflictOf(parts, account, planned, underWay) : undefined,
    ]),
  )
  const refuse = async (found: Staleness): Promise<never> => {
    const again = !found.among && (await isRefusedAgain(parts, account, plan))
    throw new PlanStale(await findCause(parts, account, plan, { ...found, isRefused: again }))
  }
  if (staleness !== undefined) return refuse(staleness)
  const requireSuccess = async (results: readonly SimulationResult[]): Promise<void> => {
    const reverted = results.find((result) => result !== undefined)
    if (!reverted) return
    const swap = refusedSwapOf(reverted.reason, plan, parts.book)
    const why = swap?.says ?? kind.explain?.(reverted, kind.schema.parse(plan.intent), parts.book)
    const reason = `it would revert now: ${reverted.reason}${why ? `: ${why}` : ''}`
    await refuse({ reason, by: 'state', swap })
  }
  await requireSuccess(contingent)
  if (broken !== undefined) return refuse({ reason: broken, by: 'state', among: underWay })
  const reverted = outcomes.find((outcome) => outcome !== undefined)
  if (submissions.length > 0 && !reverted) return submissions
  if (reverted && !signatureErrors.some((name) => reverted.reason.startsWith(`${name}(`)))
    await requireSuccess([reverted])
  // The signature is wrong, but the plan may also be stale, which is reported first.
  await requireSuccess(await inTime(parts, simulatePlan(parts, wallet, planned)))
  const isChanged = sent !== signature
  // If the client's own signature is wrong as well, the error is about that one.
  if (isChanged) await checkExecutable(parts, { account, plan, kind, signature: sent }, underWay)
  throw new WrongSignature(await diagnoseSignature(signature, plan.digest, account), isChanged)
}

/** The wallet contract refuses the signature. `isChanged`: it accepts the one that the client sent. */
export class WrongSignature extends ServiceError {
  readonly isChanged: boolean
  constructor(hint: string, isChanged: boolean) {
    super('internal_error', 'Signature verification failed', { hint })
    this.isChanged = isChanged
  }
}

/** Whether a new plan for the same request would be refused; false where that is unknown, as for rewards, which only a plan has posted. */
async function isRefusedAgain(
  { planAgain }: CheckParts,
  account: AccountRecord,
  { kind, intent, rewards = [] }: PlanRecord,
): Promise<boolean> {
  return rewards.length === 0 && (await planAgain(account, { kind, body: intent })).isRefused
}

/** Reads the networks again, rebuilds the plan and compares. Returns what changed, or undefined. */
async function findStaleness(
  parts: CheckParts,
  { account, plan, kind }: Omit<PlanExecution, 'signature'>,
  underWay: readonly ExecutionRecord[],
): Promise<Staleness | undefined> {
  const consumed = await parts.store.nonceCounts(account.walletAddress)
  const intent = kind.schema.parse(plan.intent)
  const { nonceCounts } = plan
  const earlier = {
    quotes: plan.quotes.map(quoteFromText),
    rewards: (plan.rewards ?? []).map(rewardFromText),
    issuedAt: plan.operations[0]!.expiry - operationLifetime,
    nonceCounts,
    spends: plan.spends ?? [],
    withdrawn: withdrawnBy(plan),
  }
  const request = { kind, intent, account }
  /** The same request would have other nonces; it may lack what another plan has spent. */
  const withUsedNonce = async (
    reason: string,
    network: NetworkName,
    isTaken?: true,
  ): Promise<Staleness> => {
    const known = { nonceCounts: consumed, underWay }
    const anew = assemble(parts, { ...request, known }, { ...earlier, nonceCounts: {} })
    const error = await anew.then(
      () => undefined,
      (refusal: unknown) => refusal,
    )
    const short = shortfallOf(error, account.accountId, plan.spends)
    const lack = short ? `; a new plan ${lackText(short)}` : ''
    const taken = isTaken && { isTaken }
    return { reason: `${reason}${lack}`, by: 'nonce', network, short, ...taken }
  }
  const moved = plan.operations.find(
    ({ network }) => consumed[network] > (plan.nonceCounts[network] ?? 0),
  )
  if (moved) return withUsedNonce(`its nonce on ${moved.network} is taken`, moved.network, true)
  try {
    const known = { nonceCounts: { ...consumed, ...nonceCounts }, underWay }
    const { planned } = await assemble(parts, { ...request, known }, earlier)
    const rebuilt = planned.map((item) => item.operation)
    return sameOperations(rebuilt, plan.operations)
      ? undefined
      : { reason: 'the same request would give other operations now', by: 'state' }
  } catch (error) {
    if (error instanceof UsedNonceError) return withUsedNonce(error.message, error.network)
    if (!(error instanceof ServiceError) || error.code !== 'plan_failed') throw error
    const short = shortfallOf(error, account.accountId, plan.spends)
    const reason = short ? `it ${lackText(short)}` : error.message
    return { reason, by: 'state', short }
  }
}

/** The amount that a plan withdraws from a yield position; undefined for none. No plan has two such actions. */
function withdrawnBy(plan: PlanRecord): bigint | undefined {
  const context = contextsOf(plan).find(isWithdrawal)
  return context && BigInt(context.amount)
}

/** A hanging node is a `timeout` when a plan is made, but execution has no such answer (interface.md, `plan/execute`). */
async function inTime<T>({ readTimeoutMs }: CheckParts, work: Promise<T>): Promise<T> {
  try {
    return await withinTimeout(work, readTimeoutMs)
  } catch (cause) {
    if (!(cause instanceof ServiceError) || cause.code !== 'timeout') throw cause
    const { cause: why } = cause
    if (!(why instanceof UpstreamError))
      throw new ServiceError('internal_error', 'Execution failed', {
        hint: 'a node did not respond in time; nothing was sent, execute the plan again',
        cause,
      })
    throw new ServiceError('internal_error', `Execution failed: ${why.message}`, {
      hint:
        why instanceof NotRecordedError
          ? 'nothing was sent; to execute the plan again fails in the same way, so first do what the message says'
          : 'nothing was sent; execute the plan again when the endpoint responds',
      cause,
    })
  }
}

/** 409: the networks have changed since the plan was made. Its hint names the cause from the note. */
class PlanStale extends ServiceError {
  readonly note: StaleNote
  constructor(note: StaleNote) {
    const message = 'The underlying data of the plan has changed; create a new plan'
    super('plan_stale', message, { hint: sentenceOf(note) })
    this.note = note
  }
}
