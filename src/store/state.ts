import type { Hex } from 'viem'
import type { NetworkName } from '../chain/deployments/networks.js'
import type { BlockMark } from '../chain/node/follow.js'
import { drawNumbers, type Numbers, noNumbers } from './numbers.js'
import type {
  AccountRecord,
  ActivityRecord,
  EventRecord,
  NewActivity,
  PlanRecord,
} from './store.js'

/** What the store holds in memory: every lookup of the interface is one step in a map. */
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
  nonceCounts: Map<string, Partial<Record<NetworkName, number>>>
  /** By activity id; only of activities that are pending. */
  signed: Map<string, SignedPlan>
  /** Account id by `accountKey` of prime account and signer. */
  accountIdBySigner: Map<string, string>
  /** The last block of each network that was looked at for what came from outside. */
  followed: Map<NetworkName, BlockMark>
}

/** A consumed plan and its signature, as long as it is being carried out. */
export interface SignedPlan {
  activityId: string
  plan: PlanRecord
  signature: Hex
}

/** The file: records as lists, in the order in which they came; maps and indexes are made again when it is read. */
interface StoreFile {
  format: typeof format
  version: typeof version
  accounts: AccountRecord[]
  plans: PlanRecord[]
  activities: ActivityRecord[]
  events: EventRecord[]
  signed: SignedPlan[]
  nonceCounts: Record<string, Partial<Record<NetworkName, number>>>
  /** Absent in files from before activities had numbers. */
  numbers?: Numbers
  /** Absent in files from before chains were followed. */
  followed?: Partial<Record<NetworkName, BlockMark>>
}

const format = 'svc-sim-store'
const version = 2
const lists = ['accounts', 'plans', 'activities', 'events', 'signed'] as const

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
    followed: new Map(),
  }
}

/** A state of its own with the same records: those are replaced, never changed, so they can be shared. */
export function copyState(state: StoreState): StoreState {
  const copyLists = <T>(lists: Map<string, T[]>): Map<string, T[]> =>
    new Map([...lists].map(([key, list]) => [key, [...list]]))
  return {
    accounts: new Map(state.accounts),
    plans: new Map(state.plans),
    activities: new Map(state.activities),
    numbers: structuredClone(state.numbers),
    activityIdByNumber: new Map(state.activityIdByNumber),
    activityIds: copyLists(state.activityIds),
    events: copyLists(state.events),
    nonceCounts: new Map(state.nonceCounts),
    signed: new Map(state.signed),
    accountIdBySigner: new Map(state.accountIdBySigner),
    followed: new Map(state.followed),
  }
}

/** One account per prime account and signer; letter case of the address does not distinguish signers. */
export function accountKey(primeId: string, signerAddress: string): string {
  return JSON.stringify([primeId, signerAddress.toLowerCase()])
}

export function addAccount(state: StoreState, record: AccountRecord): void {
  state.accounts.set(record.accountId, record)
  state.accountIdBySigner.set(accountKey(record.primeId, record.signerAddress), record.accountId)
}

export function addActivity(state: StoreState, activity: ActivityRecord): void {
  state.activities.set(activity.activityId, activity)
  state.activityIdByNumber.set(activity.numbers.activity, activity.activityId)
  listOf(state.activityIds, activity.accountId).push(activity.activityId)
}

/** The activity of this wallet, which is its account's unless it is given, with numbers of its own. */
export function numbered(
  state: StoreState,
  activity: NewActivity,
  walletAddress: string = state.accounts.get(activity.accountId)!.walletAddress,
): ActivityRecord {
  return { ...activity, numbers: drawNumbers(state.numbers, activity, walletAddress) }
}

/** The list under this key, made when there is none. */
export function listOf<T>(map: Map<string, T[]>, key: string): T[] {
  const list = map.get(key) ?? []
  map.set(key, list)
  return list
}

/** The state as the text of the store file. */
export function stringifyState(state: StoreState): string {
  const file: StoreFile = {
    format,
    version,
    accounts: [...state.accounts.values()],
    plans: [...state.plans.values()],
    activities: [...state.activities.values()],
    events: [...state.events.values()].flat(),
    signed: [...state.signed.values()],
    nonceCounts: Object.fromEntries(state.nonceCounts),
    numbers: state.numbers,
    followed: Object.fromEntries(state.followed),
  }
  return JSON.stringify(file)
}

/** Reads the text of a store file. Throws `StoreFileError` when it is not one that this version understands. */
export function parseState(text: string, path: string): StoreState {
  const file = parseFile(text, path)
  const state = emptyState()
  for (const account of file.accounts) addAccount(state, account)
  for (const plan of file.plans) state.plans.set(plan.planId, plan)
  state.numbers = file.numbers ?? state.numbers
  for (const activity of file.activities)
    addActivity(state, file.numbers ? activity : numbered(state, activity))
  for (const event of file.events) listOf(state.events, event.accountId).push(event)
  for (const item of file.signed) state.signed.set(item.activityId, item)
  state.nonceCounts = new Map(Object.entries(file.nonceCounts))
  state.followed = new Map(Object.entries(file.followed ?? {}) as [NetworkName, BlockMark][])
  return state
}

function parseFile(text: string, path: string): StoreFile {
  let file: Partial<StoreFile> | null
  try {
    file = JSON.parse(text)
  } catch (cause) {
    throw new StoreFileError(path, 'it is not valid JSON', { cause })
  }
  if (file?.format !== format) {
    throw new StoreFileError(
      path,
      `its "format" is ${JSON.stringify(file?.format)}, not "${format}"`,
    )
  }
  if (file.version !== version) {
    const found = JSON.stringify(file.version)
    throw new StoreFileError(
      path,
      `its "version" is ${found}; this svc-sim reads version ${version}`,
    )
  }
  for (const list of lists) {
    if (!Array.isArray(file[list])) throw new StoreFileError(path, `its "${list}" is not a list`)
  }
  if (typeof file.nonceCounts !== 'object' || file.nonceCounts === null) {
    throw new StoreFileError(path, 'its "nonceCounts" is not an object')
  }
  return file as StoreFile
}

/** The store file cannot be used. The file is left as it was. */
class StoreFileError extends Error {
  constructor(path: string, why: string, options?: ErrorOptions) {
    super(
      `The store file ${path} cannot be read: ${why}. It was left untouched. ` +
        'Move or delete it to begin with an empty store, or name another --data-dir.',
      options,
    )
    this.name = 'StoreFileError'
  }
}
