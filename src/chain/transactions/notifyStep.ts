import type { NetworkName } from '../../deployments/networks.js'
import type { Node } from '../rpc/node.js'
import { commandKind } from '../rpc/nodeCommand.js'
import type { ChainMessage, ChainStep } from '../rpc/pipeline.js'
import { markWrite, writesState } from './directWrites.js'

/**
 * Once the node has answered: `look` is called when its chain may have other blocks, and what was written into the state is marked, so
 * that a reorganisation does not lose it.
 */
export function notifyStep(
  node: Pick<Node, 'lifecycle'>,
  look: (network: NetworkName) => void,
): ChainStep {
  return async (message, next) => {
    const answer = await next(message)
    if (mayMove(message)) look(message.network)
    if (message.methods.some(writesState)) await markWrite(node, message, next)
    return answer
  }
}

/** The service knows what it writes; a client may do anything. */
function mayMove({ methods, by }: ChainMessage): boolean {
  return methods.some((method) => {
    const kind = commandKind(method, undefined)
    if (by === 'client') return kind !== 'read'
    return kind === 'send' || kind === 'mine' || kind === 'beyond'
  })
}
