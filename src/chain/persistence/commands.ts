import type { Hex } from 'viem'
import { serialQueue } from '../../lib/serialQueues.js'
import type { DataLog, LoggedPart } from '../../wal/dataLog.js'
import type { CommandLog, NodeCommand, NodeHandle, SettingLeft } from '../rpc/commandLog.js'
import { type MethodEffect, methodEffect, sharedBlockMethod } from '../rpc/methods.js'
import { ConnectionLost, type NodeAnswer, openChannel } from '../rpc/nodeSocket.js'
import type { ChainStep } from '../rpc/pipeline.js'
import { notMiningAnswer } from '../rpc/sharedBlock.js'
import { type BareNode, bareNode } from './bareNode.js'
import { createNodeHistory, type NodeHistory, type NodeSource, nodeContent } from './nodeContent.js'
import { createNodeClock, createNodeSettings, type NodeClock } from './nodeSettings.js'
import { type Ask, createPendingReplies, type PendingReplies } from './pendingReplies.js'
import { createCrashSuspect, DiedAt, dyingAt, replay, stuckText, unlessLate } from './replay.js'

/**
 * The commands of one node. Every change is logged before it is carried out, one command at a time. So everything that anybody has seen
 * of the chain can be replayed, block by block: at the next start, and in a new process when the node has died. Reads bypass the log.
 */
export interface NodeCommands extends CommandLog {
  /** Replays the log; call it before anything else. Resolves to whether the blocks are the same as before. */
  replay(commands: readonly NodeCommand[]): Promise<boolean>
  part: LoggedPart
}

/** How a node was started. */
export interface NodeOrigin {
  /** Path of the state file; undefined for a fork, which begins without one. */
  file: string | undefined
  /** How many reads of a fork's upstream have failed so far. */
  failedReads?: () => number
}

/**
 * Puts the log in front of a node.
 *
 * @param onSurprise Called when the chain has blocks that did not come from commands; a checkpoint then saves them.
 */
export function logCommands(
  handle: NodeHandle,
  origin: NodeOrigin,
  log: DataLog,
  onSurprise: (message: string) => void,
): NodeCommands {
  return new LoggedNode(handle, origin, log, onSurprise)
}

/** A command to run. */
interface SentCommand {
  command: NodeCommand
  send: Ask
}

/** The log was closed meanwhile, and nothing was done: the command has to be run again. */
class LogClosed extends Error {}

/** The chain has blocks that the log does not know of. */
class UnknownBlocks extends Error {}

class LoggedNode implements NodeCommands {
  readonly part: LoggedPart
  private readonly handle: NodeHandle
  readonly node: BareNode
  private readonly log: DataLog
  private readonly onSurprise: (message: string) => void
  private readonly failedReads: () => number
  private readonly inTurn = serialQueue()
  settings = createNodeSettings()
  private readonly clock: NodeClock
  readonly history: NodeHistory
  /** What the state of `keepStart` is rebuilt from. */
  private start: NodeSource | undefined
  readonly pendingReplies: PendingReplies
  private readonly crashSuspect = createCrashSuspect()
  /** How many commands were left out because the node died of them. */
  private leftOut = 0
  /** The latest block that came from a command; undefined when unknown. */
  private head: Hex | undefined

  constructor(
    handle: NodeHandle,
    { file, failedReads = () => 0 }: NodeOrigin,
    log: DataLog,
    onSurprise: (message: string) => void,
  ) {
    this.handle = handle
    this.node = bareNode(handle.network, openChannel(handle.socket))
    this.log = log
    this.onSurprise = onSurprise
    this.failedReads = failedReads
    this.clock = createNodeClock(this.node)
    this.pendingReplies = createPendingReplies({ lifecycle: handle.lifecycle, node: this.node })
    this.history = createNodeHistory(file)
    this.part = {
      name: handle.network,
      content: (mark) => handle.lifecycle.whileUp(() => this.inTurn(() => nodeContent(this, mark))),
      written: this.history.written,
    }
  }

  /** Runs commands one by one and lets reads pass. */
  readonly step: ChainStep = (request, next) => {
    const { about, by, method, params = [], forNow } = request
    const send = (): Promise<NodeAnswer> => next(request)
    // The node refuses a client's use of the service's own method, so that is no command.
    const isNone = by === 'client' && about.turn === 'shared block'
    const isFree = about.effect === 'read' && about.turn !== 'mining mode'
    return isNone || isFree
      ? this.handle.lifecycle.whileUp(send)
      : this.run({ command: { method, params, ...(forNow && { forNow }) }, send })
  }

  async replay(commands: readonly NodeCommand[]): Promise<boolean> {
    for (const command of commands) this.history.add(command)
    this.crashSuspect.mayEndWith(commands.at(-1))
    const isSame = await this.takeIn(commands).catch((death) => {
      if (!(death instanceof DiedAt)) throw death
      this.crashSuspect.of(death.command)
      return this.fromHistory()
    })
    this.crashSuspect.cleared()
    // From here on, the node's time runs with the machine's again.
    await this.clock.putBack(this.node)
    return isSame
  }

  readonly keepStart = (): void => {
    this.start = this.history.source
    this.log.hold(this.handle.network)
  }

  readonly leftovers = (): readonly SettingLeft[] => this.settings.leftovers()

  readonly switchedOff = (): NodeCommand | undefined => this.settings.switchedOff

  readonly bringBack = (to: 'now' | 'start'): Promise<boolean> =>
    this.inTurn(async () => {
      if (to === 'start' && !this.start) throw new Error('no start was marked')
      if (to === 'now') this.expectWhole()
      else this.history.markUnrepeatable()
      const { head, leftOut } = this
      const isSame = to === 'now' ? await this.fromHistory() : await this.startFrom(this.start!)
      const { hash, parentHash } = await this.node.block('latest')
      // `parentHash` matches when a command that was under way has mined a block.
      const isThere = to === 'start' || !head || [hash, parentHash].includes(head)
      if (!isSame || !isThere) throw new Error('other blocks came out of its log than it had')
      this.head = hash
      this.crashSuspect.cleared()
      await this.clock.putBack(this.node)
      return this.leftOut > leftOut
    })

  /** Replays the log in a new process. Leaves out commands that kill it repeatedly, unless their success was already reported. */
  private async fromHistory(): Promise<boolean> {
    for (;;) {
      try {
        return await this.startFrom(this.history.source)
      } catch (death) {
        if (!(death instanceof DiedAt)) throw death
        await this.leaveOut(death)
      }
    }
  }

  /** Leaves out the command that killed the node, or rejects with the reason why it must not be left out. */
  private async leaveOut(death: DiedAt): Promise<void> {
    const { command } = death
    const { network } = this.handle
    const verdict = this.crashSuspect.of(command)
    if (verdict === 'again') throw death
    if (verdict === 'acknowledged') throw new Error(stuckText(network, command))
    const { method } = command
    await this.log.leaveOut(network, method)
    this.history.dropLast()
    this.leftOut++
    const what = `${method} ended the ${network} node, and again when it was done once more. It is left out; everything before it is there`
    this.pendingReplies.leaveOut(command, what)
    this.onSurprise(what)
  }

  private async startFrom({ file, commands }: NodeSource): Promise<boolean> {
    await this.handle.startFrom(file)
    await this.node.ask('anvil_setLoggingEnabled', [false])
    return this.takeIn(commands)
  }

  private expectWhole(): void {
    if (this.history.isWhole && !this.log.isRestoring) return
    throw new Error(
      'it was being changed as a whole (a restore, a reset, blocks taken back), and that was not saved yet. The next start with this folder begins before it',
    )
  }

  /** Replays commands; resolves to whether the blocks are the same as before. */
  private async takeIn(commands: readonly NodeCommand[]): Promise<boolean> {
    const { node, pendingReplies } = this
    this.settings = createNodeSettings()
    pendingReplies.take(
      await replay({ node, settings: this.settings }, commands, pendingReplies.awaited),
    )
    // The node may die a moment after its answer.
    const { hash, parentHash } = await dyingAt(commands.at(-1), () => node.block('latest'))
    const last = commands.findLast(({ on }) => on !== undefined)
    // `hash` matches when the last command mined no block.
    return last === undefined || parentHash === last.on || hash === last.on
  }

  private async run(task: SentCommand): Promise<NodeAnswer> {
    const { log, inTurn, handle } = this
    const { method, params } = task.command
    const effect = methodEffect(method, params)
    if (effect === 'read') return handle.lifecycle.whileUp(() => inTurn(task.send))
    if (effect === 'beyond') return this.leaveLog(task)
    const { epoch } = log
    for (;;) {
      if (log.isClosed) await log.opened()
      try {
        const answered = await handle.lifecycle.whileUp(() => {
          // An interrupted sender left this command behind; after a restore it must not run.
          if (log.epoch !== epoch) throw new Error('everything was restored before it was sent')
          return inTurn(() => this.perform(effect, task))
        })
        return await answered()
      } catch (error) {
        if (error instanceof UnknownBlocks) await this.keepUnknown()
        else if (!(error instanceof LogClosed)) throw error
      }
    }
  }

  /** Runs a command that cannot be replayed. A checkpoint has to save its result before the node dies. */
  private leaveLog({ command, send }: SentCommand): Promise<NodeAnswer> {
    const { lifecycle } = this.handle
    const leave = async (): Promise<NodeAnswer> => {
      if (lifecycle.isDown) throw new ConnectionLost(undefined)
      this.head = undefined
      this.history.markUnrepeatable()
      const answer = await send()
      // The command is done; a failure here must not hide its answer.
      await this.clock.observe(command).catch(() => {})
      return answer
    }
    return lifecycle.whileUp(() =>
      this.log.replace(() => this.inTurn(leave), [this.handle.network]),
    )
  }

  /** Runs a command; resolves when its turn may end, to a function that awaits the answer. */
  private async perform(
    effect: Exclude<MethodEffect, 'read' | 'beyond'>,
    task: SentCommand,
  ): Promise<Ask> {
    const { command, send } = task
    // The node has died, and this turn came before the one that brings it back.
    if (this.handle.lifecycle.isDown) throw new ConnectionLost(undefined)
    const shares = command.method === sharedBlockMethod
    if (shares && !this.settings.mines) return async () => notMiningAnswer
    if (effect === 'send' && !this.settings.mines) return this.pool(task)
    if (effect === 'mine' || effect === 'send') return this.makeBlock(effect, task)
    if (effect === 'time') {
      const answer = await send()
      await this.clock.observe(command)
      return async () => answer
    }
    return this.logged(task, command, async () => {
      const answer = await send()
      if (!answer.error) this.settings.done(command)
      return async () => answer
    })
  }

  private async makeBlock(effect: 'mine' | 'send', task: SentCommand): Promise<Ask> {
    const { node } = this
    const [{ timestamp, parentHash: on }, latest, { queued }] = await Promise.all([
      node.block('pending'),
      node.block('latest'),
      node.pooled(),
    ])
    if (this.head !== undefined && this.head !== on) throw new UnknownBlocks()
    // If the time was set back, the block would be earlier than its parent.
    const at = Math.max(Number(timestamp), Number(latest.timestamp), this.clock.due())
    // A shared block includes the transactions that its own release.
    const mayRelease =
      effect === 'send' && task.command.method !== sharedBlockMethod && Number(queued) > 0
    return this.logged(task, { ...task.command, at, on }, async () => {
      await node.ask('evm_setNextBlockTimestamp', [at])
      const { answer: sent } = mayRelease
        ? await node.inOneBlock(task.send)
        : { answer: task.send() }
      return this.untilMade(task.command, { at, on, sent })
    })
  }

  /** Waits for the block of a command. */
  private async untilMade(
    command: NodeCommand,
    { at, on, sent }: { at: number; on: Hex; sent: Promise<NodeAnswer> },
  ): Promise<Ask> {
    const { node } = this
    // Transactions of a shared block never wait for a nonce, and run alone until the block is mined.
    const shares = command.method === sharedBlockMethod
    const answer = await (shares ? sent : unlessLate(sent))
    if (!command.method.endsWith('Sync')) await node.untilMined()
    const latest = await node.block('latest')
    this.head = latest.hash
    if (latest.hash === on) {
      // No block was mined, so the time set for it is applied now. A transaction behind a nonce gap must not hold up the next command.
      await node.setTime(at)
      if (answer === undefined || !answer.error) this.settings.done(command)
      return () => sent
    }
    this.clock.mined(Number(latest.timestamp))
    if (latest.parentHash === on) return () => sent
    // There is another block, with a time that no command chose.
    return async () => {
      await this.keepUnknown()
      return sent
    }
  }

  /** Sends a transaction while mining is off. The turn ends when the pool has it; its answer may come much later. */
  private pool(task: SentCommand): Promise<Ask> {
    const { command } = task
    return this.logged(task, command, async () => {
      const sent = await this.node.untilTaken(task.send)
      this.settings.done(command)
      return () => sent.answer
    })
  }

  /** Logs a command and runs it. If the process dies, the next one runs it from the log. */
  private async logged(
    { command }: SentCommand,
    written: NodeCommand,
    work: () => Promise<Ask>,
  ): Promise<Ask> {
    const { ends } = this.handle.lifecycle
    // A command must not wait for a checkpoint during its turn, since the checkpoint needs the turn, too.
    if (this.log.isClosed) throw new LogClosed()
    await this.log.append(this.handle.network, written)
    this.history.add(written)
    const failed = this.failedReads()
    this.crashSuspect.begun(written)
    const ask = await this.pendingReplies.follow({ names: [written, command], ends }, work)
    if (this.handle.lifecycle.ends === ends) this.crashSuspect.cleared()
    if (this.failedReads() === failed) return ask
    // A read of the upstream failed. A replay in which it succeeds might have another result.
    this.history.markUnrepeatable()
    return async () => {
      const answer = await ask()
      await this.keepAsItIs('something could not be read of the network meanwhile')
      return answer
    }
  }

  private keepUnknown(): Promise<void> {
    return this.keepAsItIs('the chain has blocks that commands alone do not lead to')
  }

  private keepAsItIs(why: string): Promise<void> {
    this.onSurprise(`${this.handle.network}: ${why}; it is written down as it is`)
    const forget = async (): Promise<void> => {
      this.head = undefined
    }
    return this.log.replace(forget, [this.handle.network])
  }
}
