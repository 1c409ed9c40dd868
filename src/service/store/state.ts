import type { Hex } from 'viem'
import type { BlockMark } from '../../chain/transactions/follow.js'
import type { NetworkName } from '../../deployments/networks.js'
import { copyNumbers, type LastNumbers, type Numbers, noNumbers } from './numbers.js'
import { shareTexts } from './sharedTexts.js'
import type { AccountRecord, ActivityRecord, EventRecord, PlanRecord } from './store.js'

/**
 * What the store holds in memory: every lookup of the interface is one step in a map. Records are replaced, never changed, so
 * they can be shared. It is changed by `applyChange` only.
 */
export interface StoreState {
  accounts: Map<string, AccountRecord>
  plans: Map<string, PlanRecord>
  activities: Map<string, ActivityRecord>
  /** What numbers have been given. */
  numbers: Numbers
  /** Activity ids by number. */
  activityIdByNumber: Map<number, string>
  /** Activity ids of an account, oldest first. */
  activityIds: Map<string, string[]>
  /** Events of an account, oldest first. */
  events: Map<string, EventRecord[]>
  /** By wallet address in lower case. */
  nonceCounts: Map<string, PlanRecord['nonceCounts']>
  /** By activity id; only of activities that are pending. */
  signed: Map<string, SignedPlan>
  /** Account id by `accountKey` of prime account and signer. */
  accountIdBySigner: Map<string, string>
  /** Account ids by wallet address, oldest first. */
  accountIdsByWallet: Map<string, string[]>
  /** The last block of each network that was looked at for what came from outside. */
  followed: Map<NetworkName, BlockMark>
}

/** A consumed plan and its signature, as long as it is being carried out. */
export interface SignedPlan {
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
    nonceCounts: new Map(),
    signed: new Map(),
    accountIdBySigner: new Map(),
    accountIdsByWallet: new Map(),
    followed: new Map(),
  }
}

/** A state of its own with the same records. */
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
    nonceCounts: new Map(state.nonceCounts),
    signed: new Map(state.signed),
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
 * One record that is put, in the place of the one with the same key, or dropped. What the log has of the store are lists of them, and
 * so is the file of a checkpoint: from nothing, in order, they make the state. JSON-safe.
 */
export type RecordStep =
  | ['account', AccountRecord]
  | ['plan', PlanRecord]
  | ['plan gone', planId: string]
  | ['activity', ActivityRecord]
  | ['event', EventRecord]
  | ['signed', SignedPlan]
  | ['signed gone', activityId: string]
  | ['nonces', wallet: string, PlanRecord['nonceCounts']]
  | ['numbers', LastNumbers]
  | ['wallet number', wallet: string, number]
  | ['followed', NetworkName, BlockMark]

/** Takes every step, at once; what it returns takes all of them back, when everything that came later has been taken back. */
export function applyChange(state: StoreState, change: readonly RecordStep[]): () => void {
  const undos = change.map((step) => applyStep(state, step))
  return () => {
    for (const undo of undos.toReversed()) undo()
  }
}

/** Takes one step; returns what takes it back. */
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
      return push(state.events, step[1].accountId, shareTexts(step[1]))
    case 'signed':
      return put(state.signed, step[1].activityId, step[1])
    case 'signed gone':
      return drop(state.signed, step[1])
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
  for (const [wallet, counts] of state.nonceCounts) yield ['nonces', wallet, counts]
  yield ['numbers', state.numbers.last]
  for (const [wallet, number] of state.numbers.wallets) yield ['wallet number', wallet, number]
  for (const [network, mark] of state.followed) yield ['followed', network, mark]
}

function addAccount(state: StoreState, account: AccountRecord): () => void {
  const undoAccount = put(state.accounts, account.accountId, account)
  const key = accountKey(account.primeId, account.signerAddress)
  const undoSigner = put(state.accountIdBySigner, key, account.accountId)
  const undoWallet = push(state.accountIdsByWallet, account.walletAddress, account.accountId)
  return () => {
    undoWallet()
    undoSigner()
    undoAccount()
  }
}

function putActivity(state: StoreState, activity: ActivityRecord): () => void {
  const { accountId, activityId, numbers } = activity
  const isNew = !state.activities.has(activityId)
  const undoActivity = put(state.activities, activityId, activity)
  if (!isNew) return undoActivity
  const undoNumber = put(state.activityIdByNumber, numbers.activity, activityId)
  const undoList = push(state.activityIds, accountId, activityId)
  return () => {
    undoList()
    undoNumber()
    undoActivity()
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

/** Puts what is there now back; what was dropped comes back as the last. */
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
