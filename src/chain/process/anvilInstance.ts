import pTimeout from 'p-timeout'
import { type AnvilExit, type AnvilOptions, type AnvilProcess, spawnAnvil } from './anvil.js'
import { runProblem } from './libc.js'
import type { Watchdog } from './watchdog.js'

/** How an instance is started, and the watchdog that kills it if this process disappears. */
export interface AnvilParameters extends AnvilOptions {
  watchdog: Pick<Watchdog, 'add' | 'remove'>
}

/** One anvil, before and after its start. */
export class AnvilInstance {
  private readonly parameters: AnvilParameters
  private running: AnvilProcess | undefined

  constructor(parameters: AnvilParameters) {
    this.parameters = parameters
  }

  /** Undefined until it is started. */
  get process(): AnvilProcess | undefined {
    return this.running
  }

  /**
   * Resolves when it listens. Rejects with `AnvilEnded` when it ends instead, and with `TimeoutError` when it takes longer than
   * `milliseconds`; after a timeout its process still has to be stopped.
   */
  async start(milliseconds: number): Promise<void> {
    const { watchdog } = this.parameters
    const process = spawnAnvil(this.parameters, watchdog.add)
    this.running = process
    const { pid } = process
    const ended = process.exited.then((exit) => {
      if (pid !== undefined) watchdog.remove(pid)
      throw new AnvilEnded(exit)
    })
    await pTimeout(Promise.race([process.listening, ended]), { milliseconds })
  }

  /** Ends its process, if there is one. Safe to call twice. */
  async stop(): Promise<void> {
    await this.running?.stop()
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
