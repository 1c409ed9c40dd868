import { setTimeout as wait } from 'node:timers/promises'
import { serialQueue } from '../../lib/serialQueues.js'
import { type Method, methodEffect, sharedBlockMethod, takesBack } from './methods.js'
import { createNodeSnapshots, type NodeSnapshots } from './nodeSnapshots.js'
import type { NodeAnswer } from './nodeSocket.js'
import {
  askOver,
  type ChainStep,
  firstParam,
  type NodeRequest,
  nodeRequest,
  type PassOn,
} from './pipeline.js'
import type { AskNode } from './rpc.js'
import { sendInOneBlock } from './sharedBlock.js'

/**
 * Who may use a node at the same time. Readers and changes go side by side. Alone go snapshots and whatever takes blocks back: they wait
 * for what is under way, but for a second at most, and others wait for them. While a shared block is made, only readers go on.
 *
 * It also knows what changes: the cache asks for its `mark`, senders whether the node mines.
 *
 * Quirks of anvil 1.7.1 for which it stands here, each with its test:
 * - A snapshot or a revert that overlaps with mining or a read mixes two states. (gate.sim.test.ts: many who snapshot, mine, pay and revert at once leave a node that works)
 * - A revert leaves later snapshots in the list; a revert to one of them leaves the node without a latest block. (gate.sim.test.ts: a revert has ended the later snapshots and its own; the node goes on)
 * - So does a revert to a block that was taken back. (gate.sim.test.ts: its block was taken back)
 * - A revert to an unknown id ends snapshots and returns `false`. (gate.sim.test.ts: a batch is done in its order, and what is no snapshot is the node’s to say)
 * - A trace by a tracer and `anvil_nodeInfo` lock twice; with a block in between they and the node wait for ever. (gate.sim.test.ts: who asks a node about itself while it mines does not stop it)
 * - A trace may take longer than anybody wants to wait for the node. (gate.sim.test.ts: %s begins between two blocks, and when it takes long lets others go on)
 * - A transaction behind a gap in the nonces of its sender is never answered. (gate.sim.test.ts: a transaction that waits for the one before it is waited for once, not each time)
 * - While mining is off for a shared block, it says so to whoever asks. (../transactions/shared.node.test.ts: a question about the mining mode waits for the shared block, and the answer is that the node mines)
 * - A snapshot in the middle of one would have half of its transactions. (../transactions/shared.node.test.ts: a snapshot is of before or after a shared block, and so is what comes after a revert to it)
 * - A receipt comes a moment before its transaction leaves the pool. (gate.sim.test.ts: many who snapshot, mine, pay and revert at once leave a node that works)
 */
export interface Gate {
  readonly step: ChainStep
  readonly snapshots: NodeSnapshots
  /**
   * Equal marks before a request and after its answer mean that nothing changed in between: the same request has the same answer for
   * as long as the mark stays the same. Undefined while the node may be changing.
   */
  mark(): string | undefined
  /** Asks the node, with `pooled`, whether transactions wait. There are no marks until its pool is empty. */
  settle(pooled: () => Promise<Pooled>): Promise<void>
  /** Whether `settle` has to be called before there are marks. */
  readonly isUnsettled: boolean
  /** Whether the node's time stays at that of its latest block, as with a frozen clock. */
  readonly hasStillTime: boolean
  /** Suspends marks; returns a function that ends this. */
  hold(): () => void
  /** Whether the node mines each transaction at once; undefined while unknown. */
  mines: boolean | undefined
  /** Whether its mining was last switched off only for a while (`forNow`), and not by a client. */
  readonly isOffForNow: boolean
  /** The client's command that stopped its mining or set an interval; undefined while it mines at once, or a fault has stopped it. */
  readonly clientSwitch: SwitchCommand | undefined
  /**
   * Resolves when a change next begins or ends after which a waiting transaction may be mined, or transactions have to wait. Resolves
   * at that very moment, before anybody can see the block.
   */
  stirs(): Promise<void>
  /**
   * The node has a new process: unanswered requests of the old one will have no further effect, and its snapshots are gone.
   *
   * @param restored The command of its log that has switched its mining off.
   */
  renew(restored?: SwitchCommand): void
}

/** A command that changed when a node mines. */
export interface SwitchCommand {
  method: string
  params: unknown
  /** It is from the data folder: an older version wrote those of faults down like those of clients. */
  isRestored?: true
}

/** Transactions in the pool of a node (`txpool_status`), as hexadecimal counts; `queued` ones wait for a nonce. */
export interface Pooled {
  pending: string
  queued: string
}

/** Slower requests (a read of a slow fork, a transaction behind a nonce gap) do not hold up the others. Milliseconds of the machine. */
const patienceMs = 1_000

/** Resolves when all have ended, or after `patienceMs`. */
const soon = (all: Iterable<Promise<unknown>>): Promise<unknown> =>
  Promise.race([Promise.all(all), wait(patienceMs, undefined, { ref: false })])

/**
 * Resolves when a client's request no longer counts as under way: when it is answered. A request that is answered once its transaction is
 * mined counts for a second at most: the transaction may wait in the pool for one with an earlier nonce, and would hold up resets and the
 * clock until its sender gives up. Rejects as the answer does.
 */
export function untilAnswered(
  about: readonly Method[],
  answer: Promise<unknown>,
): Promise<unknown> {
  if (!about.every(({ waitsForBlock }) => waitsForBlock)) return answer
  return Promise.race([answer, wait(patienceMs, undefined, { ref: false })])
}

/**
 * @param isNew Whether nothing has been sent to the node yet.
 * @param restored The command of its log that has switched its mining off.
 */
export function createGate(isNew: boolean, restored?: SwitchCommand): Gate {
  return new NodeGate(isNew, restored)
}

/** The node counts as changing until the log, too, has finished with a command. */
export function heldDuring(gate: Gate, log: ChainStep): ChainStep {
  return async (request, next) => {
    if (request.about.effect === 'read') return log(request, next)
    const release = gate.hold()
    try {
      return await log(request, next)
    } finally {
      release()
    }
  }
}

class NodeGate implements Gate {
  readonly snapshots = createNodeSnapshots()
  isUnsettled: boolean
  hasStillTime = false
  mines: boolean | undefined
  isOffForNow = false
  clientSwitch: SwitchCommand | undefined
  private minesByTheClock = false
  /** Counts the beginnings and ends of changes; `changing` counts those that have not ended. */
  private version = 0
  private changing = 0
  private readonly unanswered = new Set<() => void>()
  private readonly waiting: (() => void)[] = []
  /** Requests that others may have to wait for: all, the changes among them, and of these all but transactions. */
  private readonly underWay = { all: newSet(), changes: newSet(), settings: newSet() }
  private readonly oneAlone = serialQueue()
  private alone: Promise<unknown> | undefined
  private sharing: Promise<unknown> | undefined
  /** Transactions may be in the pool, about to be mined. */
  private mayHavePooled = false

  constructor(isNew: boolean, restored?: SwitchCommand) {
    this.isUnsettled = !isNew
    this.clientSwitch = restored
  }

  readonly step: ChainStep = async (request, next) => {
    if (request.about.effect === 'read') return this.enter(request, next)
    // Without an answer the node may still carry it out at any time, so this change does not end.
    const end = this.hold()
    this.unanswered.add(end)
    this.stir()
    try {
      const answer = await this.enter(request, next)
      this.unanswered.delete(end)
      this.noteAnswer(request, answer.error !== undefined)
      end()
      return answer
    } finally {
      this.stir()
    }
  }

  mark(): string | undefined {
    if (this.changing > 0 || this.isUnsettled || this.minesByTheClock) return undefined
    // If the node's time runs, it follows the machine's in whole seconds, and interest accrues with it.
    return this.hasStillTime
      ? `${this.version}`
      : `${this.version} ${Math.floor(Date.now() / 1000)}`
  }

  async settle(pooled: () => Promise<Pooled>): Promise<void> {
    const before = this.version
    const { pending, queued } = await pooled()
    const isEmpty = BigInt(pending) === 0n && BigInt(queued) === 0n
    if (this.version === before && this.changing === 0 && isEmpty) this.isUnsettled = false
  }

  hold(): () => void {
    let hasEnded = false
    this.version++
    this.changing++
    return () => {
      if (hasEnded) return
      hasEnded = true
      this.version++
      this.changing--
    }
  }

  stirs(): Promise<void> {
    return new Promise((resolve) => this.waiting.push(resolve))
  }

  renew(restored?: SwitchCommand): void {
    this.clientSwitch = restored && (this.clientSwitch ?? restored)
    this.minesByTheClock = false
    for (const end of [...this.unanswered, this.hold()]) end()
    this.isUnsettled = true
    this.mayHavePooled = true
    this.mines = undefined
    this.snapshots.renew()
    this.stir()
  }

  private stir(): void {
    for (const go of this.waiting.splice(0)) go()
  }

  private enter(request: NodeRequest, next: PassOn): Promise<NodeAnswer> {
    const { about, by } = request
    if (about.turn === 'snapshot' || takesBack(about))
      return this.inTurn(() => this.goAlone(request, next))
    if (locksTwice(request)) return this.betweenBlocks(request, next)
    const isShared = about.turn === 'shared block' && by === 'service'
    return isShared ? this.share(request, next) : this.pass(request, next)
  }

  /** Passes on a request that need not run alone, once nothing else does. */
  private async pass(request: NodeRequest, next: PassOn): Promise<NodeAnswer> {
    const { about, by } = request
    const mayGoBeside = about.effect === 'read' && about.turn !== 'mining mode'
    for (;;) {
      if (this.alone) await this.alone
      else if (this.sharing && !mayGoBeside) await this.sharing
      else break
    }
    const waits = about.effect === 'send' && this.mines === false
    const answered = next(request)
    this.noteSent(request)
    if (!waits) this.count(about, by === 'client' ? untilAnswered([about], answered) : answered)
    return answered
  }

  private count({ effect, turn }: Method, work: Promise<unknown>): void {
    const { all, changes, settings } = this.underWay
    const sets = [all]
    if (effect !== 'read') sets.push(changes)
    if (turn === 'mining mode' || (effect !== 'read' && effect !== 'send')) sets.push(settings)
    const ended = work.catch(() => {})
    for (const set of sets) set.add(ended)
    void ended.then(() => {
      for (const set of sets) set.delete(ended)
    })
  }

  /** Has transactions mined in one block. Meanwhile nothing else may change the node, take a snapshot or ask for its mining mode. */
  private async share(request: NodeRequest, next: PassOn): Promise<NodeAnswer> {
    while (this.alone ?? this.sharing) await (this.alone ?? this.sharing)
    const work = (async () => {
      // A transaction that waits for its block does not hold it up.
      await Promise.all(this.underWay.settings)
      const send = (method: string, params: unknown[]) => next(partOf(request, method, params))
      return sendInOneBlock(send, request.params as object[])
    })()
    this.noteSent(request)
    this.count(request.about, work)
    const ended = work
      .catch(() => {})
      .finally(() => {
        this.sharing = undefined
      })
    this.sharing = ended
    return work
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.oneAlone(async () => {
      const done = work()
      this.alone = done.catch(() => {})
      return done.finally(() => {
        this.alone = undefined
      })
    })
  }

  private async goAlone(request: NodeRequest, next: PassOn): Promise<NodeAnswer> {
    const ask = askOver(request, next)
    await this.untilQuiet(ask, this.underWay.all)
    return (await this.snapshots.refusalOf(request, ask)) ?? this.snapshots.noted(request, next)
  }

  /** Begins the read while nothing changes the node: it takes its locks at the beginning. */
  private async betweenBlocks(request: NodeRequest, next: PassOn): Promise<NodeAnswer> {
    const [answer] = await this.inTurn(async () => {
      await this.untilQuiet(askOver(request, next), this.underWay.changes)
      const answered = next(request)
      await soon([answered.catch(() => {})])
      return [answered]
    })
    return answer!
  }

  private async untilQuiet(ask: AskNode, underWay: Iterable<Promise<unknown>>): Promise<void> {
    const until = performance.now() + patienceMs
    await soon(underWay)
    await this.sharing
    while (this.mines !== false && this.mayHavePooled && performance.now() < until) {
      const { pending } = await ask<Pooled>('txpool_status')
      this.mayHavePooled = Number(pending) > 0
    }
  }

  private noteSent({ about: { effect, name, turn } }: NodeRequest): void {
    if (effect === 'beyond' || name === 'loadState') this.snapshots.mayHaveLost()
    // A revert before its transaction has left the pool would lose a later one with its nonce.
    if (effect === 'send') this.mayHavePooled = true
    if (turn === 'mining mode' && effect !== 'read') this.mines = undefined
  }

  private noteAnswer(request: NodeRequest, hasFailed: boolean): void {
    const effect = methodEffect(request.method, request.params)
    const { name, turn, waitsForBlock } = request.about
    const first = firstParam(request)
    // Other pooled transactions may be mined later. A revert leaves the pool as it is.
    if ((effect === 'beyond' && name !== 'revert') || name === 'setAutomine')
      this.isUnsettled = true
    if (effect === 'send' && (hasFailed || !(waitsForBlock || name === sharedBlockMethod)))
      this.isUnsettled = true
    if (name === 'setBlockTimestampInterval') this.hasStillTime = !hasFailed && Number(first) === 0
    if (['removeBlockTimestampInterval', 'reset', 'loadState'].includes(name))
      this.hasStillTime = false
    if (!hasFailed) this.noteSwitch(request)
    if (name === 'setIntervalMining') this.minesByTheClock = hasFailed || Number(first) !== 0
    if (name === 'setAutomine' && first === true && !hasFailed) this.minesByTheClock = false
    if (name === 'setAutomine' && !hasFailed)
      this.isOffForNow = first !== true && request.forNow === true
    // After an error callers ask the node.
    if (turn === 'mining mode' && effect !== 'read')
      this.mines = hasFailed ? undefined : name === 'setAutomine' && first === true
  }

  private noteSwitch(request: NodeRequest): void {
    const { about, method, params, forNow } = request
    const isSwitch = about.name === 'setAutomine' || about.name === 'setIntervalMining'
    // While a node mines at an interval, it ignores `evm_setAutomine [false]`.
    const isIgnored =
      about.name === 'setAutomine' && firstParam(request) !== true && this.minesByTheClock
    if (!isSwitch || isIgnored) return
    const isOn = about.name === 'setAutomine' && firstParam(request) === true
    this.clientSwitch = isOn || forNow ? undefined : { method, params }
  }
}

const newSet = (): Set<Promise<unknown>> => new Set()

/** A request that is part of another one, of the same sender. */
function partOf(request: NodeRequest, method: string, params: unknown[]): NodeRequest {
  return { ...request, ...nodeRequest(request.network, request.by, method, params) }
}

/** Without a tracer the node only lists recorded steps. */
function locksTwice({ about, params }: NodeRequest): boolean {
  if (about.turn !== 'between blocks') return false
  return about.name === 'nodeInfo' || (Array.isArray(params) && params.some(hasTracer))
}

const hasTracer = (options: unknown): boolean =>
  typeof options === 'object' && options !== null && 'tracer' in options
