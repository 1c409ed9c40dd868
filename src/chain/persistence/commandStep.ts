import type { NodeHandle } from '../rpc/commandLog.js'
import { commandKind, type NodeCommand, sharedBlockMethod } from '../rpc/nodeCommand.js'
import { answerInOrder, type ChainStep } from '../rpc/pipeline.js'
import type { Ask } from './pendingReplies.js'

/** A request as it came. */
interface Request extends NodeCommand {
  id?: unknown
}

/** A command that is to be done, and what its answer is sent back under. */
export interface SentCommand {
  command: NodeCommand
  id: unknown
  send: Ask
}

/** The step past which no command goes: each is run one by one, and reads alone go straight on. */
export function commandStep(
  handle: NodeHandle,
  run: (task: SentCommand) => Promise<string>,
): ChainStep {
  return async (message, next) => {
    // The node refuses what only the service may send: that is no command.
    const isNone = (method: string): boolean =>
      message.by === 'client' && method === sharedBlockMethod
    const isRead = (method: string): boolean =>
      commandKind(method, undefined) === 'read' && !isOfTurns(method)
    if (message.methods.every((method) => isNone(method) || isRead(method)))
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

/** A read of what changes within a turn. */
export function isOfTurns(method: string): boolean {
  return method.toLowerCase().endsWith('_getautomine')
}
