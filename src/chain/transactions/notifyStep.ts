import type { Hex } from 'viem'
import type { NetworkName } from '../../deployments/networks.js'
import type { Node } from '../rpc/node.js'
import { askOver, type ChainStep, type NodeRequest, type PassOn } from '../rpc/pipeline.js'

/**
 * Once the node has answered: `look` is called when its chain may have other blocks, and what was written into the state is marked, so
 * that a reorganisation does not lose it.
 */
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

/** The service knows what it writes; a client may do anything. */
function mayMove({ about: { effect }, by }: NodeRequest): boolean {
  if (by === 'client') return effect !== 'read'
  return effect === 'send' || effect === 'mine' || effect === 'beyond'
}

type Block = Record<'number' | 'hash', Hex>

/** Remembers that the state has just been written to without a transaction, by this request. */
async function markWrite(
  { lifecycle }: Pick<Node, 'lifecycle'>,
  by: NodeRequest,
  next: PassOn,
): Promise<void> {
  const latest = await askOver(by, next)<Block | null>('eth_getBlockByNumber', 'latest', false)
  if (latest) lifecycle.lastWrite = { number: latest.number, hash: latest.hash }
}

/**
 * The lowest block that can be taken back without losing what was written to the state since: such a write belongs to the
 * state after its block, and no transaction would bring it back. 0 when nothing was written.
 */
export async function lowestWithoutLoss(node: Node): Promise<number> {
  const { lastWrite } = node.lifecycle
  if (!lastWrite) return 0
  const there = await node.rpc.request<Block | null>('eth_getBlockByNumber', [
    lastWrite.number,
    false,
  ])
  // A restored chain may not have the block any more, and with it not the write.
  return there?.hash === lastWrite.hash ? Number(lastWrite.number) + 1 : 0
}
