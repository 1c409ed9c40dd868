import { join } from 'node:path'
import { unlessAborted } from '../lib/abort.js'
import { type ClockStart, type ClockState, frozenByDefault, isoSeconds } from '../time/clock.js'
import type { NetworkName } from './deployments/networks.js'
import type { Forks } from './fork/start.js'
import type { ForkTargets } from './fork/target.js'
import type { Nodes } from './node/node.js'
import { type NodeDeath, startNodes } from './node/nodes.js'
import { latestChainTime, setChainTimes } from './node/time.js'
import { lockDataDir } from './persistence/dataDirLock.js'
import { findSavedChains, saveChains } from './persistence/persist.js'

/** What the chains of a simulator are started from. */
export interface ChainsOptions {
  /** The offline world and the hash of what it was built from. */
  world: { hash: string; files: Record<NetworkName, string> }
  /** Where chains and store survive a restart; nothing is kept when absent. */
  dataDir: string | undefined
  /** How the clock runs; the chains follow it from their first block. */
  clock: ClockStart
  /** Networks to fork; the others are offline. */
  fork: ForkTargets
  onDeath: (death: NodeDeath) => void
  progress: (step: string) => void
  /** Breaks the start off: what has been started is ended, and it rejects with the signal's reason. */
  signal?: AbortSignal | undefined
}

/** The running chains, and where the service keeps its store. */
export interface Chains {
  nodes: Nodes
  /** The clock whose time the chains have. */
  clock: ClockState
  /** Undefined without a data folder. */
  storeFile: string | undefined
  forks: Forks
  /** Saves the chains when there is a data folder, and ends the nodes. */
  stop(): Promise<void>
  /** After a `stop` that failed, or instead of one: a data folder may be used again, as one that was not stopped cleanly. */
  abandon?(): void
}

/** Starts the five nodes from the data folder's chains, or else from the offline world and forks. */
export async function startChains(options: ChainsOptions): Promise<Chains> {
  const { dataDir } = options
  if (Object.keys(options.fork).length > 0) return startWithForks(options)
  if (dataDir === undefined) {
    const { nodes, clock } = await startFrom(options, options.world.files)
    return { nodes, clock, storeFile: undefined, forks: new Map(), stop: () => nodes.stop() }
  }
  const lock = await lockDataDir(dataDir)
  try {
    const origin = { worldHash: options.world.hash }
    const saved = await findSavedChains(dataDir, origin)
    if (lock.previousRunWasUnclean)
      options.progress(
        `${dataDir}: the run before was not stopped cleanly; what its chains did after ${saved ? 'their last save' : 'their start'} is lost, accounts and activities are kept`,
      )
    else if (saved) options.progress(`${dataDir}: going on with the saved chains`)
    const { nodes, clock } = await startFrom(options, saved?.loadState ?? options.world.files)
    return {
      nodes,
      clock,
      storeFile: join(dataDir, 'store.json'),
      forks: new Map(),
      async stop() {
        try {
          await saveChains(nodes, dataDir, origin)
        } finally {
          await nodes.stop()
        }
        // Only now: a failed save leaves the lock, and the next start says that this stop was not clean.
        await lock.release()
      },
      abandon: lock.abandon,
    }
  } catch (error) {
    await lock.release()
    throw error
  }
}

/** Some networks forked, the others from the offline world; all in memory. */
async function startWithForks(options: ChainsOptions): Promise<Chains> {
  const { world, fork, dataDir, progress, signal } = options
  if (dataDir !== undefined)
    throw new Error(
      'a data folder cannot hold forked networks: what a node saves of a fork lacks all that it only read upstream. Leave out --data-dir or --fork',
    )
  const { openForks, prepareForks } = await import('./fork/start.js')
  const opened = await openForks(fork, signal)
  const closeAll = () => Promise.all(opened.map((each) => each.close()))
  let nodes: Nodes | undefined
  try {
    const offline = Object.entries(world.files).filter(([network]) => !(network in fork))
    const args = Object.fromEntries(opened.map((each) => [each.network, each.args]))
    const started = await startFrom(options, Object.fromEntries(offline), args)
    nodes = started.nodes
    const preparing = prepareForks(nodes, opened, world.files, progress)
    const forks = await unlessAborted(preparing, signal)
    const running = nodes
    return {
      nodes,
      clock: started.clock,
      storeFile: undefined,
      forks,
      async stop() {
        await running.stop()
        await closeAll()
      },
    }
  } catch (error) {
    await nodes?.stop()
    await closeAll()
    throw error
  }
}

/** The nodes, at the time of the clock, and the state in which the clock is then. */
async function startFrom(
  { onDeath, clock, fork, signal }: ChainsOptions,
  loadState: Partial<Record<NetworkName, string>>,
  args: Partial<Record<NetworkName, readonly string[]>> = {},
): Promise<{ nodes: Nodes; clock: ClockState }> {
  const nodes = await startNodes({ loadState, onDeath, args, signal })
  try {
    return { nodes, clock: await unlessAborted(meetInTime(nodes, clock, fork), signal) }
  } catch (error) {
    await nodes.stop()
    throw error
  }
}

/**
 * A loaded chain still shows the time at which it was saved, a forked one that of its block: one block brings all to the time
 * of the clock. No chain can go back: a running clock goes on from the latest of them, a frozen one refuses an earlier instant.
 */
async function meetInTime(nodes: Nodes, start: ClockStart, fork: ForkTargets): Promise<ClockState> {
  const latestMs = (await latestChainTime(nodes)) * 1000
  if (start.mode === 'real') {
    const behindMs = latestMs - (Date.now() + start.offsetMs)
    // The nodes keep the machine's time by themselves, but forked ones go on from their block.
    const areAlike = start.offsetMs === 0 && Object.keys(fork).length === 0
    if (areAlike && behindMs <= 0) {
      await Promise.all(nodes.all().map((node) => node.rpc.request('evm_mine')))
      return start
    }
    const offsetMs = start.offsetMs + Math.max(0, behindMs)
    await setChainTimes(nodes, { mode: 'real', ms: Date.now() + offsetMs })
    return { mode: 'real', offsetMs }
  }
  const atMs = start.atMs === 'earliest' ? Math.max(frozenByDefault, latestMs) : start.atMs
  if (atMs < latestMs)
    throw new Error(
      `The clock cannot be frozen at ${isoSeconds(atMs)}: the chains stand at ${isoSeconds(latestMs)} and cannot go back. Choose a later instant, or "real".`,
    )
  await setChainTimes(nodes, { mode: 'frozen', ms: atMs })
  return { mode: 'frozen', atMs }
}
