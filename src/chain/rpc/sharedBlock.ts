import type { Hex } from 'viem'
import type { Receipt } from './node.js'
import { commandKind, sharedBlockMethod } from './nodeCommand.js'
import type { ChainStep } from './pipeline.js'

/** What became of one transaction of a shared block: refused, mined, or still waiting in the pool (`receipt` is null). */
export type SharedOutcome =
  | { error: { code?: number; message: string; data?: unknown } }
  | { hash: Hex; receipt: Receipt | null }

/** Asks the node; resolves to what it answers, an error too. */
type SendToNode = (
  method: string,
  params: unknown[],
) => Promise<{ result?: unknown; error?: { code?: number; message: string } }>

/** An answer that says that nothing was sent. */
export const notMiningAnswer = {
  error: { code: -32000, message: 'the node mines no blocks by itself; nothing was sent' },
}

/**
 * Sends transactions in their order, and has them mined in one block in that order. A transaction that the node refuses, or that
 * reverts, leaves the others as they are. The node mines each transaction at once before and after that; where it does not, nothing is
 * sent.
 */
export async function sendInOneBlock(
  send: SendToNode,
  transactions: readonly object[],
): Promise<{ result: SharedOutcome[] } | typeof notMiningAnswer> {
  const ask = async (method: string, ...params: unknown[]): Promise<unknown> => {
    const { result, error } = await send(method, params)
    if (error) throw new Error(`the node refused ${method}: ${error.message}`)
    return result
  }
  if ((await ask('anvil_getAutomine')) !== true) return notMiningAnswer
  const sent: SharedOutcome[] = []
  await ask('evm_setAutomine', false)
  try {
    // One after the other: the node gives parallel ones of one account the same nonce.
    for (const transaction of transactions) {
      const { result, error } = await send('eth_sendTransaction', [transaction])
      sent.push(error ? { error } : { hash: result as Hex, receipt: null })
    }
    if (sent.some((each) => 'hash' in each)) await ask('evm_mine')
  } finally {
    await ask('evm_setAutomine', true)
  }
  const withReceipt = async (each: SharedOutcome): Promise<SharedOutcome> => {
    if ('error' in each) return each
    const receipt = (await ask('eth_getTransactionReceipt', each.hash)) as Receipt | null
    return { ...each, receipt }
  }
  return { result: await Promise.all(sent.map(withReceipt)) }
}

/** Next to the node: carries out shared blocks. Nothing else may change the node, or keep its state, meanwhile. */
export function createSharedBlocks(): ChainStep {
  const changing = new Set<Promise<unknown>>()
  let alone: Promise<unknown> | undefined
  return async (message, next) => {
    const { methods, text, by } = message
    if (by !== 'service' || methods[0] !== sharedBlockMethod) {
      if (methods.every(isFree)) return next(message)
      while (alone) await alone
      const work = next(message)
      if (!methods.some(concernsMining)) return work
      const ended = work.catch(() => {}).finally(() => changing.delete(ended))
      changing.add(ended)
      return work
    }
    while (alone) await alone
    const { id, params } = JSON.parse(text) as { id: unknown; params: object[] }
    const send: SendToNode = async (method, given) => {
      const request = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: given })
      return JSON.parse(await next({ ...message, text: request, methods: [method] }))
    }
    const work = (async () => {
      await Promise.all(changing)
      const answer = await sendInOneBlock(send, params)
      return JSON.stringify({ jsonrpc: '2.0', id, ...answer })
    })()
    alone = work
      .catch(() => {})
      .finally(() => {
        alone = undefined
      })
    return work
  }
}

/** A snapshot is of before or after a shared block. While one is made, the node says that it does not mine. */
const isFree = (method: string): boolean =>
  commandKind(method, undefined) === 'read' && !/_(snapshot|getautomine)$/i.test(method)

/** Must be answered before a shared block begins. */
const concernsMining = (method: string): boolean =>
  /_([gs]etautomine|setintervalmining|mine|revert|reorg|rollback|reset)$/i.test(method)
