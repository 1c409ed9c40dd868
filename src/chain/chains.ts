import { join } from 'node:path'
import { lockDataDir } from './dataDirLock.js'
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
  onDeath: (death: NodeDeath) => void
  progress: (step: string) => void
}

/** The running chains, and where the service keeps its store. */
export interface Chains {
  nodes: Nodes
  /** Undefined without a data folder. */
  storeFile: string | undefined
  /** Saves the chains when there is a data folder, and ends the nodes. */
  stop(): Promise<void>
}

/** Starts the five nodes from the data folder's chains, or else from the offline world. */
export async function startChains(options: ChainsOptions): Promise<Chains> {
  const { dataDir } = options
  if (dataDir === undefined) {
    const nodes = await startFrom(options, options.world.files)
    return { nodes, storeFile: undefined, stop: () => nodes.stop() }
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

async function startFrom(
  { onDeath, rpcPortBase }: ChainsOptions,
  loadState: Partial<Record<NetworkName, string>>,
): Promise<Nodes> {
  const nodes = await startNodes({
    loadState,
    onDeath,
    ...(rpcPortBase === undefined ? {} : { rpcPortBase }),
  })
  // A loaded chain still shows the time at which it was saved; one block brings it to the present.
  await Promise.all(nodes.all().map((node) => node.rpc.request('evm_mine')))
  return nodes
}
