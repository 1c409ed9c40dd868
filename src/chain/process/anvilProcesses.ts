import { rm } from 'node:fs/promises'
import pTimeout from 'p-timeout'
import { type AnvilExit, type AnvilOptions, type AnvilProcess, spawnAnvil } from './anvil.js'
import { runProblem } from './libc.js'
import type { Watchdog } from './watchdog.js'

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
