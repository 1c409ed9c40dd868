import type { Address, Hex } from 'viem'
import type { BlockMark } from '../../chain/transactions/follow.js'
import type { NetworkName } from '../../deployments/networks.js'
import type { TextAmounts } from '../../lib/textAmounts.js'
import type { Quote } from '../aggregator/quote.js'
import type { FiredFault } from '../context/requestContext.js'
import type { ActivityItem } from '../plans/model/activityItem.js'
import type { PlanSpend } from '../plans/model/kind.js'
import type { PlanDetails } from '../plans/model/planDetails.js'
import type { RecordedIntent } from '../plans/model/svcIntents.js'
import type { RewardClaim } from '../rewards/updater.js'

/** A sub-account as the service remembers it. Addresses: the signer as it was sent, the wallet in lower case. */
export interface AccountRecord {
  accountId: string
  /** The prime account (API key holder) that owns it. */
  primeId: string
  signerType: 'eoa'
  signerAddress: Address
  walletAddress: Address
  /** ISO 8601, whole seconds. */
  createdAt: string
}

/** One signed unit executed by the wallet. Field names of interface.md. */
export interface OperationRecord {
  network: NetworkName
  nonce: Hex
  isReplayable: boolean
  scriptAddress: Address
  scriptSources: Hex[]
  scriptCalldata: Hex
  /** Unix seconds. */
  expiry: number
  /** Runs only after the bridges of the plan have delivered. */
  contingent?: true
}

/** A stored plan. JSON-safe: amounts inside `intent`, `quotes` and `details` are decimal strings. */
export interface PlanRecord {
  planId: string
  accountId: string
  kind: string
  /** The parsed request body, re-parsed by the kind's schema when the plan is rebuilt. */
  intent: unknown
  /** The quotes that the plan was built from. */
  quotes: TextAmounts<readonly Quote[]>
  /** What rewards distributors let the wallet claim when the plan was built; absent: nothing. */
  rewards?: TextAmounts<readonly RewardClaim[]>
  /** `details` of the answer, verbatim. */
  details: PlanDetails
  operations: OperationRecord[]
  /** What the operations spend; absent: nothing is known of it. */
  spends?: PlanSpend[]
  digest: Hex
  /** On each network of the plan, how many nonce secrets of the wallet are behind the one that it uses. */
  nonceCounts: Partial<Record<NetworkName, number>>
  /** Milliseconds since the Unix epoch. */
  createdAtMs: number
  expiresAtMs: number
}

export type ActivityStatus = 'pending' | 'confirmed' | 'failed'

/** An activity as it is answered on the wire, with the account it belongs to. */
export interface ActivityRecord {
  activityId: string
  /** Given by the store when the activity is recorded. */
  numbers: ActivityNumbers
  accountId: string
  /** The executed plan and its intent; null for what happened to the wallet from outside. */
  planId: string | null
  intentId: string | null
  /** What the plan was asked for, verbatim wire JSON without its `id`; absent for what came from outside. */
  svcIntent?: RecordedIntent
  status: ActivityStatus
  /** Milliseconds since the Unix epoch. */
  createdAtMs: number
  updatedAtMs: number
  /** One item per operation or external event (service-facts 12.2), verbatim wire JSON. */
  metadata: ActivityItem[]
  /** Earlier executions of the same plan request for the account whose responses had not arrived when this one was consumed. */
  repeats?: string[]
}

/** An executed plan whose client has not got the response. An arrived response removes it. */
export interface UnreadExecution {
  activityId: string
  accountId: string
  /** The plan request: its kind and body. */
  asked: string
  /** Absent while the response is under way. */
  lost?: LostResponse
}

/** How a response did not reach its client. */
export interface LostResponse {
  /** `500 internal_error`; absent: the simulator ended before it knew whether the response arrived. */
  how?: string
  /** What fault rules did at the request. */
  faults: FiredFault[]
}

/** The kind of an activity, as events and activities tell it: executed plans, or what came from outside. */
type ActivityType = 'svc_operation_executed' | 'exogenous'

export function activityType({ planId }: Pick<ActivityRecord, 'planId'>): ActivityType {
  return planId === null ? 'exogenous' : 'svc_operation_executed'
}

/** An event of an account. `cursor` grows strictly within an account. */
export interface EventRecord {
  cursor: number
  accountId: string
  eventType: 'activity_updated'
  /** As it is answered. */
  data: {
    activity_id: string
    activity_type: ActivityType
    activity_status: ActivityStatus
  }
  /** Unix seconds of the clock. */
  timestamp: number
  /** Its place among the events of all accounts; absent in older data folders. */
  order?: number
}

/** A consumed plan that is being carried out, with all that it takes to go on with it. */
export interface ExecutionRecord {
  account: AccountRecord
  plan: PlanRecord
  signature: Hex
  /** The current one; always `pending`. */
  activity: ActivityRecord
}

export interface StoreCounts {
  accounts: number
  /** Neither consumed nor forgotten; some may have expired. */
  plans: number
  activities: number
  events: number
  /** Consumed plans that are being carried out. */
  executions: number
}

/** What `consumePlan` did, or why it did not. */
export type ConsumeResult = 'consumed' | 'not_found' | 'expired' | 'stale'

/**
 * Each method is one atomic step. A resolved write is durable if the simulator persists anything; a rejected one has changed nothing. Reads
 * return durable state only.
 */
export interface Store {
  /** Rejects with `ServiceError` `account_already_exists` when the prime account has one for this signer (case ignored). */
  createAccount(record: AccountRecord): Promise<void>
  account(primeId: string, accountId: string): Promise<AccountRecord | undefined>
  /** Oldest first. */
  accounts(primeId: string): Promise<AccountRecord[]>
  /** Those of every prime account, oldest first. */
  allAccounts(): Promise<AccountRecord[]>
  /** The accounts of every prime account whose wallet this is. */
  accountsOfWallet(walletAddress: Address): Promise<AccountRecord[]>

  savePlan(plan: PlanRecord): Promise<void>
  /** Undefined when absent, consumed, or of another account; an expired one is still there. */
  plan(accountId: string, planId: string): Promise<PlanRecord | undefined>
  /**
   * Removes the plan, sets the wallet's nonce count on each of its networks just beyond the plan's, and records the activity and its first
   * event, all or nothing. Plan and signature stay in `executions` until the activity has ended. The plan stays with `expired` (its time was
   * over when the activity was created) and `stale` (a consumed plan had the same nonce or a later one).
   */
  consumePlan(
    planId: string,
    walletAddress: Address,
    activity: NewActivity,
    signature: Hex,
  ): Promise<ConsumeResult>
  /** Those of every account that are neither consumed nor expired at this instant (milliseconds), oldest first. */
  openPlans(nowMs: number): Promise<PlanRecord[]>
  /** Forgets plans that expired before this instant (milliseconds). Need not be durable when it resolves. */
  dropExpiredPlans(nowMs: number): Promise<void>
  /** How many nonce secrets of this wallet are behind it on each network, as far as plans have consumed them. */
  nonceCounts(walletAddress: Address): Promise<Record<NetworkName, number>>

  /** The response to the execution reached its client, or was lost. */
  responded(activityId: string, lost?: LostResponse): Promise<void>
  /** By activity id. */
  unread(): Promise<ReadonlyMap<string, UnreadExecution>>

  /** Adds an activity that no plan caused, and its `activity_updated` event, in one step. */
  recordActivity(activity: NewActivity): Promise<void>
  /** Replaces the activity of that id and appends an `activity_updated` event, in one step. */
  updateActivity(activity: ActivityRecord): Promise<void>
  /** Puts an execution that had ended back below `executions`, with its activity as given, pending again, and its event. */
  reopenExecution(execution: ExecutionRecord): Promise<void>
  /** By its `act_` id or by its number. */
  activity(accountId: string, id: string | number): Promise<ActivityRecord | undefined>
  /** Newest first. */
  activities(accountId: string): Promise<ActivityRecord[]>
  /** Of all accounts, those that began last, newest first. */
  newestActivities(most: number): Promise<ActivityRecord[]>
  /** Oldest first: executions under way, also those that the last process left. Of one wallet, over all its accounts, or of all. */
  executions(walletAddress?: Address): Promise<ExecutionRecord[]>
  /** Events with a cursor above `since`, oldest first. */
  events(accountId: string, since: number): Promise<EventRecord[]>
  /** Calls back after each event of the account; returns the unsubscribe function. */
  onEvent(accountId: string, listener: (event: EventRecord) => void): () => void

  /** How much there is of everything, over all prime accounts. */
  counts(): Promise<StoreCounts>

  /** Up to which block a chain has been looked at for what came from outside; undefined when it never was. */
  followed(network: NetworkName): Promise<BlockMark | undefined>
  /** Need not be durable when it resolves. */
  keepFollowed(network: NetworkName, mark: BlockMark): Promise<void>

  close(): Promise<void>
}

/** An activity that has no numbers yet: the store gives them. */
export type NewActivity = Omit<ActivityRecord, 'numbers'>
/** The integers by which newer clients know an activity and its parts (service-facts 12.2 and 12.3). All count from 1. */
export interface ActivityNumbers {
  /** `id` of the activity. */
  activity: number
  /** `id` of its intent; null for what no plan caused. */
  intent: number | null
  /** `svc_wallet_id`: the same in all activities of a wallet. */
  wallet: number
  /** `svc_operation_id` of its first operation; the others count on from there. */
  operation: number
  /** `svc_execution_id` of its first transaction; the others count on from there. */
  execution: number
}

export type LastNumbers = Record<keyof ActivityNumbers, number>

/** The numbers that have been given: each kind counts by itself and only grows. */
export interface Numbers {
  /** Replaced, never changed. */
  last: LastNumbers
  /** By wallet address in lower case. */
  wallets: Map<string, number>
}

export function noNumbers(): Numbers {
  return {
    last: { activity: 0, intent: 0, wallet: 0, operation: 0, execution: 0 },
    wallets: new Map(),
  }
}

/** Those that have the same numbers, and do not change with them. */
export function copyNumbers({ last, wallets }: Numbers): Numbers {
  return { last, wallets: new Map(wallets) }
}

/** The numbers of the next activity, which is of this wallet, and of all its parts; and the last ones when they have been given. */
export function nextNumbers(
  { last, wallets }: Numbers,
  activity: NewActivity,
  walletAddress: string,
): { own: ActivityNumbers; last: LastNumbers } {
  const { operations, executions } = partsOf(activity)
  const known = wallets.get(walletAddress.toLowerCase())
  const next = {
    activity: last.activity + 1,
    intent: activity.planId === null ? last.intent : last.intent + 1,
    wallet: known === undefined ? last.wallet + 1 : last.wallet,
    operation: last.operation + operations,
    execution: last.execution + executions,
  }
  const own = {
    activity: next.activity,
    intent: activity.planId === null ? null : next.intent,
    wallet: known ?? next.wallet,
    operation: last.operation + 1,
    execution: last.execution + 1,
  }
  return { own, last: next }
}

/** The operations of an activity by their place in it, and the transactions that run them: one for each network. */
function partsOf({ metadata }: NewActivity): { operations: number; executions: number } {
  const own = metadata.filter((item) => item.svc_operation_nonce !== null)
  return { operations: own.length, executions: new Set(own.map((item) => item.chain_id)).size }
}

/** The higher of the numbers used in two lives of a store, so that no number is used again. */
export function joinNumbers(numbers: Numbers, other: Numbers): Numbers {
  const last = { ...numbers.last }
  for (const kind of Object.keys(last) as (keyof ActivityNumbers)[])
    last[kind] = Math.max(numbers.last[kind], other.last[kind])
  return { last, wallets: new Map([...numbers.wallets, ...other.wallets]) }
}

/** How a path names an activity: by its number, a decimal integer without sign or leading zeros, or by its `act_` id. */
export function activityKey(text: string): number | string {
  const number = /^[1-9][0-9]{0,15}$/.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(number) ? number : text
}
