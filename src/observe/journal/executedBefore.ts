import { formatUnits } from 'viem/utils'
import { jsonOrText } from '../../lib/json.js'
import { withTextAmounts } from '../../lib/textAmounts.js'
import type { Shortfall, StaleCause } from '../../service/context/requestContext.js'
import { planKinds } from '../../service/plans/kinds/index.js'
import { isWithdrawal, type PlannedContext } from '../../service/plans/model/contexts.js'
import { askedFor } from '../../service/store/state.js'
import type {
  AccountRecord,
  ActivityRecord,
  ActivityStatus,
  UnreadExecution,
} from '../../service/store/store.js'
import { noteOf, type RecordedRequest } from './journal.js'
import { livesOf } from './lives.js'
import type { WhySources } from './whySchema.js'

/** An execution of the wallet that did not fail, and the request that asked for it, if the journal has it. */
interface Execution {
  activity: ActivityRecord
  request: RecordedRequest | undefined
  /** Set while its client has not got the response. */
  unread: UnreadExecution | undefined
}

/** A request for a plan. */
export interface Asked {
  kind: string
  /** As it was sent, or as the plan has it. */
  body: unknown
}

/** The request that a plan was made for, as far as the store or the journal still has it. */
export async function planRequestOf(
  planId: string,
  { accountId }: Pick<AccountRecord, 'accountId'>,
  { journal, store }: WhySources,
): Promise<Asked | undefined> {
  const plan = await store.plan(accountId, planId)
  if (plan) return { kind: plan.kind, body: plan.intent }
  const { undoneBy } = livesOf(journal.marks())
  const all = journal.all().flatMap(({ body, notes }) =>
    notes.flatMap((timed) => {
      const note = timed.text.includes(planId) ? noteOf(timed) : undefined
      const isMade = note?.type === 'plan' && note.plan_id === planId
      return isMade ? [{ kind: note.kind, body: jsonOrText(body ?? ''), order: timed.order }] : []
    }),
  )
  return all.findLast(({ order }) => !undoneBy(order)) ?? all.at(-1)
}

/** Those whose response did not reach the client, which may have asked for the same again: an unknown request may be that of each. */
export async function lostExecutions(
  asked: Asked | undefined,
  account: AccountRecord,
  sources: WhySources,
): Promise<StaleCause[]> {
  const all = await executionsOf(account, sources)
  return all.filter(({ unread }) => unread && isFor(asked, unread)).map(causeOf)
}

/** Whether an execution was asked for by such a request. One that the service refuses as malformed may be meant for any of its kind. */
function isFor(asked: Asked | undefined, { asked: executed }: UnreadExecution): boolean {
  if (!asked) return true
  const [kind] = JSON.parse(executed) as [string]
  const read = planKinds.find((each) => each.kind === asked.kind)?.schema.safeParse(asked.body)
  if (kind !== asked.kind || !read?.success) return kind === asked.kind
  return askedFor({ kind, intent: withTextAmounts(read.data) }) === executed
}

/**
 * What may have done already what a refused request for a plan was for: executions that took the money that it lacked (`short`), of the same request
 * whose response was lost, that took the money that it would lack now (`lacks`), or that came after it.
 */
export async function executedFor(
  {
    order,
    asked,
    short,
    lacks,
  }: { order: number; asked: Asked; short?: Shortfall; lacks?: Shortfall },
  account: AccountRecord,
  sources: WhySources,
): Promise<StaleCause | undefined> {
  const all = await executionsOf(account, sources)
  const later = all.filter(({ request }) => request && request.order > order)
  const before = all.filter((each) => !later.includes(each))
  return firstOf([
    ...(short ? spendersOf(short, before, sources) : []),
    ...all.filter(({ unread }) => unread && isFor(asked, unread)).map(causeOf),
    ...(lacks && !short ? spendersOf(lacks, all, sources) : []),
    ...later.map(causeOf),
  ])
}

/** The confirmed executions of the same request whose responses were lost before this confirmed one. */
export function lostBefore(
  { activityId, status, repeats = [] }: ActivityRecord,
  statusOf: (id: string) => ActivityStatus | undefined,
  unread: WhySources['unread'],
): string[] {
  if (status !== 'confirmed') return []
  const isConfirmed = (id: string) => id !== activityId && statusOf(id) === 'confirmed'
  return repeats.filter((id) => isConfirmed(id) && unread.get(id)?.lost !== undefined)
}

/** The latest of these. */
export async function repeatedBy(
  activity: ActivityRecord,
  sources: WhySources,
): Promise<StaleCause | undefined> {
  if (!activity.repeats) return undefined
  const accounts = await sources.store.allAccounts()
  const account = accounts.find(({ accountId }) => accountId === activity.accountId)
  const all = account ? await executionsOf(account, sources) : []
  const statuses = new Map(all.map((each) => [each.activity.activityId, each.activity.status]))
  const lost = lostBefore(activity, (id) => statuses.get(id), sources.unread)
  return firstOf(all.filter((each) => lost.includes(each.activity.activityId)).map(causeOf))
}

/** The first of several activities to look at. */
export function firstOf(causes: readonly StaleCause[]): StaleCause | undefined {
  const [first] = causes
  const hasOthers = causes.some(
    (each) => each.activity_id !== first?.activity_id || each.has_others,
  )
  return first && { ...first, ...(hasOthers && { has_others: true }) }
}

/** Newest first. */
async function executionsOf(
  { walletAddress }: AccountRecord,
  { journal, store, unread }: WhySources,
): Promise<Execution[]> {
  const { undoneBy } = livesOf(journal.marks())
  const requests = new Map<string, RecordedRequest>()
  for (const request of journal.all())
    for (const timed of request.notes) {
      if (!timed.text.startsWith('{"type":"activity"') || undoneBy(timed.order)) continue
      const note = noteOf(timed)
      if (note.type === 'activity') requests.set(note.activity_id, request)
    }
  const accounts = await store.accountsOfWallet(walletAddress)
  const lists = await Promise.all(accounts.map(({ accountId }) => store.activities(accountId)))
  return lists
    .flat()
    .filter(({ planId, status }) => planId !== null && status !== 'failed')
    .map((activity) => ({
      activity,
      request: requests.get(activity.activityId),
      unread: unread.get(activity.activityId),
    }))
    .sort((one, other) => other.activity.createdAtMs - one.activity.createdAtMs)
}

function causeOf({ activity, request, unread }: Execution): StaleCause {
  const { activityId, planId, createdAtMs, status } = activity
  const isUnknown = unread?.lost && unread.lost.how === undefined
  return {
    ...{ cause: 'plan', reason: '', by_plan: `${planId}`, activity_id: activityId },
    at: new Date(createdAtMs).toISOString(),
    ...(request && { by_request: request.requestId }),
    ...(unread && (isUnknown ? { may_be_lost: true } : { is_lost: true })),
    ...(status === 'pending' && { is_under_way: true }),
  }
}

/** The latest executions without which the account could afford what it lacks now. None if it never could. */
function spendersOf(
  { network, asset, amount }: Shortfall,
  executions: readonly Execution[],
  { book }: WhySources,
): StaleCause[] {
  const { decimals = 0 } = book.token(network, asset) ?? {}
  const { nativeSymbol, wrappedNativeSymbol } = book.on(network)
  const native = [nativeSymbol, wrappedNativeSymbol]
  const forms = native.includes(asset) ? native : [asset]
  const found: StaleCause[] = []
  let sum = 0n
  for (const execution of executions) {
    const units = spentBy(execution.activity, forms)
    if (units === 0n) continue
    found.push({ ...causeOf(execution), spent: `${formatUnits(units, decimals)} ${asset}` })
    sum += units
    if (sum >= BigInt(amount)) return found
  }
  return []
}

function spentBy({ metadata }: ActivityRecord, symbols: readonly string[]): bigint {
  return metadata
    .flatMap((item) => (item.svc_operation_nonce === null ? [] : spendsOf(item.action_context)))
    .filter(([symbol]) => symbols.includes(symbol))
    .reduce((sum, [, amount]) => sum + BigInt(amount), 0n)
}

/** What an operation takes out of the wallet, wherever it goes; a bridge brings it back. */
function spendsOf(context: PlannedContext): [symbol: string, amount: string][] {
  if (isWithdrawal(context)) return []
  switch (context.action_type) {
    case 'BRIDGE':
    case 'WRAP':
    case 'UNWRAP':
    case 'CLAIM_REWARDS':
    case 'UNLOOP_LONG':
    case 'WITHDRAW_BACKING_TOKEN':
      return []
    case 'SWAP':
      return [[context.input_asset_symbol, context.input_amount]]
    case 'LOOP_LONG':
      return [[context.backing_asset_symbol, context.max_provided_backing_amount]]
    case 'ADD_BACKING_TOKEN':
      return [[context.backing_asset_symbol, context.amount]]
    case 'COMET_BORROW':
      return context.collateral_asset_symbols.map((symbol, place) => [
        symbol,
        context.collateral_amounts[place]!,
      ])
    case 'MORPHO_BORROW':
      return [[context.collateral_asset_symbol, context.collateral_amount]]
    default:
      return [[context.asset_symbol, context.amount]]
  }
}
