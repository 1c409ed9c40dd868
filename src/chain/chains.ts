import { join } from 'node:path'
import { lockDataDir } from './dataDirLock.js'
import type { Forks } from './fork/start.js'
import type { ForkTargets } from './fork/target.js'
import type { NetworkName } from './networks.js'
import type { Nodes } from './node.js'
import { type NodeDeath, startNodes } from './nodes.js'
import { findSavedChains, saveChains } from './persist.js'

/** What the chains of a simulator are started from. */
export interface ChainsOptions {
  /** The offline world and the hash of what it was built from. */
  world: { hash: string; files: Record<NetworkName, string> }
  /** Where chains and store survive a restart; nothing is kept when absent. */
  dataDir: string | undefined
  rpcPortBase: number | undefined
  /** Networks to fork; the others are offline. */
  fork: ForkTargets
  /** The time at which forked networks go on, in Unix seconds. */
  now: number
  onDeath: (death: NodeDeath) => void
  progress: (step: string) => void
}

/** The running chains, and where the service keeps its store. */
export interface Chains {
  nodes: Nodes
  /** Undefined without a data folder. */
  storeFile: string | undefined
  forks: Forks
  /** Saves the chains when there is a data folder, and ends the nodes. */
  stop(): Promise<void>
}

/** Starts the five nodes from the data folder's chains, or else from the offline world and forks. */
export async function startChains(options: ChainsOptions): Promise<Chains> {
  const { dataDir } = options
  if (Object.keys(options.fork).length > 0) return startWithForks(options)
  if (dataDir === undefined) {
    const nodes = await startFrom(options, options.world.files)
    return { nodes, storeFile: undefined, forks: new Map(), stop: () => nodes.stop() }
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
    const nodes = await startFrom(options, saved?.loadState ?? options.world.files)
    return {
      nodes,
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
    }
  } catch (error) {
    await lock.release()
    throw error
  }
}

/** Some networks forked, the others from the offline world; all in memory. */
async function startWithForks(options: ChainsOptions): Promise<Chains> {
  const { world, fork, dataDir, progress } = options
  if (dataDir !== undefined)
    throw new Error(
      'a data folder cannot hold forked networks: what a node saves of a fork lacks all that it only read upstream. Leave out --data-dir or --fork',
    )
  const { openForks, prepareForks } = await import('./fork/start.js')
  const opened = await openForks(fork)
  const closeAll = () => Promise.all(opened.map((each) => each.close()))
  let nodes: Nodes | undefined
  try {
    const offline = Object.entries(world.files).filter(([network]) => !(network in fork))
    const args = Object.fromEntries(opened.map((each) => [each.network, each.args]))
    nodes = await startFrom(options, Object.fromEntries(offline), args)
    const forks = await prepareForks(nodes, opened, world.files, progress)
    const running = nodes
    return {
      nodes,
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

async function startFrom(
  { onDeath, rpcPortBase, fork, now }: ChainsOptions,
  loadState: Partial<Record<NetworkName, string>>,
  args: Partial<Record<NetworkName, readonly string[]>> = {},
): Promise<Nodes> {
  const nodes = await startNodes({
    loadState,
    onDeath,
    args,
    ...(rpcPortBase === undefined ? {} : { rpcPortBase }),
  })
  if (Object.keys(fork).length > 0) await meetInTime(nodes, now)
  // A loaded chain still shows the time at which it was saved; one block brings it to the present.
  await Promise.all(nodes.all().map((node) => node.rpc.request('evm_mine')))
  return nodes
}

/**
 * A forked chain goes on at the time of its block. Bridges need one time on all networks, and no chain can go back: so all go on
 * at `now`, or at the time of the latest block where one is ahead of that.
 */
async function meetInTime(nodes: Nodes, now: number): Promise<void> {
  const times = await Promise.all(
    nodes.all().map(async ({ rpc }) => {
      const block = await rpc.request<{ timestamp: string }>('eth_getBlockByNumber', [
        'latest',
        false,
      ])
      return Number(block.timestamp)
    }),
  )
  const time = Math.max(now, ...times)
  await Promise.all(nodes.all().map(({ rpc }) => rpc.request('evm_setTime', [time])))
}
