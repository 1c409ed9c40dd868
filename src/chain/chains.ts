import { join } from 'node:path'
import type { NetworkName } from './networks.js'
import type { Nodes } from './node.js'
import { type NodeDeath, startNodes } from './nodes.js'

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
  storeFile: string | undefined
  /** Saves the chains when there is a data folder, and ends the nodes. */
  stop(): Promise<void>
}

/** Starts the five nodes from the data folder's chains, or else from the offline world. */
export async function startChains(options: ChainsOptions): Promise<Chains> {
  const { world, dataDir, onDeath } = options
  const nodes = await startNodes({
    loadState: world.files,
    onDeath,
    ...(options.rpcPortBase === undefined ? {} : { rpcPortBase: options.rpcPortBase }),
  })
  // A loaded chain still shows the time at which it was built; one block brings it to the present.
  await Promise.all(nodes.all().map((node) => node.rpc.request('evm_mine')))
  return {
    nodes,
    storeFile: dataDir === undefined ? undefined : join(dataDir, 'store.json'),
    stop: () => nodes.stop(),
  }
}
