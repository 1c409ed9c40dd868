import type { Hex } from 'viem'
import type { BlockMark } from '../../chain/transactions/follow.js'
import type { NetworkName } from '../../deployments/networks.js'
import { copyNumbers, type Numbers, noNumbers } from './numbers.js'
import type { AccountRecord, ActivityRecord, EventRecord, PlanRecord } from './store.js'

/**
 * What the store holds in memory: every lookup of the interface is one step in a map. Records are replaced, never changed, so
 * they can be shared. It is changed by the steps of `changes.ts` only.
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
export function listOf<T>(map: Map<string, T[]>, key: string): T[] {
  const list = map.get(key) ?? []
  map.set(key, list)
  return list
}
