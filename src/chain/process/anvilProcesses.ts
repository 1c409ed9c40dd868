import { rm } from 'node:fs/promises'
import pTimeout from 'p-timeout'
import {
  type AnvilExit,
  type AnvilOptions,
  type AnvilProcess,
  runProblem,
  spawnAnvil,
} from './anvil.js'
import type { Watchdog } from './watchdog.js'
import './promiseShim.js'
import { Instance, Pool } from 'prool'
import type { NetworkName } from '../../deployments/networks.js'

/** How the processes of a node are started, and the watchdog that kills them if this process disappears. */
export interface AnvilParameters extends Omit<AnvilOptions, 'loadState'> {
  watchdog: Pick<Watchdog, 'add' | 'remove'>
  /** How long one may take to listen. */
  startTimeoutMs: number
}

/** The processes of one node, one after the other. */
export class AnvilProcesses {
  /** The file that the next process starts from. */
  loadState: string | undefined
  private readonly parameters: AnvilParameters
  private latest: AnvilProcess | undefined
  private stopped: AnvilProcess | undefined
  private isStarting = false
  private isOver = false

  constructor(parameters: AnvilParameters, loadState: string | undefined) {
    this.parameters = parameters
    this.loadState = loadState
  }

  /** The latest; undefined before the first. */
  get current(): AnvilProcess | undefined {
    return this.latest
  }

  /**
   * Resolves when the next process listens. Rejects with `AnvilEnded` when it ends instead, and with `TimeoutError` when it takes too
   * long. Either way no process is left then.
   *
   * @param onExit Called when this process has ended.
   */
  async start(onExit: (exit: AnvilExit) => void): Promise<void> {
    const { watchdog, startTimeoutMs: milliseconds, socket } = this.parameters
    // A killed process leaves its socket behind. (On Windows it is no file.)
    if (this.latest && process.platform !== 'win32') await rm(socket, { force: true })
    if (this.isOver) throw new Error('the simulator is being stopped')
    this.isStarting = true
    const { loadState } = this
    const anvil = spawnAnvil({ ...this.parameters, ...(loadState && { loadState }) }, watchdog.add)
    this.latest = anvil
    const ended = anvil.exited.then((exit) => {
      if (anvil.pid !== undefined) watchdog.remove(anvil.pid)
      onExit(exit)
      throw new AnvilEnded(exit)
    })
    try {
      await pTimeout(Promise.race([anvil.listening, ended]), { milliseconds })
    } catch (error) {
      await anvil.stop()
      throw error
    } finally {
      this.isStarting = false
    }
  }

  /** Whether this process is wanted: the latest, and not told to stop. Its end is a death then. */
  isWanted(process: AnvilProcess): boolean {
    return process === this.latest && process !== this.stopped
  }

  /** Ends the process, if there is one. Safe to call twice. */
  async stop(): Promise<void> {
    this.stopped = this.latest
    await this.latest?.stop()
  }

  /** No process will be started any more; one that is starting is ended. */
  startNoMore(): void {
    this.isOver = true
    if (this.isStarting) void this.stop()
  }
}

/** The process ended before it listened. */
export class AnvilEnded extends Error {
  readonly exit: AnvilExit

  constructor(exit: AnvilExit) {
    super(describeExit(exit))
    this.name = 'AnvilEnded'
    this.exit = exit
  }
}

/** How it ended, with its last output. */
function describeExit({ code, signal, lastWords }: AnvilExit): string {
  const how = signal === null ? `with code ${code}` : `by signal ${signal}`
  const problem = code === 0 ? undefined : runProblem(code)
  const ended = `anvil ended ${how}. Its last words: ${lastWords || '(none)'}`
  return problem === undefined ? ended : `${problem} (${ended})`
}

/** A node that dies this often in this time will die again. Milliseconds of the machine. */
const tooOften = { deaths: 3, withinMs: 60_000 }

/** A node is not brought back. */
export class GivenUp extends Error {
  /** The reason; undefined without a command log, where nodes are never brought back. */
  readonly why: string | undefined
  /** How its last process ended. */
  readonly exit: AnvilExit

  constructor(why: string | undefined, exit: AnvilExit | undefined, cause?: unknown) {
    super(why ?? 'it is not brought back', { cause })
    this.why = why
    this.exit = exit ?? { code: null, signal: null, lastWords: '' }
  }
}

/**
 * Brings back a node whose process has ended. When the new process ends as well, tries again.
 *
 * @param deaths Times of earlier deaths, by `performance.now()`; old ones are removed.
 * @param attempt Resolves to whether the cause was found and removed: then this death does not count. Rejects with `AnvilEnded` when the
 * process has ended again.
 * @param exit How it ended; undefined when it was ended on purpose.
 * @throws `GivenUp`
 */
export async function bringBack(
  deaths: number[],
  attempt: () => Promise<boolean>,
  exit: AnvilExit | undefined,
): Promise<void> {
  for (let last = exit; ; ) {
    if (last && isTooOften(deaths)) throw new GivenUp('for the third time within a minute', last)
    try {
      if (await attempt()) deaths.pop()
      return
    } catch (error) {
      if (!(error instanceof AnvilEnded)) {
        const { message } = error as Error
        throw new GivenUp(`and could not be brought back: ${message}`, last, error)
      }
      last = error.exit
    }
  }
}

/** Adds a death, and returns whether there were too many. */
function isTooOften(deaths: number[]): boolean {
  const now = performance.now()
  const recent = deaths.filter((at) => now - at < tooOften.withinMs)
  deaths.splice(0, deaths.length, ...recent, now)
  return deaths.length >= tooOften.deaths
}

/**
 * The nodes by network. The pool starts, restarts and stops them. It has each node from its first start until it is destroyed, and the
 * instance's status says whether its process runs.
 */
export type NodePool = Pool.Pool<NetworkName, ReturnType<typeof defineNode>>

/** An instance ends by itself in these ways only; prool's own timeouts would leave the process running, so none is set. */
const defineNode = Instance.define((processes: AnvilProcesses) => ({
  name: 'anvil',
  host: 'localhost',
  port: 0, // requests go through its socket
  async start(_, { emitter }) {
    await processes.start(({ code, signal }) => emitter.emit('exit', code, signal))
    emitter.emit('listening')
  },
  stop: () => processes.stop(),
}))

/** A pool without nodes yet. `start` a node with a port, or prool looks for a free one first, which nothing uses. */
export function createNodePool(processesOf: (network: NetworkName) => AnvilProcesses): NodePool {
  return Pool.define({ instance: (network: NetworkName) => defineNode(processesOf(network)) })
}
