import { unlessAborted } from '../../lib/abort.js'
import { type NetworkName, networkNames, networkOf } from '../deployments/networks.js'
import type { AnvilExit } from './anvil.js'
import {
  AnvilEnded,
  type AnvilInstance,
  type AnvilParameters,
  defineAnvil,
  describeExit,
} from './anvilInstance.js'
import { keepAnswers } from './keptAnswers.js'
import type { Node, Nodes } from './node.js'
import type { Channel } from './nodeSocket.js'
import { prepareActors } from './prepareActors.js'
import { createSocketRpc } from './rpc.js'
import { createStanding } from './standing.js'
import { socketPlace, unreachableHost } from './unreachable.js'
import { startWatchdog } from './watchdog.js'

export interface NodesOptions {
  /** Which networks to start; all five when absent. Tests that need one chain start one. */
  networks?: readonly NetworkName[]
  /** State file per network (plain JSON, as `--load-state` reads it). A network without one starts empty. */
  loadState?: Partial<Record<NetworkName, string>>
  /** Further arguments per network for anvil, for example `['--timestamp', '1700000000']`. */
  args?: Partial<Record<NetworkName, readonly string[]>>
  /** How long one node may take until it answers. */
  startTimeoutMs?: number
  /** Gets each node first, and puts what it resolves to between the node and everybody else. */
  gateway?: (network: NetworkName, socket: string) => Promise<(channel: Channel) => Channel>
  /**
   * Called when a node ends without having been asked to. Its state is lost, and starting it again would pretend
   * otherwise, so the program has to come down.
   */
  onDeath?: (death: NodeDeath) => void
  /** Breaks the start off: the nodes are ended, and it rejects with the signal's reason. */
  signal?: AbortSignal | undefined
}

/** How long one node may take until it listens, unless told otherwise. */
const defaultStartTimeoutMs = 30_000

/** A node that ended by itself. */
export interface NodeDeath extends AnvilExit {
  network: NetworkName
}

/** What to say of a node's death. */
export function describeDeath({ network, signal, code, lastWords }: NodeDeath): string {
  return `the ${network} node ended (${signal ?? `exit code ${code}`})\n${lastWords.trim()}`
}

/** A node on its way: its anvil, and what it takes to reach it. */
interface Launch {
  network: NetworkName
  socket: string
  /** Whether it starts from a saved state. */
  hasState: boolean
  anvil: AnvilInstance
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
  let launches: Launch[] = []
  let phase: 'starting' | 'running' | 'stopping' = 'starting'
  const stopAll = async () => {
    phase = 'stopping'
    await Promise.all(launches.map(stop))
    sockets.remove()
    await watchdog.close()
  }

  let nodes: Node[]
  try {
    const host = await unreachableHost()
    launches = (options.networks ?? networkNames).map((network) =>
      launch(network, options, { host, socket: sockets.of(network), watchdog }),
    )
    const starting = Promise.all(launches.map((each) => getReady(each, options)))
    nodes = await unlessAborted(starting, options.signal)
    for (const { network, anvil } of launches) {
      const process = anvil._internal.process!
      void process.exited.then((exit) => {
        if (phase === 'running') options.onDeath?.({ network, ...exit })
      })
    }
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

function launch(
  network: NetworkName,
  { loadState, args, startTimeoutMs: timeout = defaultStartTimeoutMs }: NodesOptions,
  parts: Pick<AnvilParameters, 'host' | 'socket' | 'watchdog'>,
): Launch {
  const state = loadState?.[network]
  const parameters = {
    ...parts,
    chainId: networkOf(network).chainId,
    loadState: state,
    args: args?.[network],
  }
  const anvil = defineAnvil(parameters, { timeout })
  return { network, socket: parts.socket, hasState: state !== undefined, anvil }
}

/** An instance that is still starting cannot be stopped; its process can. */
async function stop({ anvil }: Launch): Promise<void> {
  if (anvil.status === 'starting') await anvil._internal.process?.stop()
  else if (anvil.status !== 'idle') await anvil.stop()
}

/** Waits for a node: it listens, it is the chain that we asked for, the actors can send. */
async function getReady(launch: Launch, options: NodesOptions): Promise<Node> {
  const { network, anvil } = launch
  const fail = (why: string): never => {
    throw new NodeStartError(network, why)
  }
  const died = new Promise<never>((_, reject) => {
    anvil.once('exit', () => {
      const exited = anvil._internal.process!.exited
      void exited.then((exit) => reject(new NodeStartError(network, describeExit(exit))))
    })
  })
  died.catch(() => {})
  await anvil.start().catch((error: Error) => {
    if (error instanceof AnvilEnded) fail(error.message)
    if (anvil.status !== 'starting') throw error
    const timeout = options.startTimeoutMs ?? defaultStartTimeoutMs
    fail(
      `it did not listen within ${timeout} ms. Is the machine overloaded? Try again, or raise startTimeoutMs.`,
    )
  })
  return Promise.race([connect(launch, options), died])
}

/** Proves that the process is the expected chain, silences its log and lets the actors send. */
async function connect(
  { network, anvil, socket, hasState }: Launch,
  { gateway }: NodesOptions,
): Promise<Node> {
  const { chainId } = networkOf(network)
  const standing = createStanding(await gateway?.(network, socket))
  const rpc = keepAnswers(createSocketRpc(`${network} node`, socket, standing.over), standing)
  const { pid } = anvil._internal.process!
  const node: Node = { network, chainId, rpc, socket, pid: pid!, standing }
  const [answered] = await Promise.all([
    node.rpc.request<string>('eth_chainId'),
    node.rpc.request('anvil_setLoggingEnabled', [false]),
    prepareActors(node),
    hasState ? catchUpWithState(node) : undefined,
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

/** A node could not be started; the message names the network, the reason and what to do. */
class NodeStartError extends Error {
  override name = 'NodeStartError'
  readonly network: NetworkName
  constructor(network: NetworkName, why: string) {
    super(`The ${network} node did not start: ${why}`)
    this.network = network
  }
}
