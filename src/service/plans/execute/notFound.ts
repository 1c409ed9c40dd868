import type { AddressBook } from '../../../deployments/addressBook.js'
import { ServiceError } from '../../../lib/errors.js'
import type { Ledger } from '../../context/ledger.js'
import { note } from '../../context/requestContext.js'
import type { AccountRecord, PlanRecord, Store } from '../../store/store.js'
import { executedIn, expiryCause, overtakenBy, undoneCause } from './cause.js'
import { afterExecuted, lookFirst, ranText, sentenceOf } from './causeSentence.js'

interface Parts {
  store: Store
  ledger: Ledger
  book: AddressBook
}

/** The plan, if it belongs to the account and was not consumed; it may have expired. */
export async function planOf(
  parts: Parts,
  account: AccountRecord,
  planId: string,
): Promise<PlanRecord> {
  const plan = await parts.store.plan(account.accountId, planId)
  return plan ?? notThere(parts, account, planId)
}

/** What to do when a plan is not there any more. */
async function createNew(
  parts: Omit<Parts, 'book'>,
  account: AccountRecord,
  planId: string,
  madeMs?: number,
): Promise<string> {
  const entries = parts.ledger.after(planId)
  const since = entries && executedIn(entries, account)
  const overtaken = await overtakenBy(parts, account, { planId, since, madeMs })
  const step = 'create a new plan'
  return overtaken ? `${sentenceOf(overtaken)}; ${lookFirst(overtaken, step)}` : step
}

/** Throws for a plan that was executed, which names its activity, that expired and was removed, or that never was one of the account. */
export async function notThere(
  parts: Parts,
  account: AccountRecord,
  planId: string,
): Promise<never> {
  const activities = await parts.store.activities(account.accountId)
  const activity = activities.find((each) => each.planId === planId)
  if (activity) {
    const { activityId: activity_id } = activity
    const about = { cause: 'executed', activity_id, by_plan: planId } as const
    note({ type: 'stale', plan_id: planId, reason: 'the plan was executed before', ...about })
    if (activity.status !== 'failed') throw planNotFound(planId, afterExecuted(activity_id))
    const step = await createNew(parts, account, planId, activity.createdAtMs)
    throw planNotFound(planId, `${ranText({ activity_id })}, which failed; ${step}`)
  }
  const life = parts.ledger.since(planId)?.life
  // Each new plan removes those that have expired.
  if (life?.accountId === account.accountId)
    throw await planExpired(parts, account, { planId, ...life })
  const undone = parts.ledger.undone(planId)
  const cause = undone && undoneCause(undone, planId)
  if (cause) note(cause)
  const why = cause ? sentenceOf(cause) : neverThere
  throw planNotFound(planId, `${why}; ${await createNew(parts, account, planId)}`)
}

/** 404 for a plan whose time is over, perhaps by a fault rule. */
export async function planExpired(
  parts: Parts,
  account: AccountRecord,
  plan: Pick<PlanRecord, 'planId' | 'createdAtMs' | 'expiresAtMs'>,
): Promise<ServiceError> {
  const { planId, createdAtMs } = plan
  const cause = expiryCause(parts.ledger, parts.book, plan)
  note(cause)
  const step = await createNew(parts, account, planId, createdAtMs)
  return planNotFound(planId, `${sentenceOf(cause)}; ${step}`)
}

const neverThere =
  'this account never had it, or it expired and was removed; no activity has its plan_id, so it did not run'

function planNotFound(planId: string, hint: string) {
  return new ServiceError('plan_not_found', `Plan not found: ${planId.slice(0, 80)}`, { hint })
}
