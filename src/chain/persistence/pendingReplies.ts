import { setTimeout as sleep } from 'node:timers/promises'
import type { NodeCommand } from '../rpc/commandLog.js'
import type { NodeLifecycle } from '../rpc/nodeLifecycle.js'
import type { NodeAnswer } from '../rpc/nodeSocket.js'
import type { BareNode } from './bareNode.js'
import type { Answers } from './replay.js'

/** Asks a node; resolves to the answer, even if that is an error. */
export type Ask = () => Promise<NodeAnswer>

/** A logged command that is being carried out. */
export interface LoggedCommand {
  /** As it is in the log, and as it was sent. */
  names: readonly [NodeCommand, NodeCommand]
  /** `lifecycle.ends` when it was logged. */
  ends: number
}

/** The answers of logged commands: from the process that got them or, if that has died, from the one that replays them. */
export interface PendingReplies {
  /** Commands whose answers are awaited. */
  readonly awaited: ReadonlySet<NodeCommand>
  /** Takes the answers of the process that has replayed them. */
  take(answers: Answers): void
  /** A command was left out for good; its caller gets this error. */
  leaveOut(command: NodeCommand, message: string): void
  /** From now on, another command stands in the log for this one, and puts the same transaction into the pool. */
  waitsAs(command: NodeCommand, replacement: NodeCommand): void
  /**
   * Runs a command. `work` resolves when the next command may run, to a function that awaits the answer. This resolves likewise; its
   * function never rejects, since an error is an answer, too.
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
  /** The commands that stand for waiting ones, by the earlier command, as logged or as sent. */
  const waiting = new Map<NodeCommand, NodeCommand[]>()
  let answers: Answers = new Map()
  const leftOut = new Map<NodeCommand, NodeAnswer>()

  /** All commands that have stood for this one, the latest last. */
  const namesOf = ({ names: [logged, came] }: LoggedCommand): NodeCommand[] => {
    const names = [came, logged]
    for (const name of names) names.push(...(waiting.get(name) ?? [])) // `names` grows while it is walked
    return names
  }
  const answerOfSuccessor = async (command: LoggedCommand): Promise<NodeAnswer> => {
    const { answer, name } = await lifecycle.whileUp(async () => {
      const [logged] = command.names
      const refusal = leftOut.get(logged)
      if (refusal) return { answer: refusal, name: logged }
      const name = namesOf(command).findLast((each) => answers.has(each))
      if (name) return { answer: await answers.get(name)!, name }
      throw new Error('the node died before it answered; what it was asked has been done')
    })
    const [{ method }] = command.names
    // A command without a time was put into the pool, and its answer is the hash.
    const isPooled = name.at === undefined && method.endsWith('Sync') && !answer.error
    const ask = (name: string, params: unknown[]): Promise<NodeAnswer> =>
      lifecycle.whileUp(() => node.send(name, params))
    return isPooled ? pollReceipt(ask, answer.result) : answer
  }

  return {
    awaited,
    take(given) {
      answers = given
    },
    leaveOut(command, message) {
      if (awaited.has(command)) leftOut.set(command, { error: { code: -32000, message } })
    },
    waitsAs(command, replacement) {
      if (!awaited.has(command)) return
      waiting.set(command, [...(waiting.get(command) ?? []), replacement])
      awaited.add(replacement)
    },
    async follow(command, work) {
      for (const name of command.names) awaited.add(name)
      const done = work()
      // Hold up the next command, which would otherwise be logged before the node's death is noticed.
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

/** How often and for how long to ask for a receipt; a node itself waits as long. Milliseconds of the machine. */
const [askEveryMs, giveUpAfterMs] = [25, 30_000]

/**
 * The answer to a send that waits for its block, when that may take long: the receipt or, as from a node, an error that it did not come in
 * time.
 */
async function pollReceipt(
  ask: (method: string, params: unknown[]) => Promise<NodeAnswer>,
  hash: unknown,
): Promise<NodeAnswer> {
  const begun = performance.now()
  do {
    const answer = await ask('eth_getTransactionReceipt', [hash])
    if (answer.result != null) return answer
    await sleep(askEveryMs, undefined, { ref: false })
  } while (performance.now() - begun < giveUpAfterMs)
  return { error: { message: 'Transaction confirmation timeout' } }
}
