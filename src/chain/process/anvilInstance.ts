import pTimeout from 'p-timeout'
import { type AnvilExit, type AnvilOptions, type AnvilProcess, spawnAnvil } from './anvil.js'
import { runProblem } from './libc.js'
import type { Watchdog } from './watchdog.js'

/** What an instance is made of: how its anvil is started, and the watchdog that ends it should this process disappear. */
export interface AnvilParameters extends AnvilOptions {
  watchdog: Pick<Watchdog, 'add' | 'remove'>
}

/** An anvil that is to be started, or was. */
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
   * Resolves when it listens. Rejects with `AnvilEnded` when it ends instead, and with `TimeoutError` after that many milliseconds; then its
   * process still has to be stopped.
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

/** How it ended, and what it said last. */
function describeExit({ code, signal, lastWords }: AnvilExit): string {
  const how = signal === null ? `with code ${code}` : `by signal ${signal}`
  const problem = code === 0 ? undefined : runProblem(code)
  const ended = `anvil ended ${how}. Its last words: ${lastWords || '(none)'}`
  return problem === undefined ? ended : `${problem} (${ended})`
}
