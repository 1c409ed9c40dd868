import type { Hex } from 'viem'
import type { NetworkName } from '../../deployments/networks.js'
import { ServiceError } from '../../lib/errors.js'
import { type Clock, type ClockMode, unixSeconds } from '../../time/clock.js'
import type { Pooled } from '../rpc/changeTracker.js'
import type { Node, Nodes } from '../rpc/node.js'
import { minesAtOnce } from '../transactions/mining.js'
import { actForActors } from '../transactions/prepareActors.js'
import { inTurn } from '../transactions/send.js'

/** Where one chain stood. A node's snapshot id works once. */
interface ChainMark {
  id: Hex
  /** Number and hash of the latest block. */
  block: readonly [number: number, hash: Hex]
  /** How far the chain's time is ahead of the clock, in seconds. */
  aheadSeconds: number
  automine: boolean
  /** Which of the node's processes has it. */
  ends: number
  /** What the clock showed, in Unix seconds. */
  clockSeconds: number
  /** What the node's `changeTracker` said of it then; undefined where it could not tell. */
  standsAt: string | undefined
}

/** Where all chains stood at one moment. */
export type Checkpoint = ReadonlyMap<NetworkName, ChainMark>

/** A checkpoint cannot be returned to, and nothing was changed. The message says which networks and why. */
export class CheckpointLostError extends Error {
  override name = 'CheckpointLostError'
}

/** A clock of which one knows how it runs. */
type RunningClock = Clock & { readonly mode: ClockMode }

/** Marks where the chains stand. Nothing may be sent meanwhile. A mark holds memory of its node until an earlier one is returned to. */
export async function markChains(nodes: Nodes, clock: Clock): Promise<Checkpoint> {
  for (;;) {
    const ends = nodes.all().map(({ lifecycle }) => lifecycle.ends)
    const marks = await onAll(nodes, (node) => markChain(node, clock))
    if (nodes.all().every(({ lifecycle }, i) => lifecycle.ends === ends[i])) return marks
  }
}

/** Makes the present the state to which `returnTo` with `isStart` can always go back: `checkpoint`, which was made just now. */
export function keepStart(nodes: Nodes, checkpoint: Checkpoint): void {
  for (const { network, start, snapshots } of nodes.all()) {
    start?.keep()
    snapshots?.keepStart(checkpoint.get(network))
  }
}

/** Lets the chains go back to what was before the start that was kept. */
export function forgetStart(nodes: Nodes): void {
  for (const { snapshots } of nodes.all()) snapshots?.keepStart(undefined)
}

/**
 * Takes all chains back to where they were marked, and resolves to a new checkpoint of the same place: the given one and all
 * that were made after it are used up. Transactions that wait in the pools are dropped.
 *
 * @param isStart It was made when `keepStart` was called: a node that does not have the mark any more is started over, where it can be.
 * @throws `CheckpointLostError` when a node does not have the mark any more; then no chain was changed.
 */
export async function returnTo(
  nodes: Nodes,
  checkpoint: Checkpoint,
  clock: RunningClock,
  isStart = false,
): Promise<Checkpoint> {
  const lost = await lostMarks(nodes, checkpoint)
  expectNone(lost.filter(({ start }) => !isStart || !start))
  await Promise.all(nodes.all().map(({ postponed }) => postponed?.drop()))
  // Nobody else mines from here on.
  const still = nodes
    .all()
    .filter((node) => isUntouched(node, checkpoint.get(node.network)!, clock))
  return onAll(nodes, async (node) => {
    if (still.includes(node)) return checkpoint.get(node.network)!
    // What an interrupted sender has left with the node is mined before the chain goes back: later it would land in the world
    // that comes back. Where nothing is mined by itself, it would never end.
    if (!(await minesAtOnce(node))) await node.rpc.request('evm_mine')
    const mayStartOver = isStart && node.start !== undefined
    const isLost = lost.includes(node)
    const goBack = isLost ? startOver : mayStartOver ? revertOrStartOver : revert
    const mark = checkpoint.get(node.network)!
    // A start from a data folder may have been made while a fault held the node, which a reset lifts.
    const to = isStart ? { ...mark, automine: true } : mark
    const back = () => revertChain(node, to, clock, goBack)
    return inTurn(node, isStart ? () => movingStart(node, back) : back)
  })
}

/** Does what replaces the snapshot of the start by another one, which then is kept. */
async function movingStart(
  { snapshots }: Node,
  work: () => Promise<ChainMark>,
): Promise<ChainMark> {
  snapshots?.keepStart(undefined)
  const mark = await work()
  snapshots?.keepStart(mark)
  return mark
}

/**
 * Whether nothing has happened to a node since it was marked, so that a revert can be left out. False while its time runs; false when
 * another snapshot was taken since, because a revert would end that one; and false with a command log, which must have the revert.
 */
function isUntouched(
  { changeTracker, snapshots, start }: Node,
  { id, clockSeconds, standsAt }: ChainMark,
  clock: RunningClock,
): boolean {
  if (start || standsAt === undefined || clock.mode === 'real') return false
  const isThen = unixSeconds(clock) === clockSeconds && changeTracker?.hasStillTime === true
  return isThen && changeTracker?.mark() === standsAt && snapshots?.isNewest(id) === true
}

/** What the node's tracker says of it as it stands. */
async function placeOf({ rpc, changeTracker }: Node): Promise<string | undefined> {
  if (changeTracker?.isUnsettled)
    await changeTracker.settle(() => rpc.request<Pooled>('txpool_status'))
  return changeTracker?.mark()
}

/** Rejects when one node has failed, and the others are through: nobody works on them any more. */
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
  // Two clocks that tick apart differ by a second now and then.
  return {
    id,
    block: block!,
    automine,
    aheadSeconds: Math.abs(ahead) <= 1 ? 0 : ahead,
    ends: node.lifecycle.ends,
    clockSeconds: unixSeconds(clock),
    standsAt,
  }
}

/**
 * The block at which a snapshot was taken; undefined when the node has none of that id. A revert takes only its own off the node's list:
 * those that were taken after it are dead, yet still listed (anvil 1.7.1). To revert to a dead one rolls the blocks back and leaves the
 * state as it is, so it must never be tried: `snapshots` knows which they are.
 */
async function markedBlock({ rpc }: Node, id: Hex): Promise<[number, Hex] | undefined> {
  type Listed = { snapshots: Record<Hex, [number, Hex]> }
  return (await rpc.request<Listed>('anvil_metadata')).snapshots[id]
}

/** The nodes that do not have their marks any more. */
async function lostMarks(nodes: Pick<Nodes, 'all'>, checkpoint: Checkpoint): Promise<Node[]> {
  const present = await onAll(nodes, async (node) => {
    const { id, block, ends } = checkpoint.get(node.network)!
    const { snapshots, lifecycle, rpc } = node
    if (lifecycle.ends !== ends || snapshots?.hasEnded(id)) return false
    if (snapshots?.isSure(id)) return true
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
    `the ${networks} node has no snapshot of that moment any more: its process died, evm_revert over JSON-RPC used it up, or its block was taken back. Nothing was changed`,
  )
}

/** Takes a node back to a mark. */
type GoBack = (node: Node, mark: ChainMark) => Promise<void>

const startOver: GoBack = ({ start }) => start!.again()

const goesBack = ({ rpc }: Node, { id }: ChainMark): Promise<boolean> =>
  rpc.request<boolean>('evm_revert', [id])

/** The mark was there a moment ago: the node has died since, or somebody has reverted it over JSON-RPC. */
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
 * Where transactions may wait, mining is off meanwhile, so that one that was sent past the service comes after the new mark, not into it.
 */
async function revertChain(
  node: Node,
  mark: ChainMark,
  clock: RunningClock,
  goBack: GoBack,
): Promise<ChainMark> {
  const { rpc, changeTracker, lifecycle } = node
  const mined = await minesAtOnce(node)
  const isEmpty = mined && mark.automine && changeTracker?.mark() !== undefined
  const isStill = clock.mode !== 'real' && changeTracker?.hasStillTime === true
  const keepTime = () =>
    isStill || clock.mode === 'real'
      ? undefined
      : rpc.request('anvil_setBlockTimestampInterval', [0])
  try {
    // Answered before anything can fail: else it could reach the node after mining has been put back.
    if (!isEmpty) await rpc.request('evm_setAutomine', [false])
    await Promise.all([
      isEmpty ? undefined : rpc.request('anvil_dropAllTransactions'),
      isStill ? undefined : rpc.request('anvil_removeBlockTimestampInterval'),
    ])
    await goBack(node, mark)
    // A reverted node goes on from the time of its last block, and knows nothing of how the clock ran then.
    await rpc.request('evm_setTime', [unixSeconds(clock) + mark.aheadSeconds])
    const [id] = await Promise.all([
      rpc.request<Hex>('evm_snapshot'),
      keepTime(),
      actForActors(node),
    ])
    if (mark.automine && !isEmpty) await rpc.request('evm_setAutomine', [true])
    const clockSeconds = unixSeconds(clock)
    return { ...mark, id, ends: lifecycle.ends, clockSeconds, standsAt: await placeOf(node) }
  } catch (error) {
    // Off, it would stay off: for whoever sends next, and in a data folder for the next start. Why it failed is what is told.
    const on = mined && !isEmpty && rpc.request('evm_setAutomine', [true])
    await Promise.allSettled([on, keepTime()])
    throw error
  }
}
