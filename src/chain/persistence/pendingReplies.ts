import type { NodeCommand } from '../rpc/nodeCommand.js'
import type { NodeLifecycle } from '../rpc/nodeLifecycle.js'
import type { BareNode, RpcAnswer } from './bareNode.js'
import { pollReceipt } from './pollReceipt.js'
import type { Answers } from './replay.js'

/** Asks a node; resolves to the answer's text. */
export type Ask = () => Promise<string>

/** A command that is in the log, on its way. */
export interface LoggedCommand {
  /** As it stands in the log, and as it came. */
  names: readonly [NodeCommand, NodeCommand]
  /** What its answer is sent back under. */
  id: unknown
  /** `ends` of the node's life when it was written. */
  ends: number
}

/** Answers of commands that are in the log: from the process that was asked, or, when that has died, from the one that comes after. */
export interface PendingReplies {
  /** Whose answers somebody waits for. */
  readonly awaited: ReadonlySet<NodeCommand>
  /** What the process that has come after answered them. */
  take(answers: Answers): void
  /** A command was not done, nor will it be; who waits for its answer gets this error. */
  leaveOut(command: NodeCommand, message: string): void
  /** A command that waits is in the log by another one from now on, which puts the same transaction into the pool. */
  waitsAs(command: NodeCommand, again: NodeCommand): void
  /**
   * Has a command done. `work` resolves when the next may come, to what waits for the answer; so does this, and never rejects: an
   * error is the answer.
   */
  follow(command: LoggedCommand, work: () => Promise<Ask>): Promise<Ask>
}

export function createPendingReplies({
  lifecycle,
  node,
}: {
  lifecycle: NodeLifecycle
  node: BareNode
}): PendingReplies {
  const awaited = new Set<NodeCommand>()
  /** What those have become that wait, by what they were before, in the log or as they came. */
  const waiting = new Map<NodeCommand, NodeCommand[]>()
  let answers: Answers = new Map()
  const leftOut = new Map<NodeCommand, RpcAnswer>()

  /** All that a command has been called, the latest last. */
  const namesOf = ({ names: [logged, came] }: LoggedCommand): NodeCommand[] => {
    const names = [came, logged]
    for (const name of names) names.push(...(waiting.get(name) ?? [])) // those of the new ones too
    return names
  }
  const answerOfSuccessor = async (command: LoggedCommand): Promise<string> => {
    const { answer, name } = await lifecycle.whileUp(async () => {
      const [logged] = command.names
      const refusal = leftOut.get(logged)
      if (refusal) return { answer: refusal, name: logged }
      const name = namesOf(command).findLast((each) => answers.has(each))
      if (name) return { answer: await answers.get(name)!, name }
      throw new Error('the node died before it answered; what it was asked has been done')
    })
    const [{ method }] = command.names
    // Without a time it was put into the pool, and the answer is its hash.
    const isPooled = name.at === undefined && method.endsWith('Sync') && !answer.error
    const ask = (name: string, params: unknown[]): Promise<RpcAnswer> =>
      lifecycle.whileUp(() => node.send(name, params))
    const whole = isPooled ? await pollReceipt(ask, answer.result) : answer
    return JSON.stringify({ jsonrpc: '2.0', ...whole, id: command.id })
  }

  return {
    awaited,
    take(given) {
      answers = given
    },
    leaveOut(command, message) {
      if (awaited.has(command)) leftOut.set(command, { error: { code: -32000, message } })
    },
    waitsAs(command, again) {
      if (!awaited.has(command)) return
      waiting.set(command, [...(waiting.get(command) ?? []), again])
      awaited.add(again)
    },
    async follow(command, work) {
      for (const name of command.names) awaited.add(name)
      const done = work()
      // The next one would be in the log as well before anybody knows that the node is gone.
      await done.catch((error) => lifecycle.hasEnded(command.ends, error))
      return async () => {
        try {
          return await (await done)()
        } catch (error) {
          if (!(await lifecycle.hasEnded(command.ends, error))) throw error
          return await answerOfSuccessor(command)
        } finally {
          leftOut.delete(command.names[0])
          for (const name of namesOf(command)) {
            awaited.delete(name)
            waiting.delete(name)
          }
        }
      }
    },
  }
}
