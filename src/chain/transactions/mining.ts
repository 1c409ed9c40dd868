import pTimeout from 'p-timeout'
import { coarseTimers } from '../../lib/coarseTimeout.js'
import { ServiceError } from '../../lib/errors.js'
import type { Node, Nodes } from '../rpc/node.js'

/** Whether the node mines each transaction at once. It is asked once: all that changes it goes through its channels. */
export async function minesAtOnce({ rpc, gate }: Pick<Node, 'rpc' | 'gate'>): Promise<boolean> {
  if (gate?.mines !== undefined) return gate.mines
  const isOn = await rpc.request<boolean>('anvil_getAutomine')
  if (!gate) return isOn
  gate.mines ??= isOn // Meanwhile it may have been switched.
  return gate.mines
}

/** Whether blocks come by themselves: with each transaction, or from time to time. */
export async function minesBlocks({ rpc }: Node): Promise<boolean> {
  if (await rpc.request<boolean>('anvil_getAutomine')) return true
  return (await intervalOf({ rpc })) > 0
}

/** The hint of errors on chains that mine no blocks. */
export const mineAgainHint =
  'Lift the fault that holds it, or POST /_sim/reset: it lifts all faults and has every network mine again.'

/**
 * Before something that takes blocks: whoever asked would wait for them, perhaps for ever.
 *
 * @param so What that means for what was asked, for example `nothing was given`.
 * @throws `ServiceError` `conflict` when one of the networks mines none, or its node does not say so in time.
 */
export async function expectMining(nodes: readonly Node[], so: string): Promise<void> {
  const states = await Promise.all(nodes.map(miningOf))
  const those = (state: Mining) =>
    nodes.filter((_, i) => states[i] === state).map(({ network }) => network)
  const refuse = (what: string): ServiceError =>
    new ServiceError('conflict', `${what}; ${so}`, { hint: mineAgainHint })
  const silent = those('no answer')
  if (silent.length > 0)
    throw refuse(`${networksOf(silent)} did not answer within ${sayWithinMs / 1_000} s`)
  const halted = those('mines none')
  if (halted.length === 0) return
  const [mine, its] = halted.length === 1 ? ['mines', 'its'] : ['mine', 'their']
  throw refuse(`${networksOf(halted)} ${mine} no blocks, since ${its} mining is switched off`)
}

/** Longer than a node that works takes to say whether it mines. Milliseconds of the machine. */
const sayWithinMs = 5_000

type Mining = 'mines' | 'mines none' | 'no answer'

function miningOf(node: Node): Promise<Mining> {
  const ask = async (): Promise<Mining> => {
    if (await minesBlocks(node)) return 'mines'
    await node.lifecycle.moment
    return (await minesBlocks(node)) ? 'mines' : 'mines none'
  }
  const answer = ask()
  return pTimeout(answer, {
    milliseconds: sayWithinMs,
    fallback: (): Mining => 'no answer',
    customTimers: coarseTimers,
  })
}

/** Of one or several: `The base network`, `The networks base, polygon`. */
function networksOf(names: readonly string[]): string {
  return names.length === 1 ? `The ${names[0]} network` : `The networks ${names.join(', ')}`
}

/** Does what keeps the node from mining for a moment: nobody who asks meanwhile is told that it mines none. */
export async function inMoment<T>(
  { lifecycle }: Pick<Node, 'lifecycle'>,
  work: () => Promise<T>,
): Promise<T> {
  const moment = work()
  const ended = moment.catch(() => {})
  lifecycle.moment = ended
  try {
    return await moment
  } finally {
    if (lifecycle.moment === ended) lifecycle.moment = undefined
  }
}

/** Every transaction is mined at once again, and so is what waits. */
export async function mineAgain(node: Node): Promise<void> {
  // Before it mines by itself again, or it may do so at the same time: then there is an empty block besides.
  await mineWaiting(node)
  await node.rpc.request('evm_setAutomine', [true])
  await mineWaiting(node)
}

/** Mines pooled transactions now, not with the next one. An empty pool gets no block. */
async function mineWaiting({ rpc }: Node): Promise<void> {
  const { pending } = await rpc.request<{ pending: string }>('txpool_status')
  if (BigInt(pending) > 0n) await rpc.request('evm_mine')
}

/** Seconds from block to block; 0 when none come by the clock. */
async function intervalOf({ rpc }: Pick<Node, 'rpc'>): Promise<number> {
  return (await rpc.request<number | null>('anvil_getIntervalMining')) ?? 0
}

/** A node that has not answered by then is left alone. Milliseconds of the machine. */
const answerWithinMs = 2_000

/**
 * Has every node mine what waits and whatever comes, so that nobody waits for a block; resolves to how to put the nodes back to
 * how they mined before.
 */
export async function mineEverywhere(nodes: Pick<Nodes, 'all'>): Promise<() => Promise<void>> {
  const others = nodes.all().filter(({ gate }) => gate?.mines !== true)
  const undos = await Promise.all(
    others.map((node) =>
      pTimeout(mineFor(node), { milliseconds: answerWithinMs }).catch(() => undefined),
    ),
  )
  return async () => {
    await Promise.all(undos.map((undo) => undo?.()))
  }
}

async function mineFor(node: Node): Promise<(() => Promise<void>) | undefined> {
  const { rpc } = node
  if (await minesAtOnce(node)) return undefined
  const interval = await intervalOf(node)
  await mineAgain(node)
  return async () => {
    if (interval > 0) await rpc.request('evm_setIntervalMining', [interval])
    else await rpc.request('evm_setAutomine', [false])
  }
}
