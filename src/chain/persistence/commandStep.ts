import type { NodeCommand, NodeHandle } from '../rpc/commandLog.js'
import { isRead, methodOf, sharedBlockMethod } from '../rpc/methods.js'
import { answerInOrder, type ChainStep } from '../rpc/pipeline.js'
import type { Ask } from './pendingReplies.js'

/** A request as it came. */
interface Request extends NodeCommand {
  id?: unknown
}

/** A command to run, with the id of its answer. */
export interface SentCommand {
  command: NodeCommand
  id: unknown
  send: Ask
}

/** The step that runs commands one by one and lets only reads pass. */
export function commandStep(
  handle: NodeHandle,
  run: (task: SentCommand) => Promise<string>,
): ChainStep {
  return async (message, next) => {
    // The node refuses a client's use of the service's own method, so that is no command.
    const isNone = (method: string): boolean =>
      message.by === 'client' && method === sharedBlockMethod
    const isFree = (method: string): boolean => isRead(method) && !isOfTurns(method)
    if (message.methods.every((method) => isNone(method) || isFree(method)))
      return handle.lifecycle.whileUp(() => next(message))
    const one = (request: Request): Promise<string> => {
      const { method, params = [], id } = request
      const send = () => next({ ...message, text: JSON.stringify(request), methods: [method] })
      return isNone(method)
        ? handle.lifecycle.whileUp(send)
        : run({ command: { method, params }, id, send })
    }
    return answerInOrder(message.text, one)
  }
}

/** Whether a method reads what changes within a turn, so that it has to wait for its own. */
export function isOfTurns(method: string): boolean {
  return methodOf(method).turn === 'mining mode'
}
