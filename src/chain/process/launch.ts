import pTimeout, { TimeoutError } from 'p-timeout'
import { type NetworkName, networkOf } from '../../deployments/networks.js'
import { awaitAnswer } from '../../time/backgroundTasks.js'
import { cacheAnswers } from '../rpc/cachedAnswers.js'
import type { CommandLog, NodeHandle } from '../rpc/commandLog.js'
import { createGate, type Gate, heldDuring, type SwitchCommand } from '../rpc/gate.js'
import type { Node } from '../rpc/node.js'
import { createLifecycle, heardWithinMs, type NodeLifecycle } from '../rpc/nodeLifecycle.js'
import { ConnectionLost, openChannel } from '../rpc/nodeSocket.js'
import { ChainPipeline, type ChainStep, stepsInOrder } from '../rpc/pipeline.js'
import { createPostponedBlocks } from '../rpc/postponedBlocks.js'
import { createRemovedLogs, type RemovedLogs } from '../rpc/removedLogs.js'
import { createReorgTime, retainedStates } from '../rpc/reorgTime.js'
import { RpcTransportError } from '../rpc/rpc.js'
import { prepareActors } from '../transactions/sendFor.js'
import { mineAt } from '../transactions/time.js'
import type { AnvilExit } from './anvil.js'
import {
  AnvilEnded,
  type AnvilParameters,
  AnvilProcesses,
  bringBack,
  GivenUp,
  type NodePool,
} from './anvilProcesses.js'
import { socketProblem } from './unreachable.js'

/** How nodes are launched. */
export interface LaunchOptions {
  /** State file per network (plain JSON, as `--load-state` reads it). A network without one starts empty. */
  loadState?: Partial<Record<NetworkName, string | undefined>>
  /** Further arguments per network for anvil, for example `['--timestamp', '1700000000']`. */
  args?: Partial<Record<NetworkName, readonly string[]>>
  /** How long one node may take to start. */
  startTimeoutMs?: number
  /** How many recent blocks each node keeps with their transactions; all when absent. */
  keepBlocks?: number | undefined
  /** Makes the command log of each node, which sees every message first, and restarts the node when it dies. */
  commandLog?: (handle: NodeHandle) => Promise<CommandLog>
  /**
   * Called when a node ends by itself and is not brought back. Its state is lost, and a restart would hide that, so the program has
   * to end.
   */
  onDeath?: (death: NodeDeath) => void
  /** Called when a node that died has been brought back. */
  onRevival?: (revival: NodeRevival) => void
}

/** A node that ended by itself. */
export interface NodeDeath extends AnvilExit {
  network: NetworkName
  /** Why it was not brought back, with a command log. */
  why?: string
}

/** The message about a node's death. */
export function describeDeath({ network, signal, code, why, lastWords }: NodeDeath): string {
  const how = signal ?? `exit code ${code}`
  return `the ${network} node ended (${how})${why === undefined ? '' : ` ${why}`}\n${lastWords}`.trim()
}

/** A node that ended by itself, and is back. */
export interface NodeRevival extends AnvilExit {
  network: NetworkName
  /** Milliseconds of the machine from its end to its return. */
  tookMs: number
}

interface LaunchParts extends Pick<AnvilParameters, 'host' | 'socket' | 'watchdog'> {
  /** Starts, restarts and stops the node. */
  pool: NodePool
}

/** The default time limit for a node to listen. */
const defaultStartTimeoutMs = 30_000

/** One node from its start to its end, with one process after the other if it can be brought back. */
export class Launch {
  /** Times of its latest deaths, by `performance.now()`. */
  readonly deaths: number[] = []
  private readonly network: NetworkName
  private readonly options: LaunchOptions
  private readonly parts: LaunchParts
  private readonly lifecycle = createLifecycle(0)
  /** Starts the processes of its instance in the pool. */
  readonly processes: AnvilProcesses
  private commandLog: CommandLog | undefined
  private gate: Gate | undefined
  private readonly removedLogs: RemovedLogs
  private readonly keepTime: ChainStep
  private isStopping = false

  constructor(network: NetworkName, options: LaunchOptions, parts: LaunchParts) {
    this.network = network
    this.options = options
    this.parts = parts
    this.removedLogs = createRemovedLogs(forkBlockOf(options.args?.[network]))
    const isForked = options.args?.[network]?.includes('--fork-url')
    this.keepTime = createReorgTime(this.removedLogs, isForked)
    this.processes = this.processesOf()
  }

  /** Starts it; resolves when it listens, has the expected chain id, and lets the actors send. */
  async begin(): Promise<Node> {
    try {
      await this.untilListening('start')
      return await this.connect().catch((error) => this.throwWithEnd(error))
    } catch (error) {
      if (!(error instanceof AnvilEnded)) throw error
      const why = (await socketProblem(this.parts.socket)) ?? error.message
      throw new NodeStartError(this.network, why)
    }
  }

  /** From now on, an exit of its process counts as its death. */
  watch(): void {
    const { processes } = this
    const watched = processes.current!
    void watched.exited.then(async (exit) => {
      if (this.isStopping || !processes.isWanted(watched)) return
      // A failure has been reported already.
      await this.bringBack('now', exit).catch(() => {})
    })
  }

  /** Ends it for good. */
  async stop(): Promise<void> {
    this.isStopping = true
    this.lifecycle.over('the simulator is being stopped')
    this.processes.startNoMore()
    await this.parts.pool.destroy(this.network)
  }

  /** Resolves when it is back. When it does not come back, reports its death and rejects. */
  private async bringBack(to: 'now' | 'start', exit?: AnvilExit): Promise<void> {
    const { network, lifecycle, commandLog, options, deaths } = this
    const begun = performance.now()
    lifecycle.ended()
    try {
      if (commandLog) await bringBack(deaths, () => this.attempt(commandLog, to), exit)
      else throw new GivenUp(undefined, exit)
    } catch (error) {
      if (this.isStopping || !(error instanceof GivenUp)) throw error
      lifecycle.over(`the ${network} node ended${error.why === undefined ? '' : ` ${error.why}`}`)
      options.onDeath?.({ network, ...error.exit, ...(error.why ? { why: error.why } : {}) })
      throw error
    }
    this.watch()
    this.gate?.renew(restoredSwitch(commandLog))
    this.removedLogs.renew()
    lifecycle.back(exit ? 'revived' : 'started over')
    if (exit) options.onRevival?.({ network, ...exit, tookMs: performance.now() - begun })
  }

  private attempt(commandLog: CommandLog, to: 'now' | 'start'): Promise<boolean> {
    return commandLog.bringBack(to).catch((error) => this.throwWithEnd(error))
  }

  /** Rethrows the error, as `AnvilEnded` if the connection was lost because the process ended. */
  private async throwWithEnd(error: unknown): Promise<never> {
    const lost = error instanceof RpcTransportError ? error.cause : error
    if (!(lost instanceof ConnectionLost)) throw error
    const { exited } = this.processes.current!
    const exit = await pTimeout(exited, { milliseconds: heardWithinMs, fallback: () => lost })
    throw exit instanceof ConnectionLost ? error : new AnvilEnded(exit)
  }

  /** Replaces the process, whether it still runs or not. Rejects with `AnvilEnded` when the new one ends by itself. */
  private async startFrom(loadState: string | undefined): Promise<void> {
    this.processes.loadState = loadState
    await this.untilListening('restart')
  }

  private processesOf(): AnvilProcesses {
    const { network, options, parts } = this
    const { host, socket, watchdog } = parts
    const { chainId } = networkOf(network)
    const args = [...keeperArgs(options.keepBlocks), ...(options.args?.[network] ?? [])]
    const { startTimeoutMs = defaultStartTimeoutMs } = options
    const parameters = { host, socket, watchdog, chainId, args, startTimeoutMs }
    return new AnvilProcesses(parameters, options.loadState?.[network])
  }

  /** Has the pool start the process. Rejects with `AnvilEnded` when it ends instead. */
  private async untilListening(how: 'start' | 'restart'): Promise<void> {
    const { network, parts, options } = this
    try {
      if (how === 'start') await parts.pool.start(network, { port: 0 })
      else await parts.pool.restart(network)
    } catch (error) {
      if (!(error instanceof TimeoutError)) throw error
      const timeout = options.startTimeoutMs ?? defaultStartTimeoutMs
      throw new NodeStartError(
        network,
        `it did not listen within ${timeout} ms. Is the machine overloaded? Try again, or raise startTimeoutMs.`,
      )
    }
    this.lifecycle.pid = this.processes.current!.pid!
  }

  /** Checks the chain id of the process, silences its log and lets the actors send. */
  private async connect(): Promise<Node> {
    const { network, lifecycle, options, parts } = this
    const { socket } = parts
    const { chainId } = networkOf(network)
    const startFrom = (loadState: string | undefined) => this.startFrom(loadState)
    const commandLog = await options.commandLog?.({ network, socket, lifecycle, startFrom })
    this.commandLog = commandLog
    const { removedLogs } = this
    const gate = createGate(commandLog === undefined, restoredSwitch(commandLog))
    this.gate = gate
    // A command log needs each block at once, so it postpones none.
    const postponed = commandLog ? undefined : createPostponedBlocks(mineAt)
    const pipeline = new ChainPipeline(network, openChannel(socket), {
      fault: stepsInOrder(yieldStep(lifecycle), postponed?.step),
      cache: cacheAnswers(gate),
      log: commandLog && heldDuring(gate, commandLog.step),
      gate: gate.step,
      time: this.keepTime,
    })
    const rpc = pipeline.rpc()
    const start = commandLog && {
      keep: commandLog.keepStart,
      leftovers: commandLog.leftovers,
      restart: () => this.bringBack('start'),
    }
    const own = {
      network,
      chainId,
      rpc,
      pipeline,
      socket,
      lifecycle,
      gate,
      removedLogs,
    }
    const node: Node = { ...own, ...(start && { start }), ...(postponed && { postponed }) }
    const [answered] = await Promise.all([
      node.rpc.request<string>('eth_chainId'),
      node.rpc.request('anvil_setLoggingEnabled', [false]),
      prepareActors(node),
      options.loadState?.[network] === undefined ? undefined : catchUpWithState(node),
    ])
    if (Number(answered) !== chainId) {
      const why = `it answers chain id ${Number(answered)}, but ${network} is ${chainId}. Check the arguments given to it.`
      throw new NodeStartError(network, why)
    }
    return node
  }
}

function restoredSwitch(commandLog: CommandLog | undefined): SwitchCommand | undefined {
  const command = commandLog?.switchedOff()
  return command && { method: command.method, params: command.params, isRestored: true }
}

/** The node keeps as many blocks more as a reorganisation can take back, so that it has the promised number afterwards, too. */
function keeperArgs(keepBlocks: number | undefined): string[] {
  return keepBlocks === undefined
    ? []
    : ['--transaction-block-keeper', String(keepBlocks + retainedStates)]
}

/** The block at which the chain is forked; 0 without a fork. */
function forkBlockOf(args: readonly string[] = []): number {
  const at = args.indexOf('--fork-block-number')
  return at < 0 ? 0 : Number(args[at + 1])
}

/** Tasks that ask the node yield while a fault has stopped it, and its answers count as progress. */
function yieldStep({ stand }: NodeLifecycle): ChainStep {
  return (request, next) => awaitAnswer(stand, next(request))
}

/**
 * A node that starts from a saved state takes the machine's time. If the time of the saved chain had been advanced, the next block would
 * be earlier than the last one and break every contract that accrues interest. So the time continues from the last block.
 */
async function catchUpWithState({ rpc }: Node): Promise<void> {
  const timestampOf = async (tag: 'latest' | 'pending') => {
    const block = await rpc.request<{ timestamp: string }>('eth_getBlockByNumber', [tag, false])
    return Number(block.timestamp)
  }
  const [last, next] = await Promise.all([timestampOf('latest'), timestampOf('pending')])
  if (next < last) await rpc.request('evm_increaseTime', [last - next])
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
