import pTimeout from 'p-timeout'
import type { NodeCommand } from '../rpc/commandLog.js'
import { methodEffect, sharedBlockMethod } from '../rpc/methods.js'
import { ConnectionLost, type NodeAnswer } from '../rpc/nodeSocket.js'
import { sendInOneBlock } from '../rpc/sharedBlock.js'
import type { BareNode } from './bareNode.js'
import type { NodeSettings } from './nodeSettings.js'

/** The answer of each command; late ones are still pending. */
export type Answers = ReadonlyMap<NodeCommand, Promise<NodeAnswer>>

/** The node died during the replay of a command, or just after. */
export class DiedAt extends ConnectionLost {
  override name = 'DiedAt'
  readonly command: NodeCommand

  constructor(command: NodeCommand, cause: ConnectionLost) {
    super(cause)
    this.command = command
  }
}

/** Runs work of a replay; if the node dies, the error names the command. */
export async function dyingAt<T>(
  command: NodeCommand | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (command && error instanceof ConnectionLost) throw new DiedAt(command, error)
    throw error
  }
}

/**
 * Replays the commands of a log in order, with the original times of their blocks.
 *
 * @param wanted Commands whose answers are awaited.
 * @throws `DiedAt`
 */
export async function replay(
  { node, settings }: { node: BareNode; settings: NodeSettings },
  commands: readonly NodeCommand[],
  wanted: ReadonlySet<NodeCommand>,
): Promise<Answers> {
  const answers = new Map<NodeCommand, Promise<NodeAnswer>>()
  // Without this, a node mines no block before the time of its start.
  await node.setTime(Number((await node.block('latest')).timestamp))
  for (const command of commands) {
    const answer = await dyingAt(command, () => runAgain({ node, settings }, command))
    if (wanted.has(command)) answers.set(command, answer.sent)
  }
  return answers
}

/** Returns the answer in an object, so that it is not awaited. */
async function runAgain(
  { node, settings }: { node: BareNode; settings: NodeSettings },
  command: NodeCommand,
): Promise<{ sent: Promise<NodeAnswer> }> {
  const { method, params, at } = command
  if (at === undefined) {
    // A command without a block is sent without waiting for one.
    const sent = node.send(method.replace(/Sync$/, ''), params)
    if (!(await sent).error) settings.done(command)
    return { sent }
  }
  await setNextTime(node, at)
  const shares = method === sharedBlockMethod
  const send = (): Promise<NodeAnswer> =>
    shares ? sendInOneBlock(node.send, params as object[]) : node.send(method, params)
  const waits =
    !shares && methodEffect(method, params) === 'send' && Number((await node.pooled()).queued) > 0
  const { answer: sent } = waits ? await node.inOneBlock(send) : { answer: send() }
  const answer = await (shares ? sent : unlessLate(sent))
  if (!answer) settings.done(command)
  if (!answer || answer.error) {
    await node.setTime(at)
    return { sent }
  }
  if (!method.endsWith('Sync')) await node.untilMined()
  return { sent }
}

/** A block may be earlier than the node's time. Repeat it with its time, because another one would change all later blocks. */
async function setNextTime(node: BareNode, at: number): Promise<void> {
  const { error } = await node.send('evm_setNextBlockTimestamp', [at])
  if (!error) return
  await node.setTime(at)
  await node.ask('evm_setNextBlockTimestamp', [at])
}

/** A command that takes longer than any block is behind a nonce gap. Milliseconds of the machine. */
const lateAfterMs = 2_000

/** Undefined when the answer is late. */
export function unlessLate<T>(answer: Promise<T>): Promise<T | undefined> {
  answer.catch(() => {}) // its sender handles the rejection
  return pTimeout(answer, { milliseconds: lateAfterMs, fallback: () => undefined })
}

/** Finds the command that kills a node. Commands run one at a time, so it is the last one in the log, if that was not answered. */
export function createCrashSuspect() {
  let unanswered: NodeCommand | undefined
  /** The command that the node has died at, or would die at now. */
  let suspect: NodeCommand | undefined
  return {
    /** A command is in the log, and about to run. */
    begun(command: NodeCommand): void {
      unanswered = command
      suspect = command
    },
    /** The previous run may have died at this command, the last one in the log. */
    mayEndWith(last: NodeCommand | undefined): void {
      unanswered = last
    },
    /** All commands in the log have run. */
    cleared(): void {
      unanswered = undefined
      suspect = undefined
    },
    /**
     * The node has died at this command. The first time may be chance (`again`); after that the command is left out (`leave out`), unless its
     * success was already reported (`acknowledged`).
     */
    of(command: NodeCommand): 'again' | 'leave out' | 'acknowledged' {
      const isFirst = command !== suspect
      suspect = command
      if (isFirst) return 'again'
      return command === unanswered ? 'leave out' : 'acknowledged'
    },
  }
}

/** The error of a start when a node dies repeatedly at a command that must not be left out. */
export function stuckText(network: string, { method, on }: NodeCommand): string {
  const where = on === undefined ? '' : ` on block ${on}`
  return `the ${network} node ends each time that it does ${method}${where} again, as its log has it. It may have been acknowledged, so it is not left out. Nothing in the data folder was changed: start it with the svc-sim that wrote it, put back a copy, or name another --data-dir`
}
