import type { Hex } from 'viem'
import type { Faucet } from '../../chain/funds/faucet.js'
import type { Node, Receipt } from '../../chain/rpc/node.js'
import { UpstreamError } from '../../chain/rpc/rpc.js'
import { createLogWatch, type ReadUpTo } from '../../chain/transactions/logWatch.js'
import { failureOf } from '../../chain/transactions/revert.js'
import type { NetworkName } from '../../deployments/networks.js'
import { manyAborted } from '../../lib/abort.js'
import { keepNewest } from '../../lib/keepNewest.js'
import type { Stateful, Worker } from '../../lib/lifecycle.js'
import {
  awaitBehind,
  type BackgroundTasks,
  currentTask,
  type Task,
  taskQueues,
} from '../../time/backgroundTasks.js'
import type { Clock, Wait } from '../../time/clock.js'
import { retryUntilWritable } from '../../time/retryUntilWritable.js'
import { type Deposit, depositKey, depositsIn, depositTopics, relayHash } from './deposit.js'
import { dueLater, type Entry, endingOf, findFallen, type Memory, madeBefore } from './entry.js'
import { createFunding, type FillParts, fill } from './fill.js'
import {
  type HoldingRule,
  isInterrupted,
  refundableFrom,
  refundWhenDue,
  type Settled,
  type StoppingRule,
  untilOpen,
} from './refund.js'

/** What the relayer knows of a deposit: how it ended, or that it stopped waiting for it. */
export type FillOutcome = Settled | { status: 'interrupted' }

/** Fills deposits of all five networks with its own funds, as Across's relayers do, and refunds those it could not fill. */
export interface BridgeRelayer {
  /**
   * Waits until this deposit has ended, or the relayer pauses: then call it again. The calling task counts as busy while the relayer works on
   * the deposit, but not while that waits for the clock.
   */
  outcome(deposit: Deposit): Promise<FillOutcome>
  /** Reports a deposit that the relayer may not know yet. */
  notice(deposit: Deposit): void
  /** Call it before a removed deposit is made again, perhaps under another number: this fill has paid for it, so it is not paid twice. */
  alreadyFilled(fill: Receipt): void
}

/** The relayer as its owner holds it. `pause` is also how it is stopped for good: no connection stays behind. */
export interface BridgeWorker extends BridgeRelayer, Worker, Stateful<RelayerState> {
  /** Resolves when the relayer has seen every deposit that is mined. */
  catchUp(): Promise<void>
  /** How many deposits have neither been filled nor sent back. */
  waiting(): number
  /** What the deposit of this relay hash waits for; undefined when it has ended. */
  expected(relayHash: Hex): ExpectedFill | undefined
  /**
   * Blocks of this network have been replaced: deposits that are no longer on the chain will not be filled; fills and refunds that are gone
   * are made again.
   */
  recheck(network: NetworkName): Promise<void>
}

/**
 * When a fill comes, in milliseconds of the clock; or what it waits for instead. `refundsAtMs`: when the deposit goes back if it is not filled
 * (undefined while a transaction of a fill may still be mined). `delivers`: what a fill pays out. `on`: where the transactions that end it are
 * sent; `back`: where its refund is. `heldBy`: rules that hold it now or are going to; `before`: what kept it from being filled by its deadline.
 */
export type ExpectedFill = {
  delivers: bigint
  on: readonly NetworkName[]
  back: NetworkName
  heldBy: readonly HoldingRule[]
  before: readonly StoppingRule[]
  /** It is not going to be filled, unless a rule is removed that holds it beyond its deadline or refuses it. */
  lost?: 'late' | 'refused'
  refundsAtMs: number | undefined
} & ({ fillsAtMs: number } | { waitsFor: string })

/** By relay hash. */
type Expectations = Map<Hex, () => ExpectedFill>

/** What holds a fill, for a while or for ever: a fault rule, or else its transaction. */
interface Hold extends Partial<HoldingRule> {
  forMs?: number
  /** When its turn has come, the deposit goes back without waiting for its deadline. */
  isRefused?: boolean
  /** The fill has failed, so only the refund can follow. */
  isFailed?: boolean
  /** Aborted when it is lifted. */
  signal?: AbortSignal
}

/** What the relayer needs. `delayMs` is the time from a deposit to its fill. */
export interface RelayerParts extends Omit<FillParts, 'fund'>, Pick<Memory, 'served'> {
  faucet: Faucet
  clock: Clock
  wait: Wait
  delayMs: number
  track: BackgroundTasks['run']
  /** Comes in between when a deposit is to be served; `proceed` is the usual service. */
  intercept?(service: DepositService, proceed: () => Promise<FillOutcome>): Promise<FillOutcome>
  /** The rules that kept a network from mining at a moment of the clock. */
  stoppedAt?(network: NetworkName, ms: number): readonly HoldingRule[]
  /** Told as soon as it is known that a deposit is not going to be filled; its refund may be minutes away. */
  onUnfilled?(deposit: Deposit, why: string): void
}

export interface DepositService {
  deposit: Deposit
  /** What the fill pays out, in the output token's smallest unit; may be changed before the service proceeds. */
  outputAmount: bigint
  /** Aborted when the relayer pauses: then `interrupted` is to be returned. */
  signal: AbortSignal
  /** From when the first of the holds counts: the deposit, or the end of the hold before. Milliseconds of the clock. */
  sinceMs: number
  /** What holds it, one after the other; each is taken out when it has ended. */
  holds: Hold[]
  /** The rules whose delays were waited out. */
  waited: string[]
  /** Adds what is going to hold it, before the first of the holds begins. */
  hold(hold: Hold): void
  /** Sends the deposit back instead: after its deadline, or at once (`early`). Ends as `interrupted` when `signal` is aborted. */
  refund(why: string, options?: { early?: boolean; signal?: AbortSignal }): Promise<FillOutcome>
}

export interface RelayerState {
  /** `dueMs` counts from the moment of saving. */
  entries: readonly Entry[]
  heard: ReadUpTo
}

/** This many ended deposits whose outcome was not read are remembered; those that have not ended always are. */
const rememberedDeposits = 1_000

/**
 * Fills every deposit, by a plan's wallet or anybody else on the chains, from `resume` on. `resume` also reports the deposits made since
 * `pause` (see `createLogWatch`).
 */
export function createBridgeRelayer(parts: RelayerParts): BridgeWorker {
  const { nodes, book, clock } = parts
  const serving = { ...parts, fund: createFunding(parts.faucet), due: new Map() as Expectations }
  /** By relay hash: a number may be given once more after blocks were replaced. */
  const entries = new Map<Hex, Entry>()
  const fillsToCount = new Map<Hex, Receipt>()
  // On a fork balances are set, not added to: two fills at once would overwrite what the other has got.
  const inTurn = taskQueues<Node>()
  let interrupt = manyAborted()
  interrupt.abort() // paused until it is resumed

  const { start, leave, running } = createServing(
    parts.track,
    (entry, signal) => serve(serving, entry, signal, inTurn),
    () => interrupt.signal,
  )
  const drop = (key: Hex): void => void (entries.delete(key) && leave(key))
  const known = (deposit: Deposit) => madeBefore({ ...parts, entries, fillsToCount, drop }, deposit)
  /** Starts the fill when the deposit is first seen, by its log or by the plan that made it. */
  const notice = (deposit: Deposit): Service => {
    const key = relayHash(deposit)
    const isNew = !entries.has(key)
    const before = entries.get(key) ?? known(deposit) ?? { dueMs: clock.now() + parts.delayMs }
    // The same one may have been mined again, by another transaction.
    const entry: Entry = Object.assign(before, { deposit })
    entries.set(key, entry)
    keepNewest(entries, rememberedDeposits, ({ settled }) => settled !== undefined)
    if (entry.settled) {
      const filled = endingOf(entry.settled)
      if (filled) fillsToCount.delete(filled.transactionHash)
      return { outcome: Promise.resolve(entry.settled) }
    }
    if (interrupt.signal.aborted) return { outcome: Promise.resolve({ status: 'interrupted' }) }
    // One that was dropped may still be ending.
    return (!isNew && running.get(key)) || start(key, entry)
  }
  const watch = createLogWatch(
    nodes,
    (network) => ({ address: book.on(network).spokePool, topic: depositTopics }),
    (network, log) => {
      for (const deposit of depositsIn([log], network, book)) notice(deposit)
    },
  )

  return {
    ...watch,
    outcome: (deposit) => outcomeOf(notice(deposit)),
    notice: (deposit) => void notice(deposit),
    alreadyFilled: (fill) => void fillsToCount.set(fill.transactionHash, fill),
    async pause() {
      await watch.pause()
      interrupt.abort()
      await Promise.all([...running.values()].map(({ outcome }) => outcome))
    },
    async resume() {
      interrupt = manyAborted()
      for (const [key, entry] of entries) if (!entry.settled) start(key, entry)
      await watch.resume()
    },
    expected: (key) => serving.due.get(key)?.(),
    waiting: () => [...entries.values()].filter(({ settled }) => settled === undefined).length,
    recheck: (network) =>
      findFallen(nodes.get(network), book, entries, {
        drop,
        renumbered: (deposit) => void notice(deposit),
        serveAgain(key, entry) {
          if (!interrupt.signal.aborted) start(key, entry)
        },
      }),
    save: () => ({
      entries: [...entries.values()].map((entry) => dueLater(entry, -clock.now())),
      heard: watch.save(),
    }),
    restore(saved) {
      entries.clear()
      fillsToCount.clear()
      for (const entry of saved.entries)
        entries.set(relayHash(entry.deposit), dueLater(entry, clock.now()))
      watch.restore(saved.heard)
    },
  }
}

interface Service {
  outcome: Promise<FillOutcome>
  /** In which task; absent when it has ended. */
  task?: Task | undefined
}

const outcomeOf = ({ outcome, task }: Service): Promise<FillOutcome> =>
  awaitBehind(() => task, outcome)

/** Serves entries, each once at a time, until one is dropped or `paused` is aborted. */
function createServing(
  track: RelayerParts['track'],
  serveOne: (entry: Entry, signal: AbortSignal) => Promise<FillOutcome>,
  paused: () => AbortSignal,
) {
  const running = new Map<Hex, Service>()
  const leaving = new Map<Hex, AbortController>()
  return {
    running: running as ReadonlyMap<Hex, Service>,
    start(key: Hex, entry: Entry): Service {
      const left = new AbortController()
      leaving.set(key, left)
      const signal = AbortSignal.any([paused(), left.signal])
      const before = running.get(key)?.outcome // A fill that had not ended when it was to pause.
      let task: Task | undefined
      const work = async (): Promise<FillOutcome> => {
        task = currentTask()
        await before
        const ended = entry.settled ?? (await serveOne(entry, signal))
        if (ended.status !== 'interrupted') entry.settled = ended
        return ended
      }
      const outcome = track(work, `the fill of deposit ${depositKey(entry.deposit)}`).finally(
        () => {
          if (leaving.get(key) === left) leaving.delete(key)
          if (running.get(key) === service) running.delete(key)
        },
      )
      const service = { outcome, task }
      running.set(key, service)
      return service
    },
    leave: (key: Hex): void => leaving.get(key)?.abort(),
  }
}

/** Of deposits that are due at the same time, which is filled first: by network, then in the order of their ids. */
function fillOrder({ from, relayData }: Deposit): string {
  return `${from}/${relayData.depositId.toString().padStart(20, '0')}`
}

/** Fills the deposit when it is due, or else sends it back after its deadline. */
function serve(
  parts: RelayerParts & FillParts & { due: Expectations },
  { deposit, dueMs }: Entry,
  signal: AbortSignal,
  inTurn: ReturnType<typeof taskQueues<Node>>,
): Promise<FillOutcome> {
  const { due, clock } = parts
  const key = relayHash(deposit)
  const announce = () => due.set(key, () => expectedOf(parts, service, dueMs))
  const service: DepositService = {
    deposit,
    outputAmount: deposit.relayData.outputAmount,
    signal,
    // The same after an interruption, so that a delay does not begin again.
    sinceMs: dueMs - parts.delayMs,
    holds: [],
    waited: [],
    hold(hold) {
      service.holds.push(hold)
      announce()
    },
    async refund(why, options) {
      parts.onUnfilled?.(deposit, why)
      const { waited } = blamedAtDeadline(parts, service, dueMs)
      const [now] = service.holds
      const heldBy = [...waited, ...(now?.rule === undefined ? [] : [now.rule])]
      const end = await refundWhenDue(parts, deposit, why, { signal, ...options })
      return end.status === 'failed' ? { ...end, heldBy } : end
    },
  }
  const proceed = async (): Promise<FillOutcome> => {
    announce()
    const ms = Math.max(0, dueMs - clock.now())
    const isDue = await parts.wait(ms, signal, fillOrder(deposit))
    service.holds = [{}]
    if (!isDue || !(await untilOpen(parts, deposit, signal))) return { status: 'interrupted' }
    try {
      const work = () => fill(parts, deposit, service.outputAmount, signal)
      const filling = () =>
        parts.forked?.has(deposit.to) ? inTurn(parts.nodes.get(deposit.to), work) : work()
      return { status: 'filled', receipt: await retryUntilWritable(filling, signal) }
    } catch (error) {
      if (isInterrupted(error)) return { status: 'interrupted' }
      // It cannot be read there, perhaps never: its waiters get the error now.
      const early = error instanceof UpstreamError
      service.holds = [{ isFailed: true }]
      const { stoppedBy } = blamedAtDeadline(parts, service, dueMs)
      const end = await service.refund(`the fill failed: ${failureOf(error)}`, { early })
      return end.status === 'failed' ? { ...end, stoppedBy } : end
    }
  }
  const served = parts.intercept ? parts.intercept(service, proceed) : proceed()
  return served.finally(() => due.delete(key))
}

/**
 * What kept a fill from its network until the deadline had passed: delays that lasted so long, or else rules that stopped the network, or that
 * of a deposit that came too late. Delays that began after the deadline did not.
 */
function blamedAtDeadline(
  { clock, stoppedAt = () => [], delayMs }: Pick<RelayerParts, 'clock' | 'stoppedAt' | 'delayMs'>,
  { deposit, sinceMs, waited }: DepositService,
  dueMs: number,
): { waited: readonly string[]; stoppedBy: readonly StoppingRule[] } {
  const closesMs = closingOf(deposit)
  if (clock.now() < closesMs) return { waited: [], stoppedBy: [] }
  const stoppedBy = stoppedAt(deposit.to, closesMs - 1)
  const isServedLate = dueMs - delayMs >= closesMs
  if (isServedLate && stoppedBy.length > 0) return { waited: [], stoppedBy }
  if (sinceMs >= closesMs && waited.length > 0) return { waited, stoppedBy: [] }
  if (!isServedLate) return { waited: [], stoppedBy }
  const before = stoppedAt(deposit.from, closesMs - 1)
  return { waited: [], stoppedBy: before.map((rule) => ({ ...rule, of: 'deposit' })) }
}

/** The first moment of the clock at which it cannot be filled any more. */
const closingOf = ({ relayData }: Deposit): number => refundableFrom(relayData.fillDeadline) * 1000

/** What follows from its holds as they are now. */
function expectedOf(
  parts: Parameters<typeof blamedAtDeadline>[0],
  service: DepositService,
  dueMs: number,
): ExpectedFill {
  const { deposit, sinceMs, holds, outputAmount: delivers } = service
  const closesMs = closingOf(deposit)
  const { waited, stoppedBy } = blamedAtDeadline(parts, service, dueMs)
  const before = [...waited.map((rule) => ({ rule, effect: 'bridge.delay' })), ...stoppedBy]
  const common = { delivers, back: deposit.from }
  const heldBy: HoldingRule[] = []
  const names: string[] = []
  const waitsFor = () => names.join(' and ') || 'the relayer'
  let atMs = sinceMs
  for (const { rule, effect, forMs, isRefused, isFailed, signal } of holds) {
    if (signal?.aborted) continue
    if (rule === undefined || effect === undefined) {
      const [what, on] = isFailed
        ? ['refund', deposit.from]
        : ['transaction of the fill', deposit.to]
      const waitsFor = `the ${what} on ${on}`
      return { ...common, waitsFor, refundsAtMs: undefined, on: [on], heldBy, before }
    }
    names.push(`${rule} (${effect})`)
    if (!isRefused) heldBy.push({ rule, effect })
    const refundsAtMs = isRefused ? atMs : Math.max(atMs, closesMs)
    if (forMs === undefined)
      return {
        ...common,
        waitsFor: waitsFor(),
        refundsAtMs,
        on: [deposit.from],
        heldBy,
        before: [],
        ...(isRefused && { lost: 'refused' }),
      }
    atMs += forMs
  }
  atMs = Math.max(atMs, dueMs)
  const later = { ...common, heldBy, before }
  if (atMs < closesMs) return { ...later, fillsAtMs: atMs, refundsAtMs: closesMs, on: [deposit.to] }
  // The fill is tried all the same.
  const on = [deposit.to, deposit.from]
  return { ...later, waitsFor: waitsFor(), refundsAtMs: atMs, on, lost: 'late' }
}
