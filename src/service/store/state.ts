import type { Hex } from 'viem'
import type { BlockMark } from '../../chain/transactions/follow.js'
import type { NetworkName } from '../../deployments/networks.js'
import {
  type AccountRecord,
  type ActivityRecord,
  activityType,
  type ConsumeResult,
  copyNumbers,
  type EventRecord,
  type LastNumbers,
  type NewActivity,
  type Numbers,
  nextNumbers,
  noNumbers,
  type PlanRecord,
  type UnreadExecution,
} from './store.js'

/** Every lookup of the interface is one step in a map. Only `applyChange` changes the state. It replaces records, so they can be shared. */
export interface StoreState {
  accounts: Map<string, AccountRecord>
  plans: Map<string, PlanRecord>
  activities: Map<string, ActivityRecord>
  numbers: Numbers
  /** Activity ids by number. */
  activityIdByNumber: Map<number, string>
  /** Activity ids of an account, oldest first. */
  activityIds: Map<string, string[]>
  /** Events of an account, oldest first. */
  events: Map<string, EventRecord[]>
  /** Of all accounts. */
  eventCount: number
  /** By wallet address in lower case. */
  nonceCounts: Map<string, PlanRecord['nonceCounts']>
  /** By activity id; only of activities that are pending. */
  signed: Map<string, SignedPlan>
  /** By activity id. */
  unread: Map<string, UnreadExecution>
  /** The ids of those of the same account and plan request, oldest first. */
  unreadIds: Map<string, string[]>
  /** Account id by `accountKey` of prime account and signer. */
  accountIdBySigner: Map<string, string>
  /** Account ids by wallet address, oldest first. */
  accountIdsByWallet: Map<string, string[]>
  /** The last block of each network that was looked at for what came from outside. */
  followed: Map<NetworkName, BlockMark>
}

/** A consumed plan and its signature, as long as it is being carried out. */
interface SignedPlan {
  activityId: string
  plan: PlanRecord
  signature: Hex
}

export function emptyState(): StoreState {
  return {
    accounts: new Map(),
    plans: new Map(),
    activities: new Map(),
    numbers: noNumbers(),
    activityIdByNumber: new Map(),
    activityIds: new Map(),
    events: new Map(),
    eventCount: 0,
    nonceCounts: new Map(),
    signed: new Map(),
    unread: new Map(),
    unreadIds: new Map(),
    accountIdBySigner: new Map(),
    accountIdsByWallet: new Map(),
    followed: new Map(),
  }
}

export function copyState(state: StoreState): StoreState {
  const copyLists = <T>(lists: Map<string, T[]>): Map<string, T[]> =>
    new Map([...lists].map(([key, list]) => [key, [...list]]))
  return {
    accounts: new Map(state.accounts),
    plans: new Map(state.plans),
    activities: new Map(state.activities),
    numbers: copyNumbers(state.numbers),
    activityIdByNumber: new Map(state.activityIdByNumber),
    activityIds: copyLists(state.activityIds),
    events: copyLists(state.events),
    eventCount: state.eventCount,
    nonceCounts: new Map(state.nonceCounts),
    signed: new Map(state.signed),
    unread: new Map(state.unread),
    unreadIds: copyLists(state.unreadIds),
    accountIdBySigner: new Map(state.accountIdBySigner),
    accountIdsByWallet: copyLists(state.accountIdsByWallet),
    followed: new Map(state.followed),
  }
}

/** One account per prime account and signer; letter case of the address does not distinguish signers. */
export function accountKey(primeId: string, signerAddress: string): string {
  return JSON.stringify([primeId, signerAddress.toLowerCase()])
}

/** The list under this key, made when there is none. */
function listOf<T>(map: Map<string, T[]>, key: string): T[] {
  const list = map.get(key) ?? []
  map.set(key, list)
  return list
}

/**
 * Puts a record in the place of the one with the same key, or drops one. The log holds lists of these steps, a checkpoint one long list:
 * applied in order to an empty state, they make the state. JSON-safe.
 */
export type RecordStep =
  | ['account', AccountRecord]
  | ['plan', PlanRecord]
  | ['plan gone', planId: string]
  | ['activity', ActivityRecord]
  | ['event', EventRecord]
  | ['signed', SignedPlan]
  | ['signed gone', activityId: string]
  | ['unread', UnreadExecution]
  | ['read', activityId: string]
  | ['nonces', wallet: string, PlanRecord['nonceCounts']]
  | ['numbers', LastNumbers]
  | ['wallet number', wallet: string, number]
  | ['followed', NetworkName, BlockMark]

/** Takes every step, at once. The returned function reverts them, after all later changes have been reverted. */
export function applyChange(state: StoreState, change: readonly RecordStep[]): () => void {
  return inReverse(change.map((step) => applyStep(state, step)))
}

function inReverse(undos: readonly (() => void)[]): () => void {
  return () => {
    for (const undo of undos.toReversed()) undo()
  }
}

export function applyStep(state: StoreState, step: RecordStep): () => void {
  switch (step[0]) {
    case 'account':
      return addAccount(state, step[1])
    case 'plan':
      return put(state.plans, step[1].planId, step[1])
    case 'plan gone':
      return drop(state.plans, step[1])
    case 'activity':
      return putActivity(state, shareTexts(step[1]))
    case 'event':
      return addEvent(state, shareTexts(step[1]))
    case 'signed':
      return put(state.signed, step[1].activityId, step[1])
    case 'signed gone':
      return drop(state.signed, step[1])
    case 'unread':
      return putUnread(state, step[1])
    case 'read':
      return dropUnread(state, step[1])
    case 'nonces':
      return put(state.nonceCounts, step[1], step[2])
    case 'numbers':
      return setLast(state, step[1])
    case 'wallet number':
      return put(state.numbers.wallets, step[1], step[2])
    case 'followed':
      return put(state.followed, step[1], step[2])
  }
}

/** The steps that make this state from nothing. */
export function* stepsTo(state: StoreState): Generator<RecordStep> {
  for (const account of state.accounts.values()) yield ['account', account]
  for (const plan of state.plans.values()) yield ['plan', plan]
  for (const activity of state.activities.values()) yield ['activity', activity]
  for (const events of state.events.values()) for (const event of events) yield ['event', event]
  for (const signed of state.signed.values()) yield ['signed', signed]
  for (const unread of state.unread.values()) yield ['unread', unread]
  for (const [wallet, counts] of state.nonceCounts) yield ['nonces', wallet, counts]
  yield ['numbers', state.numbers.last]
  for (const [wallet, number] of state.numbers.wallets) yield ['wallet number', wallet, number]
  for (const [network, mark] of state.followed) yield ['followed', network, mark]
}

function addAccount(state: StoreState, account: AccountRecord): () => void {
  const { accountId, walletAddress } = account
  const key = accountKey(account.primeId, account.signerAddress)
  return inReverse([
    put(state.accounts, accountId, account),
    put(state.accountIdBySigner, key, accountId),
    push(state.accountIdsByWallet, walletAddress, accountId),
  ])
}

function putActivity(state: StoreState, activity: ActivityRecord): () => void {
  const { accountId, activityId, numbers } = activity
  const isNew = !state.activities.has(activityId)
  const undoActivity = put(state.activities, activityId, activity)
  if (!isNew) return undoActivity
  return inReverse([
    undoActivity,
    put(state.activityIdByNumber, numbers.activity, activityId),
    push(state.activityIds, accountId, activityId),
  ])
}

const likeKey = ({ accountId, asked }: Pick<UnreadExecution, 'accountId' | 'asked'>): string =>
  `${accountId} ${asked}`

function putUnread(state: StoreState, unread: UnreadExecution): () => void {
  const { activityId } = unread
  const isNew = !state.unread.has(activityId)
  const undo = put(state.unread, activityId, unread)
  return isNew ? inReverse([undo, push(state.unreadIds, likeKey(unread), activityId)]) : undo
}

function dropUnread(state: StoreState, activityId: string): () => void {
  const unread = state.unread.get(activityId)
  if (!unread) return () => {}
  const key = likeKey(unread)
  const others = state.unreadIds.get(key)!.filter((id) => id !== activityId)
  return inReverse([
    drop(state.unread, activityId),
    others.length > 0 ? put(state.unreadIds, key, others) : drop(state.unreadIds, key),
  ])
}

function addEvent(state: StoreState, event: EventRecord): () => void {
  const undo = push(state.events, event.accountId, event)
  state.eventCount++
  return () => {
    state.eventCount--
    undo()
  }
}

function setLast(state: StoreState, last: LastNumbers): () => void {
  const before = state.numbers.last
  state.numbers.last = last
  return () => {
    state.numbers.last = before
  }
}

function put<K, V>(map: Map<K, V>, key: K, value: V): () => void {
  const undo = backTo(map, key)
  map.set(key, value)
  return undo
}

function drop<K, V>(map: Map<K, V>, key: K): () => void {
  const undo = backTo(map, key)
  map.delete(key)
  return undo
}

/** Puts the present value back; a dropped one comes back as the last. */
function backTo<K, V>(map: Map<K, V>, key: K): () => void {
  const before = map.get(key)
  return before === undefined ? () => map.delete(key) : () => map.set(key, before)
}

function push<T>(lists: Map<string, T[]>, key: string, value: T): () => void {
  const list = listOf(lists, key)
  list.push(value)
  return () => {
    list.pop()
    if (list.length === 0) lists.delete(key)
  }
}

/** At this many texts it begins anew, so that texts that come only once take no memory for long. */
const maxTexts = 4096

/** Longer texts are hashes and data, which do not repeat. An address has 42 characters. */
const longest = 42

/** Of all stores in this process: it says nothing about any of them. */
const sharedTexts = new Map<string, string>()

/**
 * Replaces each text in the value by one copy that all equal texts share. Records repeat the same addresses, kinds and times, and JSON gives
 * each its own copy. Changes the value, and returns it.
 */
export function shareTexts<T>(value: T): T {
  return share(value) as T
}

function share(value: unknown): unknown {
  if (typeof value === 'string') return value.length > longest ? value : shared(value)
  if (Array.isArray(value)) for (let i = 0; i < value.length; i++) value[i] = share(value[i])
  else if (typeof value === 'object' && value !== null) {
    const record = value as Record<string, unknown>
    for (const key of Object.keys(record)) {
      const inside = record[key]
      if (typeof inside === 'string' || typeof inside === 'object') record[key] = share(inside)
    }
  }
  return value
}

function shared(text: string): string {
  const sharedText = sharedTexts.get(text)
  if (sharedText !== undefined) return sharedText
  if (sharedTexts.size >= maxTexts) sharedTexts.clear()
  sharedTexts.set(text, text)
  return text
}

/** Pure: which changes a state allows, and their steps. */

/** A request to consume a plan. */
export interface Consumer {
  planId: string
  /** In lower case. */
  wallet: string
  activity: NewActivity
}

/** The plan, or why it cannot be consumed. */
export function consumable(
  { nonceCounts, plans }: StoreState,
  { planId, wallet, activity }: Consumer,
): PlanRecord | Exclude<ConsumeResult, 'consumed'> {
  const plan = plans.get(planId)
  if (plan?.accountId !== activity.accountId) return 'not_found'
  if (plan.expiresAtMs <= activity.createdAtMs) return 'expired'
  const counts = nonceCounts.get(wallet) ?? {}
  const isUsed = planned(plan).some(([network, count]) => (counts[network] ?? 0) > count)
  return isUsed ? 'stale' : plan
}

/** The nonce counts of a wallet when this plan has been consumed: just beyond the plan's on each of its networks. */
export function countsAfter(
  before: PlanRecord['nonceCounts'] | undefined,
  plan: PlanRecord,
): PlanRecord['nonceCounts'] {
  const advanced = planned(plan).map(([network, count]) => [network, count + 1])
  return { ...before, ...Object.fromEntries(advanced) }
}

function planned({ nonceCounts }: PlanRecord): [NetworkName, number][] {
  return Object.entries(nonceCounts) as [NetworkName, number][]
}

/** The request that a plan was made for. */
export const askedFor = ({ kind, intent }: Pick<PlanRecord, 'kind' | 'intent'>): string =>
  JSON.stringify([kind, intent])

/** Executions of the same plan request for the account whose responses have not arrived. */
export function unreadLike({ unreadIds }: StoreState, plan: PlanRecord): string[] {
  return [...(unreadIds.get(likeKey({ ...plan, asked: askedFor(plan) })) ?? [])]
}

/** The activity as the next one, and the steps that give it its numbers. */
export function numbered(
  { numbers }: StoreState,
  activity: NewActivity,
  walletAddress: string,
): { activity: ActivityRecord; steps: RecordStep[] } {
  const { own, last } = nextNumbers(numbers, activity, walletAddress)
  const wallet = walletAddress.toLowerCase()
  const steps: RecordStep[] = [['numbers', last]]
  if (!numbers.wallets.has(wallet)) steps.push(['wallet number', wallet, own.wallet])
  return { activity: { ...activity, numbers: own }, steps }
}

/** The event of this activity. The cursor is the second, as at the service, pushed on where two events would share it. */
export function nextEvent(
  { events, eventCount }: StoreState,
  activity: ActivityRecord,
): EventRecord {
  const before = events.get(activity.accountId)?.at(-1)
  const timestamp = Math.floor(activity.updatedAtMs / 1000)
  return {
    cursor: Math.max(timestamp, (before?.cursor ?? 0) + 1),
    accountId: activity.accountId,
    eventType: 'activity_updated',
    data: {
      activity_id: activity.activityId,
      activity_type: activityType(activity),
      activity_status: activity.status,
    },
    timestamp,
    order: eventCount + 1,
  }
}
