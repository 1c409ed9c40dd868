import { setTimeout as wait } from 'node:timers/promises'
import type { Hex } from 'viem'
import { serialQueue } from '../../lib/serialQueues.js'
import { isRead, methodOf, takesBack } from './methods.js'
import { answerInOrder, type ChainMessage, type ChainStep, type PassOn } from './pipeline.js'
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

interface Request {
  id?: unknown
  method: string
  params?: unknown
}

interface Answer {
  result?: unknown
}

type ToNode = (request: Request) => Promise<string>

const takes = (method: string): boolean => methodOf(method).turn === 'snapshot'
const reverts = (method: string): boolean => methodOf(method).turn === 'revert'
const isGuarded = (method: string): boolean => takes(method) || takesBack(method)
/** Without a tracer the node only lists recorded steps. */
const locksTwice = (method: string, text: string): boolean => {
  const { turn, name } = methodOf(method)
  return turn === 'between blocks' && (name === 'nodeInfo' || text.includes('"tracer"'))
}

/** Slower requests (a read of a slow fork, a transaction behind a nonce gap) do not hold up the others. Milliseconds of the machine. */
const patienceMs = 1_000

/** Resolves when all have ended, or after `patienceMs`. */
const soon = (all: Iterable<Promise<unknown>>): Promise<unknown> =>
  Promise.race([Promise.all(all), wait(patienceMs, undefined, { ref: false })])

const askOver =
  (toNode: ToNode): AskNode =>
  async (method, ...params) =>
    (JSON.parse(await toNode({ id: 0, method, params })) as Answer).result as never

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

  readonly step: ChainStep = async (message, next) => {
    const { methods, text } = message
    const toNode: ToNode = (asked) => next(messageOf(asked, message))
    if (!methods.some((method) => isGuarded(method) || locksTwice(method, text)))
      return this.pass(message, next)
    const one = (request: Request): Promise<string> => {
      if (isGuarded(request.method)) return this.inTurn(() => this.perform(request, toNode))
      return locksTwice(request.method, text)
        ? this.betweenBlocks(toNode, () => toNode(request))
        : this.pass(messageOf(request, message), next)
    }
    return answerInOrder(text, one)
  }

  /** Passes on a message that need not run alone, once nothing runs alone. */
  private async pass(message: ChainMessage, next: PassOn): Promise<string> {
    while (this.alone) await this.alone
    const { text, methods } = message
    const sends = methods.some((method) => methodOf(method).effect === 'send')
    const waits = sends && !this.mines
    const answered = next(message)
    this.note(methods, text)
    if (waits) return answered
    const counted = message.by === 'client' ? untilAnswered(methods, answered) : answered
    const ended = counted.catch(() => {})
    this.underWay.add(ended)
    if (!methods.every(isRead)) this.changing.add(ended)
    void ended.then(() => {
      this.underWay.delete(ended)
      this.changing.delete(ended)
    })
    return answered
  }

  private note(methods: readonly string[], text: string): void {
    for (const method of methods) {
      const { name, effect } = methodOf(method)
      if (effect === 'beyond' || name === 'loadState') this.unsure = this.newest
      // A receipt comes a moment before its transaction leaves the pool. A revert in that moment would lose a later transaction with its nonce.
      if (effect === 'send') this.mayHavePooled = true
      if (name === 'setAutomine') this.mines = /\[\s*true\s*\]/.test(text)
      if (name === 'setIntervalMining') this.mines = false
    }
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
  private async betweenBlocks(toNode: ToNode, read: () => Promise<string>): Promise<string> {
    const [answer] = await this.inTurn(async () => {
      await this.untilQuiet(askOver(toNode), this.changing)
      const answered = read()
      await soon([answered.catch(() => {})])
      return [answered]
    })
    return answer!
  }

  private async perform(request: Request, toNode: ToNode): Promise<string> {
    const ask = askOver(toNode)
    await this.untilQuiet(ask, this.underWay)
    const id = reverts(request.method) ? idOf(request) : undefined
    const fate = id === undefined ? 'lives' : await this.fateOf(id, ask)
    if (fate === 'unknown') return answerTo(request, { result: false })
    if (fate !== 'lives')
      return refusal(request, `snapshot ${firstOf(request)} is gone: ${fate.death}`, 'take another')
    if (await this.endsStart(request, id, ask)) return startRefusal(request)
    if (id === undefined && !takes(request.method)) this.unsure = this.newest
    const text = await toNode(request)
    const { result } = JSON.parse(text) as Answer
    if (takes(request.method) && typeof result === 'string') {
      this.newest = BigInt(result)
      this.alive.add(this.newest)
    }
    if (id !== undefined && result === true)
      this.alive = new Set([...this.alive].filter((other) => other < id))
    return text
  }

  /** Whether the request would end the snapshot that a reset restores. */
  private async endsStart(
    request: Request,
    id: bigint | undefined,
    ask: AskNode,
  ): Promise<boolean> {
    if (!this.start) return false
    if (id !== undefined) return id <= BigInt(this.start.id)
    if (!takesBack(request.method)) return false
    // By default the node takes back one block, and it accepts only numbers.
    const blocks = Number(firstOf(request) ?? 1)
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

/** One request as a message of the same sender. */
function messageOf(request: Request, by: ChainMessage): ChainMessage {
  const text = JSON.stringify({ jsonrpc: '2.0', ...request })
  return { ...by, text, methods: [request.method] }
}

/** Undefined when it is no number; `processIds.ts` refuses such requests of clients. */
function idOf(request: Request): bigint | undefined {
  return quantityOf(firstOf(request))
}

function firstOf({ params }: Request): unknown {
  return Array.isArray(params) ? (params as unknown[])[0] : undefined
}

function startRefusal(request: Request): string {
  const first = firstOf(request)
  return reverts(request.method)
    ? refusal(
        request,
        `snapshot ${first} is the simulator's own, which a reset returns to, or older`,
        'revert to one that evm_snapshot has given you',
      )
    : refusal(
        request,
        `${request.method} ${first ?? 1} would take back the block that a reset returns to`,
        'take back fewer',
      )
}

function refusal(request: Request, why: string, instead: string): string {
  const message = `${why}. Nothing was changed; ${instead}, or use POST /_sim/reset`
  return answerTo(request, { error: { code: -32000, message } })
}

function answerTo({ id }: Request, answer: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id: id ?? null, ...answer })
}
