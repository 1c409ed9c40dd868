import type { Hex } from 'viem'
import type { NetworkName } from '../../deployments/networks.js'
import type { Node } from '../rpc/node.js'
import { askOver, type ChainStep, type NodeRequest, type PassOn } from '../rpc/pipeline.js'

/** After the node's answer: calls `look` if the chain may have changed, and marks writes to the state, which a reorganisation would lose. */
export function notifyStep(
  node: Pick<Node, 'lifecycle'>,
  look: (network: NetworkName) => void,
): ChainStep {
  return async (request, next) => {
    const answer = await next(request)
    if (mayMove(request)) look(request.network)
    if (request.about.writes) await markWrite(node, request, next)
    return answer
  }
}

/** The service's own writes are known; a client may do anything. */
function mayMove({ about: { effect }, by }: NodeRequest): boolean {
  if (by === 'client') return effect !== 'read'
  return effect === 'send' || effect === 'mine' || effect === 'beyond'
}

type Block = Record<'number' | 'hash', Hex>

/** Remembers the block after which the state was written without a transaction. */
async function markWrite(
  { lifecycle }: Pick<Node, 'lifecycle'>,
  by: NodeRequest,
  next: PassOn,
): Promise<void> {
  const latest = await askOver(by, next)<Block | null>('eth_getBlockByNumber', 'latest', false)
  if (latest) lifecycle.lastWrite = { number: latest.number, hash: latest.hash }
}

/**
 * The lowest block that can be taken back without losing writes to the state; 0 when there were none. A write belongs to the state after
 * its block, and no transaction would repeat it.
 */
export async function lowestWithoutLoss(node: Node): Promise<number> {
  const { lastWrite } = node.lifecycle
  if (!lastWrite) return 0
  const there = await node.rpc.request<Block | null>('eth_getBlockByNumber', [
    lastWrite.number,
    false,
  ])
  // A restored chain may have lost the block, and the write with it.
  return there?.hash === lastWrite.hash ? Number(lastWrite.number) + 1 : 0
}
