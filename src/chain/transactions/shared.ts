import { sharedBlockMethod } from '../rpc/methods.js'
import type { Node, Receipt } from '../rpc/node.js'
import { RpcError, toRpcError } from '../rpc/rpc.js'
import type { SharedOutcome } from '../rpc/sharedBlock.js'
import { receiptOf, StoppedError } from './pool.js'

/**
 * So many transactions share a block at most. An operation uses up to some 900,000 gas, and a block has 30 million.
 */
const maxInOne = 24

/** A transaction that waits for its turn, and may share its block with others that wait. */
export interface Waiting {
  transaction: object
  /** It lets those go first that cannot wait. */
  canWait: boolean
  signal: AbortSignal | undefined
  onSent: ((outcome: Promise<Receipt>) => void) | undefined
  /** Set when it was sent together with others; how that ended. */
  sent?: Promise<Receipt>
}

const waitingAt = new WeakMap<Node, Set<Waiting>>()

/**
 * Whether transactions may share a block now. Where the clock is frozen each has a block for itself, so that the same calls give the
 * same blocks: who waits at the same moment is chance. On a fork, what the network does not answer would hold up all of them.
 */
export function mayShare({ gate, fork }: Node): boolean {
  return gate?.mines === true && !gate.hasStillTime && !fork
}

/** Has a transaction wait until `end` is called; meanwhile others may take it with them. */
export function waitFor(node: Node, waiting: Waiting): { end: () => void } {
  const all = waitingAt.get(node) ?? new Set()
  waitingAt.set(node, all.add(waiting))
  return { end: () => void all.delete(waiting) }
}

/** Those that share the block of this one, whose turn it is: in the order in which they came, after those that cannot wait. */
function companyOf(node: Node, first: Waiting): Waiting[] {
  const others = [...(waitingAt.get(node) ?? [])].filter(
    (each) => each !== first && !each.sent && !each.signal?.aborted,
  )
  const inOrder = [
    ...others.filter((each) => !each.canWait),
    ...others.filter((each) => each.canWait),
  ]
  return inOrder.slice(0, maxInOne - 1)
}

/**
 * Sends a transaction whose turn it is with all that wait as well, in one block. Resolves when each has its `sent`; false when nothing
 * was sent, because nobody else waits or the node does not mine now.
 */
export async function sendShared(node: Node, first: Waiting): Promise<boolean> {
  const all = [first, ...companyOf(node, first)]
  if (all.length === 1) return false
  const sending = node.rpc.request<SharedOutcome<Receipt>[]>(
    sharedBlockMethod,
    all.map(({ transaction }) => transaction),
  )
  // Nobody else takes them meanwhile. What the node refuses as a whole was not sent, and each is sent in its own turn.
  const outcomes = sending.catch((error: unknown) => {
    if (error instanceof RpcError) return undefined
    throw error
  })
  for (const [i, each] of all.entries()) {
    each.sent = outcomes.then((known) => {
      if (!known) throw new NothingSent()
      return receiptFrom(node, known[i]!, each.signal)
    })
    each.sent.catch(() => {}) // its awaiters get the error
    each.onSent?.(each.sent)
  }
  if ((await outcomes.catch(() => [])) !== undefined) return true
  for (const entry of all) delete entry.sent
  return false
}

/** The node has refused a whole shared block: each of its transactions is sent by itself, if it is still wanted. */
export class NothingSent extends Error {}

async function receiptFrom(
  node: Node,
  outcome: SharedOutcome<Receipt>,
  signal: AbortSignal | undefined,
): Promise<Receipt> {
  if ('error' in outcome) throw toRpcError(outcome.error)
  if (outcome.receipt) return outcome.receipt
  if (signal?.aborted) throw new StoppedError()
  // The block was full: it is mined in the next one.
  await node.rpc.request('evm_mine')
  return receiptOf(node, outcome.hash, signal)
}
