import type { NodeSeat } from '../rpc/gateway.js'
import { commandKind, type NodeCommand } from '../rpc/nodeCommand.js'
import type { Channel } from '../rpc/nodeSocket.js'
import type { Ask } from './handover.js'

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

/** A channel to the node past which no command goes: each is run one by one, and reads alone go straight on. */
export function commandChannel(
  channel: Channel,
  seat: NodeSeat,
  run: (task: SentCommand) => Promise<string>,
): Channel {
  return {
    exchange: async (text, timeoutMs, methods) => {
      if (
        methods?.every((method) => commandKind(method, undefined) === 'read' && !isOfTurns(method))
      )
        return seat.life.whileUp(() => channel.exchange(text, timeoutMs, methods))
      const message = JSON.parse(text) as Request | Request[]
      const one = (request: Request): Promise<string> =>
        run({
          command: { method: request.method, params: request.params ?? [] },
          id: request.id,
          send: () => channel.exchange(JSON.stringify(request), timeoutMs, [request.method]),
        })
      if (!Array.isArray(message)) return one(message)
      const answers: string[] = []
      for (const request of message) answers.push(await one(request))
      return `[${answers.join(',')}]`
    },
    close: () => channel.close(),
  }
}

/** A read of what changes within a turn. */
export function isOfTurns(method: string): boolean {
  return method.toLowerCase().endsWith('_getautomine')
}
