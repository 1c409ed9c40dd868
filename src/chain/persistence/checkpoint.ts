import type { Hex } from 'viem'
import type { NetworkName } from '../../deployments/networks.js'
import { ServiceError } from '../../lib/errors.js'
import { type Clock, type ClockMode, unixSeconds } from '../../time/clock.js'
import type { Pooled } from '../rpc/gate.js'
import { type Node, type Nodes, rpcForNow } from '../rpc/node.js'
import { minesAtOnce } from '../transactions/mining.js'
import { dropAllPooled, inTurn } from '../transactions/send.js'
import { signForActors } from '../transactions/sendFor.js'

/** The state of one chain at a checkpoint. A snapshot id of a node can be used once. */
interface ChainMark {
  id: Hex
  /** Number and hash of the latest block. */
  block: readonly [number: number, hash: Hex]
  /** How far the chain's time is ahead of the clock, in seconds. */
  aheadSeconds: number
  automine: boolean
  /** Whether a fault had switched it off. */
  isOffForNow: boolean
  /** Identifies the process of the node that has the snapshot (`lifecycle.ends`). */
  ends: number
  /** The time of the clock, in Unix seconds. */
  clockSeconds: number
  /** The mark of the node's `gate` then; undefined if there was none. */
  standsAt: string | undefined
}

/** The states of all chains at one moment. */
export type Checkpoint = ReadonlyMap<NetworkName, ChainMark>

/** A checkpoint cannot be restored, and nothing was changed. The message says which networks and why. */
export class CheckpointLostError extends Error {
  override name = 'CheckpointLostError'
}

/** A clock with its mode. */
type RunningClock = Clock & { readonly mode: ClockMode }

/** Makes a checkpoint of the chains. Nothing may be sent meanwhile. Its snapshots take memory until an earlier checkpoint is restored. */
export async function markChains(nodes: Nodes, clock: Clock): Promise<Checkpoint> {
  for (;;) {
    const ends = nodes.all().map(({ lifecycle }) => lifecycle.ends)
    const marks = await onAll(nodes, (node) => markChain(node, clock))
    if (nodes.all().every(({ lifecycle }, i) => lifecycle.ends === ends[i])) return marks
  }
}

/** Makes the present state, that of `checkpoint`, the one that `returnTo` with `isStart` can always restore. */
export function keepStart(nodes: Nodes, checkpoint: Checkpoint): void {
  for (const { network, start, gate } of nodes.all()) {
    start?.keep()
    gate?.snapshots.keepStart(checkpoint.get(network))
  }
}

/** Allows the chains to go back beyond the start set by `keepStart`. */
export function forgetStart(nodes: Nodes): void {
  for (const { gate } of nodes.all()) gate?.snapshots.keepStart(undefined)
}

/**
 * Restores all chains to a checkpoint, and resolves to a new one of the same state: the given one and all later ones are used up.
 * Transactions in the pools are dropped. Call `untilAllMined` before: what is on its way to a node would land in the restored chain.
 *
 * @param isStart Whether it is the checkpoint of `keepStart`: then a node that has lost it is started over, if it can be.
 * @param ends Whether it is restored for the last time: no new one is made, and the nodes free the memory of the given one.
 * @throws `CheckpointLostError` when a node has lost it; then no chain was changed.
 */
export async function returnTo(
  nodes: Nodes,
  checkpoint: Checkpoint,
  clock: RunningClock,
  { isStart = false, ends = false } = {},
): Promise<Checkpoint> {
  const lost = await lostMarks(nodes, checkpoint)
  expectNone(lost.filter(({ start }) => !isStart || !start))
  await Promise.all(nodes.all().map(({ postponed }) => postponed?.drop()))
  // From here on, only this function mines.
  const still = nodes
    .all()
    .filter((node) => !ends && isUntouched(node, checkpoint.get(node.network)!, clock))
  return onAll(nodes, async (node) => {
    if (still.includes(node)) return checkpoint.get(node.network)!
    // Transactions that wait in the pool are mined before the revert: otherwise they would land in the restored chain.
    // A node that does not mine at once has to be told to.
    if (!(await minesAtOnce(node))) await node.rpc.request('evm_mine')
    const mayStartOver = isStart && node.start !== undefined
    const isLost = lost.includes(node)
    const goBack = isLost ? startOver : mayStartOver ? revertOrStartOver : revert
    const mark = checkpoint.get(node.network)!
    // The start of a data folder may have been kept while a fault had stopped mining; a reset removes that fault.
    const to = isStart ? { ...mark, automine: true } : mark
    const back = () => revertChain(node, to, clock, { goBack, ends })
    return inTurn(node, isStart ? () => movingStart(node, back) : back)
  })
}

/** Runs work that replaces the snapshot of the start, and keeps the new one. */
async function movingStart({ gate }: Node, work: () => Promise<ChainMark>): Promise<ChainMark> {
  gate?.snapshots.keepStart(undefined)
  const mark = await work()
  gate?.snapshots.keepStart(mark)
  return mark
}

/**
 * Whether a node is unchanged since its mark, so that no revert is needed. False while its time runs; false when another snapshot was taken
 * since, because the revert has to end that one; and false with a command log, which must see the revert.
 */
function isUntouched(
  { gate, start }: Node,
  { id, clockSeconds, standsAt }: ChainMark,
  clock: RunningClock,
): boolean {
  if (start || standsAt === undefined || clock.mode === 'real') return false
  const isThen = unixSeconds(clock) === clockSeconds && gate?.hasStillTime === true
  return isThen && gate?.mark() === standsAt && gate.snapshots.isNewest(id) === true
}

/** The present mark of the node's `gate`. */
async function placeOf({ rpc, gate }: Node): Promise<string | undefined> {
  if (gate?.isUnsettled) await gate.settle(() => rpc.request<Pooled>('txpool_status'))
  return gate?.mark()
}

/** Runs work on all nodes. Rejects when one has failed, but only after the others have ended, too. */
async function onAll<T>(nodes: Pick<Nodes, 'all'>, work: (node: Node) => Promise<T>) {
  const entries = nodes.all().map(async (node) => [node.network, await work(node)] as const)
  await Promise.allSettled(entries)
  return new Map(await Promise.all(entries))
}

async function markChain(node: Node, clock: Clock): Promise<ChainMark> {
  const { rpc } = node
  const [id, automine, pending] = await Promise.all([
    rpc.request<Hex>('evm_snapshot'),
    rpc.request<boolean>('anvil_getAutomine'),
    rpc.request<{ timestamp: Hex }>('eth_getBlockByNumber', ['pending', false]),
  ])
  const ahead = Number(pending.timestamp) - unixSeconds(clock)
  const [block, standsAt] = await Promise.all([markedBlock(node, id), placeOf(node)])
  // Two clocks that tick at different moments sometimes differ by a second.
  return {
    id,
    block: block!,
    automine,
    isOffForNow: node.gate?.isOffForNow === true,
    aheadSeconds: Math.abs(ahead) <= 1 ? 0 : ahead,
    ends: node.lifecycle.ends,
    clockSeconds: unixSeconds(clock),
    standsAt,
  }
}

/**
 * The block at which a snapshot was taken; undefined for an unknown id. A revert removes only its own snapshot from the node's list: later
 * ones are dead but still listed (anvil 1.7.1). A revert to a dead one would roll back the blocks and not the state, so it must never be
 * tried; the gate knows which are dead.
 */
async function markedBlock({ rpc }: Node, id: Hex): Promise<[number, Hex] | undefined> {
  type Listed = { snapshots: Record<Hex, [number, Hex]> }
  return (await rpc.request<Listed>('anvil_metadata')).snapshots[id]
}

/** The nodes that have lost their snapshots. */
async function lostMarks(nodes: Pick<Nodes, 'all'>, checkpoint: Checkpoint): Promise<Node[]> {
  const present = await onAll(nodes, async (node) => {
    const { id, block, ends } = checkpoint.get(node.network)!
    const { gate, lifecycle, rpc } = node
    if (lifecycle.ends !== ends || gate?.snapshots.hasEnded(id)) return false
    if (gate?.snapshots.isSure(id)) return true
    const [marked, there] = await Promise.all([
      markedBlock(node, id),
      rpc.request('eth_getBlockByHash', [block[1], false]),
    ])
    return marked?.[1] === block[1] && there !== null && lifecycle.ends === ends
  })
  return nodes.all().filter(({ network }) => !present.get(network))
}

function expectNone(lost: readonly Node[]): void {
  if (lost.length === 0) return
  const networks = lost.map(({ network }) => network).join(' and ')
  throw new CheckpointLostError(
    `the ${networks} node has no snapshot of that moment any more: its process died, evm_revert with --rpc-unsafe used it up, or its block was taken back. Nothing was changed`,
  )
}

/** Restores a node to a mark. */
type GoBack = (node: Node, mark: ChainMark) => Promise<void>

const startOver: GoBack = ({ start }) => start!.restart()

const goesBack = ({ rpc }: Node, { id }: ChainMark): Promise<boolean> =>
  rpc.request<boolean>('evm_revert', [id])

/** Fails only if the node has died, or was reverted over JSON-RPC, since its mark was checked a moment ago. */
const revert: GoBack = async (node, mark) => {
  if (await goesBack(node, mark)) return
  throw new ServiceError(
    'conflict',
    `The ${node.network} node lost its snapshot on the way, and the others are already restored: the networks are at different moments now`,
    {
      hint: 'Call POST /_sim/reset to bring them together; if that fails, restart the simulator.',
    },
  )
}

const revertOrStartOver: GoBack = async (node, mark) => {
  if (!(await goesBack(node, mark))) await startOver(node, mark)
}

/**
 * If transactions may be waiting, mining is off meanwhile, so that one sent directly to the node lands after the new snapshot, not in it.
 */
async function revertChain(
  node: Node,
  mark: ChainMark,
  clock: RunningClock,
  { goBack, ends }: { goBack: GoBack; ends: boolean },
): Promise<ChainMark> {
  const { rpc, gate, lifecycle } = node
  const mined = await minesAtOnce(node)
  // If the process is killed meanwhile, the next start must not take it for a client's switch.
  const off = mined || gate?.isOffForNow ? rpcForNow(node) : rpc
  const isEmpty = mined && mark.automine && gate?.mark() !== undefined
  const isStill = clock.mode !== 'real' && gate?.hasStillTime === true
  const keepTime = () =>
    isStill || clock.mode === 'real'
      ? undefined
      : rpc.request('anvil_setBlockTimestampInterval', [0])
  try {
    // Awaited before anything can fail: otherwise it could reach the node after mining was switched on again.
    if (!isEmpty) await off.request('evm_setAutomine', [false])
    await Promise.all([
      isEmpty ? undefined : dropAllPooled(node),
      isStill ? undefined : rpc.request('anvil_removeBlockTimestampInterval'),
    ])
    await goBack(node, mark)
    // A reverted node continues from the time of its last block, whatever the clock's mode was then.
    await rpc.request('evm_setTime', [unixSeconds(clock) + mark.aheadSeconds])
    const [id] = await Promise.all([
      ends ? mark.id : rpc.request<Hex>('evm_snapshot'),
      keepTime(),
      signForActors(node),
    ])
    if (mark.automine && !isEmpty) await rpc.request('evm_setAutomine', [true])
    if (!mark.automine && !mark.isOffForNow) await rpc.request('evm_setAutomine', [false])
    const clockSeconds = unixSeconds(clock)
    return { ...mark, id, ends: lifecycle.ends, clockSeconds, standsAt: await placeOf(node) }
  } catch (error) {
    // Otherwise mining would stay off, in a data folder even after a restart. The first error is the one to report.
    const on = mined && !isEmpty && rpc.request('evm_setAutomine', [true])
    await Promise.allSettled([on, keepTime()])
    throw error
  }
}
