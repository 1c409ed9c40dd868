import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Adapter, Low, Memory } from 'lowdb'
import type { Address, Hex } from 'viem'
import { type NetworkName, networkNames } from '../chain/deployments/networks.js'
import type { BlockMark } from '../chain/node/follow.js'
import { ServiceError } from '../lib/errors.js'
import type { Stateful } from '../lib/lifecycle.js'
import { note } from '../lib/requestContext.js'
import { createGroupCommit } from './groupCommit.js'
import { joinNumbers } from './numbers.js'
import {
  accountKey,
  addAccount,
  addActivity,
  copyState,
  emptyState,
  listOf,
  numbered,
  parseState,
  type StoreState,
  stringifyState,
} from './state.js'
import type { NewActivity } from './store.js'
import {
  type AccountRecord,
  type ActivityRecord,
  activityType,
  type ConsumeResult,
  type EventRecord,
  type ExecutionRecord,
  type PlanRecord,
  type Store,
  type StoreCounts,
} from './store.js'

/** How a store is opened. */
export interface StoreOptions {
  file?: string
  /** Hears of the events of all accounts, each when it is durable. */
  onEvent?: (event: EventRecord) => void
  /** Whether the numbers of activities that a restore has taken back may be given again; they may not when absent. */
  isRepeatable?: () => boolean
}

/**
 * Opens the embedded store: in memory, or with `file` as one JSON file that is replaced whole (temporary file, then
 * rename), so that whoever reads it finds either the state before a write or the one after it.
 *
 * A resolved write survives the sudden death of the process. It is not forced to the disk (no fsync), so a power cut
 * may lose the last of them. A rejected write may still take effect: what it changed stays in memory and goes out with
 * the next write that succeeds. One process at a time may use a file.
 *
 * Records that are read are the store's own: treat them as read-only.
 *
 * Rejects with `StoreFileError` when the file exists but is not a store file of this version.
 */
export async function createStore(
  options: StoreOptions = {},
): Promise<Store & Stateful<StoreState>> {
  const { file } = options
  const db = new Low<StoreState>(await adapterFor(file), emptyState())
  await db.read()
  const commit = createGroupCommit(() => db.write())
  // The first write shows at the start, not at the first request, that the place is not writable.
  await commit()
  // In memory there is nothing to write: the state is where it belongs as soon as it has changed.
  const write = file === undefined ? () => Promise.resolve() : commit
  return new EmbeddedStore(db.data, write, options)
}

async function adapterFor(file: string | undefined): Promise<Adapter<StoreState>> {
  if (file === undefined) return new Memory<StoreState>()
  await mkdir(dirname(file), { recursive: true })
  const { DataFile } = await import('lowdb/node')
  return new DataFile<StoreState>(file, {
    parse: (text) => parseState(text, file),
    stringify: stringifyState,
  })
}

/** A change is made in one synchronous step, which is what makes it atomic; then its commit is awaited. */
class EmbeddedStore implements Store, Stateful<StoreState> {
  private readonly state: StoreState
  private readonly commit: () => Promise<void>
  private readonly hear: (event: EventRecord) => void
  private readonly isRepeatable: () => boolean
  private readonly listeners = new Map<string, Set<(event: EventRecord) => void>>()

  constructor(
    state: StoreState,
    commit: () => Promise<void>,
    { onEvent = () => {}, isRepeatable = () => false }: StoreOptions,
  ) {
    this.hear = onEvent
    this.isRepeatable = isRepeatable
    this.state = state
    this.commit = commit
  }

  async createAccount(record: AccountRecord): Promise<void> {
    const taken = this.state.accountIdBySigner.get(accountKey(record.primeId, record.signerAddress))
    if (taken !== undefined) {
      throw new ServiceError(
        'account_already_exists',
        'An account already exists with this configuration',
        {
          hint: `${record.signerAddress} is the signer of ${taken}; use that one, or another key.`,
        },
      )
    }
    addAccount(this.state, jsonCopy(record))
    await this.commit()
  }

  async account(primeId: string, accountId: string): Promise<AccountRecord | undefined> {
    const record = this.state.accounts.get(accountId)
    return record?.primeId === primeId ? record : undefined
  }

  async accounts(primeId: string): Promise<AccountRecord[]> {
    return [...this.state.accounts.values()].filter((record) => record.primeId === primeId)
  }

  async accountsOfWallet(walletAddress: Address): Promise<AccountRecord[]> {
    const wallet = walletAddress.toLowerCase()
    return [...this.state.accounts.values()].filter((each) => each.walletAddress === wallet)
  }

  async savePlan(plan: PlanRecord): Promise<void> {
    this.state.plans.set(plan.planId, jsonCopy(plan))
    await this.commit()
  }

  async plan(accountId: string, planId: string): Promise<PlanRecord | undefined> {
    const plan = this.state.plans.get(planId)
    return plan?.accountId === accountId ? plan : undefined
  }

  async consumePlan(
    planId: string,
    walletAddress: string,
    activity: NewActivity,
    signature: Hex,
    checkedAgainst?: readonly string[],
  ): Promise<ConsumeResult> {
    // No `await` between here and the last change: of two calls at once, the second must see what the first did.
    const plan = this.state.plans.get(planId)
    if (plan?.accountId !== activity.accountId) return 'not_found'
    if (plan.expiresAtMs <= activity.createdAtMs) return 'expired'
    const counts = this.state.nonceCounts.get(walletAddress.toLowerCase()) ?? {}
    const planned = Object.entries(plan.nonceCounts) as [NetworkName, number][]
    if (planned.some(([network, count]) => (counts[network] ?? 0) > count)) return 'stale'
    for (const { activityId, plan: other } of this.state.signed.values())
      if (
        this.isOf(walletAddress, other.accountId) &&
        checkedAgainst?.includes(activityId) === false
      )
        return 'overtaken'

    const copy = numbered(this.state, jsonCopy(activity), walletAddress)
    this.state.plans.delete(planId)
    const advanced = Object.fromEntries(planned.map(([network, count]) => [network, count + 1]))
    this.state.nonceCounts.set(walletAddress.toLowerCase(), { ...counts, ...advanced })
    addActivity(this.state, copy)
    this.state.signed.set(copy.activityId, { activityId: copy.activityId, plan, signature })
    await this.commitEvent(this.appendActivityEvent(copy))
    return 'consumed'
  }

  async dropExpiredPlans(nowMs: number): Promise<void> {
    for (const plan of this.state.plans.values()) {
      if (plan.expiresAtMs < nowMs) this.state.plans.delete(plan.planId)
    }
    // Not committed: the next write carries it, and a plan that a crash brings back is as expired as it was.
  }

  async nonceCounts(walletAddress: string): Promise<Record<NetworkName, number>> {
    const counts = this.state.nonceCounts.get(walletAddress.toLowerCase()) ?? {}
    const entries = networkNames.map((network) => [network, counts[network] ?? 0])
    return Object.fromEntries(entries) as Record<NetworkName, number>
  }

  async recordActivity(activity: NewActivity): Promise<void> {
    const copy = numbered(this.state, jsonCopy(activity))
    addActivity(this.state, copy)
    await this.commitEvent(this.appendActivityEvent(copy))
  }

  async updateActivity(activity: ActivityRecord): Promise<void> {
    const known = this.state.activities.get(activity.activityId)
    if (known?.accountId !== activity.accountId) {
      throw new Error(
        `No activity ${activity.activityId} of account ${activity.accountId} to update; consumePlan creates it.`,
      )
    }
    const copy = jsonCopy(activity)
    this.state.activities.set(copy.activityId, copy)
    if (copy.status !== 'pending') this.state.signed.delete(copy.activityId)
    await this.commitEvent(this.appendActivityEvent(copy))
  }

  async reopenExecution({ activity, plan, signature }: ExecutionRecord): Promise<void> {
    const { activityId } = activity
    this.state.signed.set(activityId, { activityId, plan: jsonCopy(plan), signature })
    await this.updateActivity({ ...activity, status: 'pending' })
  }

  async activity(accountId: string, id: string | number): Promise<ActivityRecord | undefined> {
    const activityId = typeof id === 'number' ? this.state.activityIdByNumber.get(id) : id
    const activity = this.state.activities.get(activityId ?? '')
    return activity?.accountId === accountId ? activity : undefined
  }

  async activities(accountId: string): Promise<ActivityRecord[]> {
    const ids = this.state.activityIds.get(accountId) ?? []
    return ids.map((id) => this.state.activities.get(id)!).reverse()
  }

  async executions(): Promise<ExecutionRecord[]> {
    return [...this.state.signed.values()].map(({ activityId, plan, signature }) => ({
      account: this.state.accounts.get(plan.accountId)!,
      plan,
      signature,
      activity: this.state.activities.get(activityId)!,
    }))
  }

  async events(accountId: string, since: number): Promise<EventRecord[]> {
    const events = this.state.events.get(accountId) ?? []
    // Who follows along asks for the newest few, so the search begins at the end.
    return events.slice(events.findLastIndex((event) => event.cursor <= since) + 1)
  }

  onEvent(accountId: string, listener: (event: EventRecord) => void): () => void {
    const listeners = this.listeners.get(accountId) ?? new Set()
    this.listeners.set(accountId, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.listeners.get(accountId) === listeners) {
        this.listeners.delete(accountId)
      }
    }
  }

  async counts(): Promise<StoreCounts> {
    const { accounts, plans, activities, events, signed } = this.state
    return {
      accounts: accounts.size,
      plans: plans.size,
      activities: activities.size,
      events: [...events.values()].reduce((sum, ofAccount) => sum + ofAccount.length, 0),
      executions: signed.size,
    }
  }

  async followed(network: NetworkName): Promise<BlockMark | undefined> {
    return this.state.followed.get(network)
  }

  async keepFollowed(network: NetworkName, mark: BlockMark): Promise<void> {
    this.state.followed.set(network, mark)
    // Not committed: the next write carries it, and blocks that are looked at twice are recorded once.
  }

  save(): StoreState {
    return copyState(this.state)
  }

  /** Resolves when it is durable. No event is heard: nothing has happened to the accounts. */
  async restore(saved: StoreState): Promise<void> {
    const given = this.state.numbers
    Object.assign(this.state, copyState(saved))
    // What a client has seen under a number before must not be something else now, unless all is to come again as it was.
    if (!this.isRepeatable()) this.state.numbers = joinNumbers(this.state.numbers, given)
    await this.commit()
  }

  async close(): Promise<void> {
    await this.commit()
  }

  private isOf(walletAddress: string, accountId: string): boolean {
    const account = this.state.accounts.get(accountId)
    return account?.walletAddress === walletAddress.toLowerCase()
  }

  /** The cursor is the second of the event, as at the service, pushed on where two events would share it. */
  private appendActivityEvent(activity: ActivityRecord): EventRecord {
    const events = listOf(this.state.events, activity.accountId)
    const timestamp = Math.floor(activity.updatedAtMs / 1000)
    const event: EventRecord = {
      cursor: Math.max(timestamp, (events.at(-1)?.cursor ?? 0) + 1),
      accountId: activity.accountId,
      eventType: 'activity_updated',
      data: {
        activity_id: activity.activityId,
        activity_type: activityType(activity),
        activity_status: activity.status,
      },
      timestamp,
    }
    events.push(event)
    return event
  }

  /** Listeners hear of an event when it is durable. */
  private async commitEvent(event: EventRecord): Promise<void> {
    await this.commit()
    this.hear(event)
    note({ type: 'event', account_id: event.accountId, cursor: event.cursor, ...event.data })
    for (const listener of [...(this.listeners.get(event.accountId) ?? [])]) listener(event)
  }
}

/**
 * What the store keeps is its own copy, as it would read back from a file: later changes by the caller do not reach
 * it, and a value that JSON cannot carry (a bigint) is refused here, before it could spoil every later write.
 */
function jsonCopy<T>(record: T): T {
  return JSON.parse(JSON.stringify(record))
}
