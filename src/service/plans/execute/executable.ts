import { UpstreamError } from '../../../chain/rpc/rpc.js'
import { dryRun } from '../../../chain/transactions/dryRun.js'
import { ServiceError } from '../../../lib/errors.js'
import { quoteFromText } from '../../aggregator/quote.js'
import type { ChangeRecord } from '../../context/changes.js'
import type { StaleNote } from '../../context/notes.js'
import { rewardFromText } from '../../rewards/updater.js'
import type { ExecutionRecord, PlanRecord, Store } from '../../store/store.js'
import { contextsOf } from '../assembly/details.js'
import { operationLifetime, sameOperations } from '../assembly/planner.js'
import { isWithdrawal } from '../model/contexts.js'
import { assemble, type PlanSources, UsedNonceError, withinTimeout } from '../prepare/assemble.js'
import { conflictOf } from '../prepare/conflicts.js'
import { type SimulationResult, simulatePlan } from '../prepare/simulate.js'
import { findCause, type Staleness, sentenceOf } from './cause.js'
import { type Submission, submissionsOf } from './execution.js'
import type { PlanExecution } from './executions.js'
import { diagnoseSignature, isWellFormed } from './signature.js'

/** What it takes to find out whether a plan can be executed. */
export interface ExecutableParts extends PlanSources {
  store: Pick<Store, 'nonceCounts' | 'accountsOfWallet' | 'activities'>
  changes: ChangeRecord
}

/** The errors with which a wallet refuses a signature (contracts/wallet). */
const signatureErrors = ['BadSignatory', 'InvalidSignature', 'InvalidEIP1271Signature']

/**
 * The transactions of a plan that can be executed. Rejects with `plan_stale` or, for a signature that is not the signer's,
 * `internal_error`: staleness first (service-facts section 11). The networks are read, the signed transactions are tried, and what
 * waits for bridges is run as if they had delivered, all side by side, so that the usual case costs one round trip.
 */
export async function checkExecutable(
  parts: ExecutableParts,
  { account, plan, kind, signature }: PlanExecution,
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
        // With the check of the signature.
        signed.map(({ network, call }) => dryRun(parts.nodes.get(network), call)),
      ),
      simulatePlan(parts, wallet, planned, { contingentOnly: true }),
      conflictOf(parts, account, planned, underWay),
    ]),
  )
  const refuse = async (found: Staleness): Promise<never> => {
    throw new PlanStale(await findCause(parts, account, plan, found))
  }
  if (staleness !== undefined) return refuse(staleness)
  const requireSuccess = async (results: readonly SimulationResult[]): Promise<void> => {
    const reverted = results.find((result) => result !== undefined)
    if (!reverted) return
    const why = kind.explain?.(reverted, kind.schema.parse(plan.intent), parts.book)
    const reason = `it would revert now: ${reverted.reason}${why ? `: ${why}` : ''}`
    await refuse({ reason, by: 'state' })
  }
  await requireSuccess(contingent)
  if (broken !== undefined) return refuse({ reason: broken, by: 'state', among: underWay })
  const reverted = outcomes.find((outcome) => outcome !== undefined)
  if (submissions.length > 0 && !reverted) return submissions
  if (reverted && !signatureErrors.some((name) => reverted.reason.startsWith(`${name}(`)))
    await requireSuccess([reverted])
  // The signature is wrong; the plan may be stale all the same, which is said first.
  await requireSuccess(await inTime(parts, simulatePlan(parts, wallet, planned)))
  throw new ServiceError('internal_error', 'Signature verification failed', {
    hint: await diagnoseSignature(signature, plan.digest, account),
  })
}

/** Reads the networks again, builds again and compares. Returns what changed, or undefined. */
async function findStaleness(
  parts: ExecutableParts,
  { account, plan, kind }: Omit<PlanExecution, 'signature'>,
  underWay: readonly ExecutionRecord[],
): Promise<Staleness | undefined> {
  const consumed = await parts.store.nonceCounts(account.walletAddress)
  const moved = plan.operations.find(
    ({ network }) => consumed[network] > (plan.nonceCounts[network] ?? 0),
  )
  if (moved) {
    const { network } = moved
    return { reason: `its nonce on ${network} is used`, by: 'nonce', network }
  }
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
  try {
    const known = { nonceCounts: { ...consumed, ...nonceCounts }, underWay }
    const request = { kind, intent, account, known }
    const { planned } = await assemble(parts, request, earlier)
    const rebuilt = planned.map((item) => item.operation)
    return sameOperations(rebuilt, plan.operations)
      ? undefined
      : { reason: 'the same request would give other operations now', by: 'state' }
  } catch (error) {
    if (error instanceof UsedNonceError)
      return { reason: error.message, by: 'nonce', network: error.network }
    if (!(error instanceof ServiceError) || error.code !== 'plan_failed') throw error
    return { reason: error.message, by: 'state' }
  }
}

/** What a plan takes out of a yield position; undefined when it takes nothing. No plan has two such actions. */
function withdrawnBy(plan: PlanRecord): bigint | undefined {
  const context = contextsOf(plan).find(isWithdrawal)
  return context && BigInt(context.amount)
}

/** A node that hangs is `timeout` when a plan is made, but execution has no such answer (interface.md, `plan/execute`). */
async function inTime<T>({ readTimeoutMs }: ExecutableParts, work: Promise<T>): Promise<T> {
  try {
    return await withinTimeout(work, readTimeoutMs)
  } catch (cause) {
    if (!(cause instanceof ServiceError) || cause.code !== 'timeout') throw cause
    throw new ServiceError('internal_error', 'Execution failed', {
      hint: `${cause.cause instanceof UpstreamError ? cause.message : 'a node did not respond in time'}; nothing was sent, execute the plan again`,
      cause,
    })
  }
}

/** 409: the networks are not what the plan was made from. Its hint names the culprit that the note tells of. */
export class PlanStale extends ServiceError {
  readonly note: StaleNote
  constructor(note: StaleNote) {
    const message = 'The underlying data of the plan has changed; create a new plan'
    super('plan_stale', message, { hint: sentenceOf(note) })
    this.note = note
  }
}
