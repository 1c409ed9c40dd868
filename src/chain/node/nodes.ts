import './promiseShim.js'
import { type NetworkName, networkNames, networkOf } from '../deployments/networks.js'
import { type AnvilExit, type AnvilProcess, spawnAnvil } from './anvil.js'
import type { Node, Nodes } from './node.js'
import { prepareActors } from './prepareActors.js'
import { createSocketRpc } from './rpc.js'
import { socketPlace, unreachableHost } from './unreachable.js'
import { startWatchdog, type Watchdog } from './watchdog.js'

export interface NodesOptions {
  /** Which networks to start; all five when absent. Tests that need one chain start one. */
  networks?: readonly NetworkName[]
  /** State file per network (plain JSON, as `--load-state` reads it). A network without one starts empty. */
  loadState?: Partial<Record<NetworkName, string>>
  /** Further arguments per network for anvil, for example `['--timestamp', '1700000000']`. */
  args?: Partial<Record<NetworkName, readonly string[]>>
  /** How long one node may take until it answers. */
  startTimeoutMs?: number
  /**
   * Called when a node ends without having been asked to. Its state is lost, and starting it again would pretend
   * otherwise, so the program has to come down.
   */
  onDeath?: (death: NodeDeath) => void
}

/** A node that ended by itself. */
export interface NodeDeath extends AnvilExit {
  network: NetworkName
}

/** A spawned node that is not known to answer yet. */
interface Starting {
  network: NetworkName
  socket: string
  /** Whether it starts from a saved state. */
  hasState: boolean
  process: AnvilProcess
}

/**
 * Starts the nodes, all at once, and resolves when each answers with its chain id and lets the actors send.
 *
 * When one fails, the others are ended and one `NodeStartError` tells which and why. If this process disappears, a
 * watchdog ends the nodes.
 */
export async function startNodes(options: NodesOptions = {}): Promise<Nodes> {
  const watchdog = startWatchdog()
  const sockets = socketPlace()
  if (sockets.folder !== undefined) watchdog.removeAtEnd(sockets.folder)
  const starting: Starting[] = []
  let phase: 'starting' | 'running' | 'stopping' = 'starting'
  const stopAll = async () => {
    phase = 'stopping'
    await Promise.all(starting.map(({ process }) => process.stop()))
    sockets.remove()
    await watchdog.close()
  }

  let nodes: Node[]
  try {
    const host = await unreachableHost()
    for (const network of options.networks ?? networkNames) {
      starting.push(spawnNode(network, { ...options, host, socket: sockets.of(network) }, watchdog))
    }
    const deaths = starting.map(async ({ network, process }) => {
      const exit = await process.exited
      if (process.pid !== undefined) watchdog.remove(process.pid)
      if (phase === 'running') options.onDeath?.({ network, ...exit })
      return Promise.reject(new NodeStartError(network, describeExit(exit)))
    })
    nodes = await Promise.race([getReady(starting, options), ...deaths])
    phase = 'running'
  } catch (error) {
    await stopAll()
    throw error
  }

  let stopped: Promise<void> | undefined
  return {
    get: (network) => find(nodes, network),
    all: () => nodes,
    stop() {
      stopped ??= stopAll().finally(() => {
        for (const node of nodes) node.rpc.close()
      })
      return stopped
    },
  }
}

function spawnNode(
  network: NetworkName,
  { host, socket, loadState, args }: NodesOptions & { host: string; socket: string },
  watchdog: Watchdog,
): Starting {
  const process = spawnAnvil({
    chainId: networkOf(network).chainId,
    host,
    socket,
    loadState: loadState?.[network],
    args: args?.[network],
  })
  if (process.pid !== undefined) watchdog.add(process.pid)
  return { network, socket, hasState: loadState?.[network] !== undefined, process }
}

/**
 * Waits for every node: it listens, it is the chain we asked for, the actors can send.
 *
 * prool holds the life of a node (idle, starting, started) and bounds its start. It runs our own process
 * instead of its built-in anvil, because that one shares the terminal's process group, dies at the first line the node
 * writes to stderr, and keeps all output in memory. It is loaded while the nodes start, which takes them as long.
 */
async function getReady(starting: readonly Starting[], options: NodesOptions): Promise<Node[]> {
  const { Instance } = await import('prool')
  const anvil = Instance.define(({ process }: Starting) => ({
    name: 'anvil',
    host: 'localhost',
    port: 0,
    async start(_, { emitter }) {
      await process.listening
      emitter.emit('listening')
    },
    stop: () => process.stop(),
  }))
  const timeout = options.startTimeoutMs ?? 30_000
  return Promise.all(
    starting.map(async (start) => {
      const instance = anvil(start, { timeout })
      await instance.start().catch(() => {
        const why = `it did not listen within ${timeout} ms. Is the machine overloaded? Try again, or raise startTimeoutMs.`
        throw new NodeStartError(start.network, why)
      })
      return connect(start)
    }),
  )
}

/** Proves that the process is the expected chain, silences its log and lets the actors send. */
async function connect(start: Starting): Promise<Node> {
  const { network, process, socket } = start
  const { chainId } = networkOf(network)
  const rpc = createSocketRpc(`${network} node`, socket)
  const node: Node = { network, chainId, rpc, socket, pid: process.pid! }
  const [answered] = await Promise.all([
    node.rpc.request<string>('eth_chainId'),
    node.rpc.request('anvil_setLoggingEnabled', [false]),
    prepareActors(node),
    start.hasState ? catchUpWithState(node) : undefined,
  ])
  if (Number(answered) !== chainId) {
    const why = `it answers chain id ${Number(answered)}, but ${network} is ${chainId}. Check the arguments given to it.`
    throw new NodeStartError(network, why)
  }
  return node
}

/**
 * A node that starts from a saved state takes its time from the machine again. When the saved chain's time had been
 * advanced, the next block would lie before the last one and break every contract that accrues interest; so the time
 * continues from the last block.
 */
async function catchUpWithState({ rpc }: Node): Promise<void> {
  const timestampOf = async (tag: 'latest' | 'pending') => {
    const block = await rpc.request<{ timestamp: string }>('eth_getBlockByNumber', [tag, false])
    return Number(block.timestamp)
  }
  const [last, next] = await Promise.all([timestampOf('latest'), timestampOf('pending')])
  if (next < last) await rpc.request('evm_increaseTime', [last - next])
}

function find(nodes: readonly Node[], network: NetworkName): Node {
  const node = nodes.find((node) => node.network === network)
  if (node) return node
  const running = nodes.map((node) => node.network).join(', ')
  throw new Error(`No node runs for network "${network}". Running: ${running}.`)
}

function describeExit({ code, signal, lastWords }: AnvilExit): string {
  const how = signal === null ? `with code ${code}` : `by signal ${signal}`
  return `anvil ended ${how}. Its last words: ${lastWords || '(none)'}`
}

/** A node could not be started; the message names the network, the reason and what to do. */
class NodeStartError extends Error {
  override name = 'NodeStartError'
  readonly network: NetworkName
  constructor(network: NetworkName, why: string) {
    super(`The ${network} node did not start: ${why}`)
    this.network = network
  }
}
