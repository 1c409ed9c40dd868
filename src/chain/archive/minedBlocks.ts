import { commandKind, sharedBlockMethod } from '../rpc/nodeCommand.js'
import type { ChainMessage } from '../rpc/pipeline.js'

/** A command that mines many more blocks than this is sent in pieces. */
const maxAtOnce = 32

interface Asked {
  method: string
  params?: unknown
}

/**
 * The maximum number of blocks that a message may mine. The service's read of a block counts as one: the node may have mined that block
 * by itself, and notified the service through a subscription.
 */
export function maxBlocks({ methods, text, by }: ChainMessage): number {
  if (by === 'service' && methods[0] === 'eth_getBlockByNumber') return 1
  const made = methods.reduce((sum, method) => sum + blocksOfMethod(method), 0)
  if (!methods.some(isMine)) return made
  const requests = [JSON.parse(text) as Asked | Asked[]].flat()
  return requests.reduce((sum, each) => sum + (blocksOf(each)?.count ?? 0), made)
}

/** Splits a message that mines many blocks; undefined when it mines few. The answer to the last piece of a command answers the command. */
export function inPieces(message: ChainMessage): ChainMessage[] | undefined {
  if (!message.methods.some(isMine) || maxBlocks(message) <= maxAtOnce + 1) return undefined
  const sent = JSON.parse(message.text) as Asked | Asked[]
  const requests = Array.isArray(sent) ? sent : piecesOf(sent)
  if (requests.length < 2) return undefined
  return requests.map((each) => ({
    ...message,
    text: JSON.stringify(each),
    methods: [each.method],
  }))
}

/** Splits a command into several that mine as many blocks in total. Only the first keeps the timestamp. */
function piecesOf(request: Asked): Asked[] {
  const blocks = blocksOf(request)
  if (!blocks) return [request]
  const pieces: Asked[] = []
  for (let left = blocks.count; left > 0; left -= maxAtOnce)
    pieces.push({
      ...request,
      params: blocks.with(Math.min(left, maxAtOnce), pieces.length === 0),
    })
  return pieces
}

/** How many blocks `anvil_mine [blocks, interval]` or `evm_mine [{ timestamp, blocks }]` mines, and its parameters for another number. */
function blocksOf({ method, params }: Asked) {
  if (!isMine(method) || !Array.isArray(params)) return undefined
  const [first, ...rest] = params as unknown[]
  if (method === 'evm_mine' && typeof first === 'object' && first !== null) {
    const options = first as { timestamp?: unknown; blocks?: unknown }
    if (typeof options.blocks !== 'number') return undefined
    const withCount = (blocks: number, isFirst: boolean) => [
      { ...options, ...(!isFirst && { timestamp: null }), blocks },
    ]
    return { count: options.blocks, with: withCount }
  }
  if (method === 'evm_mine' || first == null) return undefined
  return { count: Number(first), with: (blocks: number) => [blocks, ...rest] }
}

function isMine(method: string): boolean {
  return /_mine$/.test(method)
}

function blocksOfMethod(method: string): number {
  // Transactions that do not fit into a shared block are mined in a second one.
  if (method === sharedBlockMethod) return 2
  return commandKind(method, undefined) === 'read' ? 0 : 1
}
