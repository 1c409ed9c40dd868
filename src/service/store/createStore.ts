import type { Low } from 'lowdb'
import type { Address, Hex } from 'viem'
import type { BlockMark } from '../../chain/transactions/follow.js'
import { type NetworkName, networkNames } from '../../deployments/networks.js'
import { ServiceError } from '../../lib/errors.js'
import type { Stateful } from '../../lib/lifecycle.js'
import { createKeyedListeners } from '../../lib/listeners.js'
import { contentAt, type DataLog, type LoggedPart, noLog } from '../../wal/dataLog.js'
import { currentScope, note } from '../context/requestContext.js'
import { emptyStore, storeFile, storePart } from './recoverStore.js'
import {
  accountKey,
  applyChange,
  askedFor,
  type Consumer,
  consumable,
  copyState,
  countsAfter,
  nextEvent,
  numbered,
  type RecordStep,
  type StoreState,
  unreadLike,
} from './state.js'
import {
  type AccountRecord,
  type ActivityRecord,
  type ConsumeResult,
  type EventRecord,
  type ExecutionRecord,
  joinNumbers,
  type LostResponse,
  type NewActivity,
  type PlanRecord,
  type Store,
  type StoreCounts,
  type UnreadExecution,
} from './store.js'

export interface StoreOptions {
  /** Where its changes are written; they are only in memory when absent. */
  log?: DataLog
  /** Its database, as the log had it at the start (`recoverStore`). It becomes the store's own. */
  db?: Low<StoreState>
  /** Gets the events of all accounts, each when it is durable. */
  onEvent?: (event: EventRecord) => void
  /** Gets every account, existing ones included. */
  onAccount?: (account: AccountRecord) => void
  /** Gets every plan that is made or changed. */
  onPlan?: (plan: PlanRecord) => void
  /** Whether the numbers of activities that a restore has removed may be used again; not when absent. */
  isRepeatable?: () => boolean
}

/** The store that is part of this process: all of it is in memory, the data of a lowdb `Low`, and each change is in a log. */
export type EmbeddedStore = Store &
  Stateful<StoreState> &
  LoggedPart & {
    /** Whether there is such a plan, not consumed; it may have expired. */
    isOpenPlan(planId: string): boolean
  }

/**
 * Everything is in memory. A change is atomic because it is one synchronous step there; then it is written to the log. If that fails, the
 * change is reverted and the write rejects. A read waits until all that it has seen is on the disk.
 *
 * Records that are read are the store's own: treat them as read-only.
 */
export function createStore(options: StoreOptions = {}): EmbeddedStore {
  return new LoggedStore(options)
}

class LoggedStore implements EmbeddedStore {
  readonly name = storePart
  readonly startsQuickly = true
  private readonly db: Low<StoreState>
  private readonly log: DataLog
  private readonly observe: (event: EventRecord) => void
  private readonly onAccount: (account: AccountRecord) => void
  private readonly planned: (plan: PlanRecord) => void
  private readonly isRepeatable: () => boolean
  private readonly listeners = createKeyedListeners<EventRecord>()

  constructor({
    log = noLog,
    db = emptyStore(),
    onEvent = () => {},
    onAccount = () => {},
    onPlan = () => {},
    isRepeatable = () => false,
  }: StoreOptions) {
    this.db = db
    this.log = log
    this.observe = onEvent
    this.onAccount = onAccount
    this.planned = onPlan
    for (const account of db.data.accounts.values()) onAccount(account)
    this.isRepeatable = isRepeatable
  }

  private get state(): StoreState {
    return this.db.data
  }

  async createAccount(record: AccountRecord): Promise<void> {
    const key = accountKey(record.primeId, record.signerAddress)
    for (;;) {
      while (this.log.isClosed) await this.log.opened()
      const taken = this.state.accountIdBySigner.get(key)
      if (taken === undefined) break
      if (!(await this.log.settled())) continue
      throw new ServiceError(
        'account_already_exists',
        'An account already exists with this configuration',
        {
          hint: `${record.signerAddress} is the signer of ${taken}; use that account, or another key.`,
        },
      )
    }
    this.onAccount(record)
    await this.write([['account', jsonCopy(record)]])
  }

  account(primeId: string, accountId: string): Promise<AccountRecord | undefined> {
    return this.read(({ accounts }) => {
      const record = accounts.get(accountId)
      return record?.primeId === primeId ? record : undefined
    })
  }

  accounts(primeId: string): Promise<AccountRecord[]> {
    return this.read(({ accounts }) =>
      [...accounts.values()].filter((record) => record.primeId === primeId),
    )
  }

  allAccounts(): Promise<AccountRecord[]> {
    return this.read(({ accounts }) => [...accounts.values()])
  }

  accountsOfWallet(walletAddress: Address): Promise<AccountRecord[]> {
    return this.read(({ accounts, accountIdsByWallet }) =>
      (accountIdsByWallet.get(walletAddress.toLowerCase()) ?? []).map((id) => accounts.get(id)!),
    )
  }

  async savePlan(plan: PlanRecord): Promise<void> {
    while (this.log.isClosed) await this.log.opened()
    this.planned(plan)
    await this.write([['plan', jsonCopy(plan)]])
  }

  isOpenPlan(planId: string): boolean {
    return this.state.plans.has(planId)
  }

  plan(accountId: string, planId: string): Promise<PlanRecord | undefined> {
    return this.read(({ plans }) => {
      const plan = plans.get(planId)
      return plan?.accountId === accountId ? plan : undefined
    })
  }

  async consumePlan(
    planId: string,
    walletAddress: string,
    activity: NewActivity,
    signature: Hex,
  ): Promise<ConsumeResult> {
    const wallet = walletAddress.toLowerCase()
    const consumer = { planId, wallet, activity: jsonCopy(activity) }
    for (;;) {
      while (this.log.isClosed) await this.log.opened()
      // No `await` between here and the change: of two calls at once, the second must see what the first did.
      const plan = consumable(this.state, consumer)
      if (typeof plan !== 'string') {
        await this.consume(plan, consumer, signature)
        return 'consumed'
      }
      if (await this.log.settled()) return plan
    }
  }

  async dropExpiredPlans(nowMs: number): Promise<void> {
    for (const plan of this.state.plans.values()) {
      // All live equally long, so that the rest, which is newer, is alive as well.
      if (plan.expiresAtMs >= nowMs) break
      this.state.plans.delete(plan.planId)
    }
    // Not logged: no checkpoint has them any more, and a plan that a restart brings back is as expired as it was.
  }

  nonceCounts(walletAddress: string): Promise<Record<NetworkName, number>> {
    return this.read(({ nonceCounts }) => {
      const counts = nonceCounts.get(walletAddress.toLowerCase()) ?? {}
      const entries = networkNames.map((network) => [network, counts[network] ?? 0])
      return Object.fromEntries(entries) as Record<NetworkName, number>
    })
  }

  async responded(activityId: string, lost?: LostResponse): Promise<void> {
    while (this.log.isClosed) await this.log.opened()
    const open = this.state.unread.get(activityId)
    if (open) await this.write([lost ? ['unread', { ...open, lost }] : ['read', activityId]])
  }

  unread(): Promise<ReadonlyMap<string, UnreadExecution>> {
    return this.read(({ unread }) => unread)
  }

  async recordActivity(activity: NewActivity): Promise<void> {
    while (this.log.isClosed) await this.log.opened()
    const { walletAddress } = this.state.accounts.get(activity.accountId)!
    const { activity: next, steps } = numbered(this.state, jsonCopy(activity), walletAddress)
    await this.writeActivity(next, steps)
  }

  async updateActivity(activity: ActivityRecord): Promise<void> {
    while (this.log.isClosed) await this.log.opened()
    this.expectActivity(activity)
    const { activityId, status } = activity
    const hasEnded = status !== 'pending' && this.state.signed.has(activityId)
    await this.writeActivity(jsonCopy(activity), hasEnded ? [['signed gone', activityId]] : [])
  }

  async reopenExecution({ activity, plan, signature }: ExecutionRecord): Promise<void> {
    while (this.log.isClosed) await this.log.opened()
    this.expectActivity(activity)
    const { activityId } = activity
    await this.writeActivity({ ...jsonCopy(activity), status: 'pending' }, [
      ['signed', { activityId, plan: jsonCopy(plan), signature }],
    ])
  }

  activity(accountId: string, id: string | number): Promise<ActivityRecord | undefined> {
    return this.read(({ activities, activityIdByNumber }) => {
      const activityId = typeof id === 'number' ? activityIdByNumber.get(id) : id
      const activity = activities.get(activityId ?? '')
      return activity?.accountId === accountId ? activity : undefined
    })
  }

  activities(accountId: string): Promise<ActivityRecord[]> {
    return this.read(({ activities, activityIds }) =>
      (activityIds.get(accountId) ?? []).map((id) => activities.get(id)!).reverse(),
    )
  }

  newestActivities(most: number): Promise<ActivityRecord[]> {
    return this.read(({ activities }) => [...activities.values()].slice(-most).reverse())
  }

  openPlans(nowMs: number): Promise<PlanRecord[]> {
    return this.read(({ plans }) =>
      [...plans.values()]
        .filter(({ expiresAtMs }) => expiresAtMs > nowMs)
        .sort((one, other) => one.createdAtMs - other.createdAtMs),
    )
  }

  executions(walletAddress?: Address): Promise<ExecutionRecord[]> {
    return this.read(({ accounts, activities, signed }) =>
      [...signed.values()]
        .map(({ activityId, plan, signature }) => ({
          account: accounts.get(plan.accountId)!,
          plan,
          signature,
          activity: activities.get(activityId)!,
        }))
        .filter(({ account }) => !walletAddress || account.walletAddress === walletAddress)
        .sort((one, other) => one.activity.numbers.activity - other.activity.numbers.activity),
    )
  }

  events(accountId: string, since: number): Promise<EventRecord[]> {
    return this.read((state) => {
      const events = state.events.get(accountId) ?? []
      // Followers read the newest few, so the search begins at the end.
      return events.slice(events.findLastIndex((event) => event.cursor <= since) + 1)
    })
  }

  onEvent(accountId: string, listener: (event: EventRecord) => void): () => void {
    return this.listeners.add(accountId, listener)
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

  followed(network: NetworkName): Promise<BlockMark | undefined> {
    return this.read((state) => state.followed.get(network))
  }

  async keepFollowed(network: NetworkName, mark: BlockMark): Promise<void> {
    // Only checkpoints have later marks: after a crash some blocks are read twice, and their contents are recorded once.
    while (this.log.isClosed) await this.log.opened()
    if (this.state.followed.has(network)) this.state.followed.set(network, mark)
    else await this.write([['followed', network, mark]])
  }

  save(): StoreState {
    return copyState(this.state)
  }

  /**
   * Replaces everything in memory and writes nothing: the owner of the log has a checkpoint written then. Publishes no event, since nothing
   * has happened to the accounts.
   */
  async restore(saved: StoreState): Promise<void> {
    await this.log.settled() // what was not written is taken back from what was there before
    const given = this.state.numbers
    this.db.data = copyState(saved)
    // What a client has seen under a number before must not be something else now, unless all is to come again as it was.
    if (!this.isRepeatable()) this.state.numbers = joinNumbers(this.state.numbers, given)
  }

  async content(mark: () => Promise<void>): Promise<Iterable<string>> {
    return storeFile.format(await contentAt(mark, () => copyState(this.state)))
  }

  async close(): Promise<void> {
    await this.log.settled()
  }

  unlogged(): readonly RecordStep[][] {
    return [[...this.state.followed].map(([network, mark]) => ['followed', network, mark])]
  }

  /** Reads, and waits until the result is on the disk. If it cannot be written, it reads again. */
  private async read<T>(look: (state: StoreState) => T): Promise<T> {
    for (;;) {
      const result = look(this.state)
      const settled = this.log.settled()
      if (settled === true || (await settled)) return result
    }
  }

  /** Makes a change, while the log is open. If it cannot be written, it is reverted and rejects. */
  private write(change: RecordStep[]): Promise<void> {
    return this.log.append(this.name, change, applyChange(this.state, change))
  }

  /** The same, together with the resulting activity and its event, which listeners get when it is durable. */
  private async writeActivity(
    activity: ActivityRecord,
    change: readonly RecordStep[],
  ): Promise<void> {
    const event = nextEvent(this.state, activity)
    await this.write([...change, ['activity', activity], ['event', event]])
    note({ type: 'event', account_id: event.accountId, cursor: event.cursor, ...event.data })
    this.observe(event)
    this.listeners.publish(event.accountId, event)
  }

  private consume(
    plan: PlanRecord,
    { planId, wallet, activity }: Consumer,
    signature: Hex,
  ): Promise<void> {
    const { activity: next, steps } = numbered(this.state, activity, wallet)
    const { activityId } = next
    const { accountId } = plan
    const repeats = unreadLike(this.state, plan)
    // What no request executed has no response.
    const unread: RecordStep[] = currentScope()
      ? [['unread', { activityId, accountId, asked: askedFor(plan) }]]
      : []
    return this.writeActivity({ ...next, ...(repeats.length > 0 && { repeats }) }, [
      ...steps,
      ...unread,
      ['plan gone', planId],
      ['nonces', wallet, countsAfter(this.state.nonceCounts.get(wallet), plan)],
      ['signed', { activityId, plan, signature }],
    ])
  }

  private expectActivity({ activityId, accountId }: ActivityRecord): void {
    if (this.state.activities.get(activityId)?.accountId === accountId) return
    throw new Error(
      `No activity ${activityId} of account ${accountId} to update; consumePlan creates it.`,
    )
  }
}

/**
 * A copy, as it would be read back from the log: later changes by the caller do not reach the store, and a value that JSON cannot carry (a
 * bigint) is refused before anything has changed.
 */
function jsonCopy<T>(record: T): T {
  return JSON.parse(JSON.stringify(record))
}
