import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import pTimeout from 'p-timeout'
import type { Hex } from 'viem'
import { serialQueue } from '../../lib/serialQueues.js'
import type { DataLog, LoggedPart } from '../../wal/dataLog.js'
import type { NetworkName } from '../deployments/networks.js'
import { type CommandKind, commandKind, type NodeCommand } from '../node/nodeCommand.js'
import type { Channel } from '../node/nodeSocket.js'
import { type BareNode, bareNode, type RpcAnswer } from './bareNode.js'
import { createNodeSettings } from './nodeSettings.js'

/**
 * The commands of one node. What changes it is in the log before it is done, one command at a time; so whatever anybody has seen of
 * the chain can be done again, block by block. Reads go past it.
 */
export interface NodeCommands {
  /** A connection to the node whose commands are logged. */
  over(channel: Channel): Channel
  /** Does again what the log has; before anything else. Resolves to whether the same blocks came out. */
  replay(commands: readonly NodeCommand[]): Promise<boolean>
  part: LoggedPart
}

/**
 * Puts the log in front of a node.
 *
 * @param own A connection to the node that nobody else uses.
 * @param onSurprise Told when the chain has blocks that did not come from commands; they are kept by a checkpoint.
 */
export function logCommands(
  network: NetworkName,
  own: Channel,
  log: DataLog,
  onSurprise: (message: string) => void,
): NodeCommands {
  return new LoggedNode(network, bareNode(network, own), log, onSurprise)
}

/** The log was closed meanwhile, so nothing was done: the command has to come again. */
class ComeAgain extends Error {}

/** The chain has blocks that the log does not know of. */
class UnknownBlocks extends Error {}

/** Sends a command on to the node; resolves to its answer. */
type Send = () => Promise<string>

class LoggedNode implements NodeCommands {
  readonly part: LoggedPart
  private readonly network: NetworkName
  private readonly node: BareNode
  private readonly log: DataLog
  private readonly onSurprise: (message: string) => void
  private readonly inTurn = serialQueue()
  private readonly settings = createNodeSettings()
  /** The latest block that came from a command; undefined when that has to be looked up. */
  private head: Hex | undefined

  constructor(
    network: NetworkName,
    node: BareNode,
    log: DataLog,
    onSurprise: (message: string) => void,
  ) {
    this.network = network
    this.node = node
    this.log = log
    this.onSurprise = onSurprise
    this.part = { name: network, content: (mark) => this.inTurn(() => this.content(mark)) }
  }

  over(channel: Channel): Channel {
    return {
      exchange: async (text, timeoutMs, methods) => {
        const isRead = (method: string) => commandKind(method, undefined) === 'read'
        if (methods?.every(isRead)) return channel.exchange(text, timeoutMs, methods)
        const message = JSON.parse(text) as NodeCommand | NodeCommand[]
        const one = (request: NodeCommand): Promise<string> =>
          this.run({ method: request.method, params: request.params ?? [] }, () =>
            channel.exchange(JSON.stringify(request), timeoutMs, [request.method]),
          )
        if (!Array.isArray(message)) return one(message)
        const answers: string[] = []
        for (const request of message) answers.push(await one(request))
        return `[${answers.join(',')}]`
      },
      close: () => channel.close(),
    }
  }

  async replay(commands: readonly NodeCommand[]): Promise<boolean> {
    const { node } = this
    // A node takes no time before that of its start, unless it is told to.
    await node.setTime(Number((await node.block('latest')).timestamp))
    for (const command of commands) await this.again(command)
    const { hash, parentHash, timestamp } = await node.block('latest')
    // From here on it has the machine's time again, as after any start.
    await node.setTime(Math.max(Math.floor(Date.now() / 1000), Number(timestamp)))
    const last = commands.findLast(({ on }) => on !== undefined)
    // The second: the last command made no block.
    return last === undefined || parentHash === last.on || hash === last.on
  }

  private async again({ method, params, at }: NodeCommand): Promise<void> {
    const { node, settings } = this
    if (at === undefined) {
      // Nobody waits for a block where none is mined.
      const { error } = await node.tell(method.replace(/Sync$/, ''), params)
      if (!error) settings.done({ method, params })
      return
    }
    await node.ask('evm_setNextBlockTimestamp', [at])
    const answer = await unlessLate(node.tell(method, params))
    if (!answer) settings.done({ method, params })
    if (!answer || answer.error) return node.setTime(at)
    settings.mined()
    if (!method.endsWith('Sync')) await node.untilMined()
  }

  private async run(command: NodeCommand, send: Send): Promise<string> {
    const { log, inTurn } = this
    const kind = commandKind(command.method, command.params)
    if (kind === 'read') return send()
    if (kind === 'beyond')
      return log.replace(() =>
        inTurn(() => {
          this.head = undefined
          return send()
        }),
      )
    const { life } = log
    for (;;) {
      if (log.isClosed) await log.opened()
      // An interrupted sender left it behind; nobody waits for it in the life that has begun.
      if (log.life !== life) throw new Error('everything was restored before it was sent')
      try {
        const answered = await inTurn(() => this.perform(kind, command, send))
        return await answered()
      } catch (error) {
        if (error instanceof UnknownBlocks) await this.keepUnknown()
        else if (!(error instanceof ComeAgain)) throw error
      }
    }
  }

  /** Resolves when the turn may end, to the answer. */
  private async perform(
    kind: Exclude<CommandKind, 'read' | 'beyond'>,
    command: NodeCommand,
    send: Send,
  ): Promise<Send> {
    if (kind === 'send' && !this.settings.mines) return this.pool(command, send)
    if (kind === 'mine' || kind === 'send') return this.makeBlock(command, send)
    if (kind !== 'time') await this.append(command)
    const answer = await send()
    if (kind !== 'time' && !isError(answer)) this.settings.done(command)
    return async () => answer
  }

  private async makeBlock(command: NodeCommand, send: Send): Promise<Send> {
    const { node } = this
    const [{ timestamp, parentHash: on }, { queued }] = await Promise.all([
      node.block('pending'),
      node.pooled(),
    ])
    if (this.head !== undefined && this.head !== on) throw new UnknownBlocks()
    const at = Number(timestamp)
    await this.append({ ...command, at, on })
    await node.ask('evm_setNextBlockTimestamp', [at])
    const sent = send()
    const answer = await unlessLate(sent)
    // Others may come with it, whose turn it makes.
    if (!command.method.endsWith('Sync') || Number(queued) > 0) await node.untilMined()
    const latest = await node.block('latest')
    this.head = latest.hash
    if (latest.hash === on) {
      // There was no block: the time must not wait for the next one. What waits for another nonce lets the next have its turn.
      await node.setTime(at)
      if (answer === undefined || !isError(answer)) this.settings.done(command)
      return () => sent
    }
    this.settings.mined()
    if (latest.parentHash === on) return () => sent
    // What had waited for it came in a block of its own, whose time nobody chose.
    return async () => {
      await this.keepUnknown()
      return sent
    }
  }

  /** A transaction that nobody mines. The turn ends when the node has it; its answer may come much later. */
  private async pool(command: NodeCommand, send: Send): Promise<Send> {
    await this.append(command)
    const before = await this.node.pooled()
    let isAnswered = false
    const sent = send().finally(() => {
      isAnswered = true
    })
    sent.catch(() => {})
    const isTaken = async (): Promise<boolean> => {
      const { pending, queued } = await this.node.pooled()
      return pending !== before.pending || queued !== before.queued
    }
    while (!isAnswered && !(await isTaken()));
    this.settings.done(command)
    return () => sent
  }

  private append(command: NodeCommand): Promise<void> {
    // Who has the turn must not wait for a checkpoint, which needs the turn as well.
    if (this.log.isClosed) throw new ComeAgain()
    return this.log.append(this.network, command)
  }

  private keepUnknown(): Promise<void> {
    this.onSurprise(
      `${this.network}: the chain has blocks that no command made; it is written down as it is`,
    )
    return this.log.replace(async () => {
      this.head = undefined
    })
  }

  /** anvil dumps gzipped JSON as hex, but starts only from plain JSON. */
  private async content(mark: Parameters<LoggedPart['content']>[0]): Promise<Buffer[]> {
    const marked = mark(this.settings.commands())
    const dump = await this.node.ask<string>('anvil_dumpState')
    await marked
    return [await promisify(gunzip)(Buffer.from(dump.slice(2), 'hex'))]
  }
}

/** What takes longer than any block waits for something: a nonce that comes first. Milliseconds of the machine. */
const lateAfterMs = 2_000

function unlessLate<T>(answer: Promise<T>): Promise<T | undefined> {
  answer.catch(() => {}) // whoever sent it hears of that
  return pTimeout(answer, { milliseconds: lateAfterMs, fallback: () => undefined })
}

function isError(answer: string): boolean {
  return (JSON.parse(answer) as RpcAnswer).error !== undefined
}
