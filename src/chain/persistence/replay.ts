import pTimeout from 'p-timeout'
import { commandKind, type NodeCommand, sharedBlockMethod } from '../rpc/nodeCommand.js'
import { ConnectionLost } from '../rpc/nodeSocket.js'
import { sendInOneBlock } from '../rpc/sharedBlock.js'
import type { BareNode, RpcAnswer } from './bareNode.js'
import type { NodeSettings } from './nodeSettings.js'

/** What each command was answered; those that come late are still to come. */
export type Answers = ReadonlyMap<NodeCommand, Promise<RpcAnswer>>

/** The node died when it was to do a command again, or just after. */
export class DiedAt extends ConnectionLost {
  override name = 'DiedAt'
  readonly command: NodeCommand

  constructor(command: NodeCommand, cause: ConnectionLost) {
    super(cause)
    this.command = command
  }
}

/** Says at which command it was when the node dies. */
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
 * Has a node do commands of a log, in their order, and with the times that their blocks had.
 *
 * @param wanted Whose answers somebody waits for.
 * @throws `DiedAt`
 */
export async function replay(
  { node, settings }: { node: BareNode; settings: NodeSettings },
  commands: readonly NodeCommand[],
  wanted: ReadonlySet<NodeCommand>,
): Promise<Answers> {
  const answers = new Map<NodeCommand, Promise<RpcAnswer>>()
  // A node takes no time before that of its start, unless it is told to.
  await node.setTime(Number((await node.block('latest')).timestamp))
  for (const command of commands) {
    const answer = await dyingAt(command, () => again({ node, settings }, command))
    if (wanted.has(command)) answers.set(command, answer.sent)
  }
  return answers
}

/** In an object, since the answer itself is not waited for. */
async function again(
  { node, settings }: { node: BareNode; settings: NodeSettings },
  command: NodeCommand,
): Promise<{ sent: Promise<RpcAnswer> }> {
  const { method, params, at } = command
  if (at === undefined) {
    // Nobody waits for a block where none is mined.
    const sent = node.send(method.replace(/Sync$/, ''), params)
    if (!(await sent).error) settings.done(command)
    return { sent }
  }
  await setNextTime(node, at)
  const shares = method === sharedBlockMethod
  const send = (): Promise<RpcAnswer> =>
    shares ? sendInOneBlock(node.send, params as object[]) : node.send(method, params)
  const waits =
    !shares && commandKind(method, params) === 'send' && Number((await node.pooled()).queued) > 0
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

/**
 * Older versions let a block be earlier than its parent when the clock was taken back under it. It is made again as it was: another
 * time would give other blocks from there on.
 */
async function setNextTime(node: BareNode, at: number): Promise<void> {
  const { error } = await node.send('evm_setNextBlockTimestamp', [at])
  if (!error) return
  await node.setTime(at)
  await node.ask('evm_setNextBlockTimestamp', [at])
}

/** What takes longer than any block waits for something: a nonce that comes first. Milliseconds of the machine. */
const lateAfterMs = 2_000

/** Undefined when the answer does not come by then. */
export function unlessLate<T>(answer: Promise<T>): Promise<T | undefined> {
  answer.catch(() => {}) // whoever sent it hears of that
  return pTimeout(answer, { milliseconds: lateAfterMs, fallback: () => undefined })
}
