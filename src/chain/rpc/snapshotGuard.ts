import { setTimeout as wait } from 'node:timers/promises'
import type { Hex } from 'viem'
import { serialQueue } from '../../lib/serialQueues.js'
import { type Method, takesBack } from './methods.js'
import type { NodeAnswer } from './nodeSocket.js'
import { askOver, type ChainStep, firstParam, type NodeRequest, type PassOn } from './pipeline.js'
import { untilAnswered } from './receiptWait.js'
import type { AskNode } from './rpc.js'
import { quantityOf } from './rpcValues.js'

/**
 * Guards a node against requests that break it (anvil 1.7.1), above all its snapshots (`evm_snapshot`, `evm_revert`):
 *
 * - A revert ends all snapshots that were taken after its own, but the node still lists them. A revert to one of those, or to a block that
 *   was taken back since, would leave the node without a latest block. Such reverts are refused.
 * - A snapshot or a revert that overlaps with mining or a read would mix two states. So they run alone, like everything else that
 *   takes blocks back.
 * - A reset restores a snapshot. Requests that would end that snapshot, or take its block back, are refused.
 * - A revert to an unknown id returns `false` and yet ends snapshots; with the highest possible id, all of them. Such ids are not passed
 *   on.
 * - A trace by a tracer locks the blocks twice. If a block is stored in between, trace and block wait for each other, and the node never
 *   answers again. So such a trace begins while no block is being mined, and so does `anvil_nodeInfo`, which locks the environment of the
 *   next block twice.
 */
export interface SnapshotGuard {
  readonly step: ChainStep
  /** The snapshot that resets restore from now on; undefined for none. */
  keepStart(start: StartSnapshot | undefined): void
  /** Whether a revert has ended this one, although the node still lists it. */
  hasEnded(id: Hex): boolean
  /** Whether no other snapshot was taken after this one. */
  isNewest(id: Hex): boolean
  /** Whether this one certainly exists, with its block, so that the node need not be asked. */
  isSure(id: Hex): boolean
  /** The node has a new process, without the snapshots. */
  renew(): void
}

/** The snapshot that a reset restores. */
export interface StartSnapshot {
  id: Hex
  /** Number and hash of its block. */
  block: readonly [number: number, hash: Hex]
}

const isGuarded = (about: Method): boolean => about.turn === 'snapshot' || takesBack(about)
/** Without a tracer the node only lists recorded steps. */
const locksTwice = ({ about, params }: NodeRequest): boolean =>
  about.turn === 'between blocks' &&
  (about.name === 'nodeInfo' || (Array.isArray(params) && params.some(hasTracer)))
const hasTracer = (options: unknown): boolean =>
  typeof options === 'object' && options !== null && 'tracer' in options

/** Slower requests (a read of a slow fork, a transaction behind a nonce gap) do not hold up the others. Milliseconds of the machine. */
const patienceMs = 1_000

/** Resolves when all have ended, or after `patienceMs`. */
const soon = (all: Iterable<Promise<unknown>>): Promise<unknown> =>
  Promise.race([Promise.all(all), wait(patienceMs, undefined, { ref: false })])

/** A guard for a node without snapshots. */
export function createSnapshotGuard(): SnapshotGuard {
  return new Guard()
}

class Guard implements SnapshotGuard {
  private readonly underWay = new Set<Promise<unknown>>()
  /** Those of them that change the node. */
  private readonly changing = new Set<Promise<unknown>>()
  private readonly oneAlone = serialQueue()
  private alone: Promise<unknown> | undefined
  private mines = true
  /** Transactions may be in the pool, about to be mined. */
  private mayHavePooled = false
  private alive = new Set<bigint>()
  private newest = -1n
  /** The newest snapshot when blocks were last replaced other than by a revert: it and older ones may have lost their blocks. */
  private unsure = -1n
  private start: StartSnapshot | undefined

  keepStart(start: StartSnapshot | undefined): void {
    this.start = start
  }

  hasEnded(id: Hex | bigint): boolean {
    return BigInt(id) <= this.newest && !this.alive.has(BigInt(id))
  }

  isNewest(id: Hex): boolean {
    return BigInt(id) === this.newest
  }

  isSure(id: Hex | bigint): boolean {
    return this.alive.has(BigInt(id)) && BigInt(id) > this.unsure
  }

  renew(): void {
    this.alive = new Set()
    this.newest = -1n
    this.unsure = -1n
    this.start = undefined
    this.mines = true
    this.mayHavePooled = true
  }

  readonly step: ChainStep = async (request, next) => {
    if (isGuarded(request.about)) return this.inTurn(() => this.perform(request, next))
    return locksTwice(request) ? this.betweenBlocks(request, next) : this.pass(request, next)
  }

  /** Passes on a request that need not run alone, once nothing runs alone. */
  private async pass(request: NodeRequest, next: PassOn): Promise<NodeAnswer> {
    while (this.alone) await this.alone
    const { about, by } = request
    const waits = about.effect === 'send' && !this.mines
    const answered = next(request)
    this.note(request)
    if (waits) return answered
    const counted = by === 'client' ? untilAnswered([about], answered) : answered
    const ended = counted.catch(() => {})
    this.underWay.add(ended)
    if (about.effect !== 'read') this.changing.add(ended)
    void ended.then(() => {
      this.underWay.delete(ended)
      this.changing.delete(ended)
    })
    return answered
  }

  private note(request: NodeRequest): void {
    const { name, effect } = request.about
    if (effect === 'beyond' || name === 'loadState') this.unsure = this.newest
    // A receipt comes a moment before its transaction leaves the pool. A revert in that moment would lose a later transaction with its nonce.
    if (effect === 'send') this.mayHavePooled = true
    if (name === 'setAutomine') this.mines = firstParam(request) === true
    if (name === 'setIntervalMining') this.mines = false
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

  /** Begins the read while nothing changes the node: it takes its locks at the beginning. */
  private async betweenBlocks(request: NodeRequest, next: PassOn): Promise<NodeAnswer> {
    const [answer] = await this.inTurn(async () => {
      await this.untilQuiet(askOver(request, next), this.changing)
      const answered = next(request)
      await soon([answered.catch(() => {})])
      return [answered]
    })
    return answer!
  }

  private async perform(request: NodeRequest, next: PassOn): Promise<NodeAnswer> {
    const { turn } = request.about
    const ask = askOver(request, next)
    await this.untilQuiet(ask, this.underWay)
    const id = turn === 'revert' ? idOf(request) : undefined
    const fate = id === undefined ? 'lives' : await this.fateOf(id, ask)
    if (fate === 'unknown') return { result: false }
    if (fate !== 'lives')
      return refusal(`snapshot ${firstParam(request)} is gone: ${fate.death}`, 'take another')
    if (await this.endsStart(request, id, ask)) return startRefusal(request)
    if (id === undefined && turn !== 'snapshot') this.unsure = this.newest
    const answer = await next(request)
    const { result } = answer
    if (turn === 'snapshot' && typeof result === 'string') {
      this.newest = BigInt(result)
      this.alive.add(this.newest)
    }
    if (id !== undefined && result === true)
      this.alive = new Set([...this.alive].filter((other) => other < id))
    return answer
  }

  /** Whether the request would end the snapshot that a reset restores. */
  private async endsStart(
    request: NodeRequest,
    id: bigint | undefined,
    ask: AskNode,
  ): Promise<boolean> {
    if (!this.start) return false
    if (id !== undefined) return id <= BigInt(this.start.id)
    if (!takesBack(request.about)) return false
    // By default the node takes back one block, and it accepts only numbers.
    const blocks = Number(firstParam(request) ?? 1)
    const [lowest] = this.start.block
    return Number(await ask('eth_blockNumber')) - blocks < lowest
  }

  private async untilQuiet(ask: AskNode, underWay: Iterable<Promise<unknown>>): Promise<void> {
    const until = performance.now() + patienceMs
    await soon(underWay)
    while (this.mines && this.mayHavePooled && performance.now() < until) {
      const { pending } = (await ask('txpool_status')) as { pending: string }
      this.mayHavePooled = Number(pending) > 0
    }
  }

  /** Whether the node can revert to this snapshot, why it no longer can, or that the id is unknown. */
  private async fateOf(id: bigint, ask: AskNode): Promise<'lives' | 'unknown' | { death: string }> {
    if (this.hasEnded(id)) return { death: 'a revert to it, or to an older one, has ended it' }
    if (this.isSure(id)) return 'lives'
    const { snapshots } = (await ask('anvil_metadata')) as {
      snapshots: Record<string, [number, string]>
    }
    const block = snapshots[`0x${id.toString(16)}`]
    if (!block) return 'unknown'
    if (await ask('eth_getBlockByHash', block[1], false)) return 'lives'
    return { death: `its block ${block[0]} was taken back` }
  }
}

/** Undefined when it is no number; `processIds.ts` refuses such requests of clients. */
function idOf(request: NodeRequest): bigint | undefined {
  return quantityOf(firstParam(request))
}

function startRefusal(request: NodeRequest): NodeAnswer {
  const first = firstParam(request)
  return request.about.turn === 'revert'
    ? refusal(
        `snapshot ${first} is the simulator's own, which a reset returns to, or older`,
        'revert to one that evm_snapshot has given you',
      )
    : refusal(
        `${request.method} ${first ?? 1} would take back the block that a reset returns to`,
        'take back fewer',
      )
}

function refusal(why: string, instead: string): NodeAnswer {
  const message = `${why}. Nothing was changed; ${instead}, or use POST /_sim/reset`
  return { error: { code: -32000, message } }
}
