import { type NetworkName, networkNames } from '../../deployments/networks.js'
import { unlessAborted } from '../../lib/abort.js'
import type { Node, Nodes } from '../rpc/node.js'
import { createNodePool, type NodePool } from './anvilProcesses.js'
import { Launch, type LaunchOptions } from './launch.js'
import { socketPlace, unreachableHost } from './unreachable.js'
import { startWatchdog } from './watchdog.js'

export interface NodesOptions extends LaunchOptions {
  /** The networks to start; all five when absent. Tests start fewer. */
  networks?: readonly NetworkName[]
  /** Aborts the start: the nodes are ended, and it rejects with the signal's reason. */
  signal?: AbortSignal | undefined
}

/** The running nodes, and the pool that their instances are in. */
export interface StartedNodes extends Nodes {
  readonly pool: NodePool
}

/**
 * Starts the nodes in parallel, and resolves when each answers with its chain id and lets the actors send.
 *
 * When one fails, the others are ended, and it rejects with a `NodeStartError` that says which failed and why. If this process
 * disappears, a watchdog ends the nodes.
 */
export async function startNodes(options: NodesOptions = {}): Promise<StartedNodes> {
  const watchdog = startWatchdog()
  const sockets = socketPlace()
  if (sockets.folder !== undefined) watchdog.removeAtEnd(sockets.folder)
  const launches = new Map<NetworkName, Launch>()
  const pool = createNodePool((network) => launches.get(network)!.processes)
  const stopAll = async () => {
    await Promise.all([...launches.values()].map((launch) => launch.stop()))
    sockets.remove()
    await watchdog.close()
  }

  let nodes: Node[]
  try {
    const host = await unreachableHost()
    for (const network of options.networks ?? networkNames) {
      const parts = { pool, host, socket: sockets.of(network), watchdog }
      launches.set(network, new Launch(network, options, parts))
    }
    const all = [...launches.values()]
    nodes = await unlessAborted(Promise.all(all.map((launch) => launch.begin())), options.signal)
    for (const launch of all) launch.watch()
  } catch (error) {
    await stopAll()
    throw error
  }

  let stopped: Promise<void> | undefined
  return {
    get: (network) => find(nodes, network),
    all: () => nodes,
    pool,
    stop() {
      stopped ??= stopAll().finally(() => {
        for (const node of nodes) node.rpc.close()
      })
      return stopped
    },
  }
}

function find(nodes: readonly Node[], network: NetworkName): Node {
  const node = nodes.find((node) => node.network === network)
  if (node) return node
  const running = nodes.map((node) => node.network).join(', ')
  throw new Error(`No node runs for network "${network}". Running: ${running}.`)
}
