import type { Hex } from 'viem'
import type { NetworkName } from '../../deployments/networks.js'
import { methodEffect, methodOf } from '../rpc/methods.js'
import type { Node } from '../rpc/node.js'
import type { ChainMessage, ChainStep, PassOn } from '../rpc/pipeline.js'
import { parseAnswer } from '../rpc/rpc.js'

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
    if (message.methods.some((method) => methodOf(method).writes))
      await markWrite(node, message, next)
    return answer
  }
}

/** The service knows what it writes; a client may do anything. */
function mayMove({ methods, by }: ChainMessage): boolean {
  return methods.some((method) => {
    const effect = methodEffect(method, undefined)
    if (by === 'client') return effect !== 'read'
    return effect === 'send' || effect === 'mine' || effect === 'beyond'
  })
}

/** The latest block of a chain when its state was last written to. */
interface Mark {
  number: Hex
  hash: Hex
}

const marks = new WeakMap<Node['lifecycle'], Mark>()

/** Remembers that the state has just been written to without a transaction, by this message. */
async function markWrite(
  { lifecycle }: Pick<Node, 'lifecycle'>,
  by: ChainMessage,
  ask: PassOn,
): Promise<void> {
  const method = 'eth_getBlockByNumber'
  const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: ['latest', false] })
  const { result } = parseAnswer(await ask({ ...by, text, methods: [method] }))
  if (result) marks.set(lifecycle, result as Mark)
}

/**
 * The lowest block that can be taken back without losing what was written to the state since: such a write belongs to the
 * state after its block, and no transaction would bring it back. 0 when nothing was written.
 */
export async function lowestWithoutLoss(node: Node): Promise<number> {
  const mark = marks.get(node.lifecycle)
  if (!mark) return 0
  const there = await node.rpc.request<Mark | null>('eth_getBlockByNumber', [mark.number, false])
  // A restored chain may not have the block any more, and with it not the write.
  return there?.hash === mark.hash ? Number(mark.number) + 1 : 0
}
