import { basename, dirname } from 'node:path'
import type { BlockMark } from '../../chain/transactions/follow.js'
import type { NetworkName } from '../../deployments/networks.js'
import { DataFolderError } from '../../wal/dataFolderError.js'
import { applyChange, applyStep } from './changes.js'
import type { LastNumbers } from './numbers.js'
import { emptyState, type SignedPlan, type StoreState } from './state.js'
import type {
  AccountRecord,
  ActivityRecord,
  EventRecord,
  NewActivity,
  PlanRecord,
} from './store.js'
import { numbered } from './transitions.js'

/** The store as data folders had it before there was a log: one JSON file, records as lists in the order in which they came. */
interface OldStore {
  format: typeof format
  version: typeof version
  accounts: AccountRecord[]
  plans: PlanRecord[]
  activities: (NewActivity & Partial<ActivityRecord>)[]
  events: EventRecord[]
  signed: SignedPlan[]
  nonceCounts: Record<string, PlanRecord['nonceCounts']>
  /** Absent in files from before activities had numbers. */
  numbers?: { last: LastNumbers; wallets: Record<string, number> }
  /** Absent in files from before chains were followed. */
  followed?: Partial<Record<NetworkName, BlockMark>>
}

const format = 'svc-sim-store'
const version = 2
const lists = ['accounts', 'plans', 'activities', 'events', 'signed'] as const

/**
 * Reads the text of a `store.json`; the path is for the message.
 *
 * @throws `DataFolderError` when it is not one that can be understood.
 */
export function parseOldStore(text: string, path: string): StoreState {
  const file = parse(text, path)
  const state = emptyState()
  const { numbers, followed = {} } = file
  if (numbers)
    state.numbers = { last: numbers.last, wallets: new Map(Object.entries(numbers.wallets)) }
  for (const account of file.accounts) applyStep(state, ['account', account])
  for (const plan of file.plans) applyStep(state, ['plan', plan])
  for (const activity of file.activities) addActivity(state, activity)
  for (const event of file.events) applyStep(state, ['event', event])
  for (const signed of file.signed) applyStep(state, ['signed', signed])
  state.nonceCounts = new Map(Object.entries(file.nonceCounts))
  state.followed = new Map(Object.entries(followed) as [NetworkName, BlockMark][])
  return state
}

/** One without numbers gets them, in the order of the file. */
function addActivity(state: StoreState, activity: NewActivity & Partial<ActivityRecord>): void {
  const { numbers } = activity
  if (numbers) {
    applyStep(state, ['activity', { ...activity, numbers }])
    return
  }
  const { walletAddress } = state.accounts.get(activity.accountId)!
  const { activity: next, steps } = numbered(state, activity, walletAddress)
  applyChange(state, [...steps, ['activity', next]])
}

function parse(text: string, path: string): OldStore {
  const unreadable = (why: string) =>
    new DataFolderError(
      dirname(path),
      `${basename(path)} ${why}`,
      'Put back a copy of the folder, or name another --data-dir.',
    )
  let file: Partial<OldStore> | null
  try {
    file = JSON.parse(text)
  } catch {
    throw unreadable('is not valid JSON')
  }
  if (file?.format !== format)
    throw unreadable(`has the format ${JSON.stringify(file?.format)}, not "${format}"`)
  if (file.version !== version)
    throw unreadable(
      `has version ${JSON.stringify(file.version)}, and this svc-sim reads version ${version}`,
    )
  for (const list of lists)
    if (!Array.isArray(file[list])) throw unreadable(`has no list of ${list}`)
  if (typeof file.nonceCounts !== 'object' || file.nonceCounts === null)
    throw unreadable('has no nonceCounts')
  return file as OldStore
}
