import './promiseShim.js'
import { Instance } from 'prool'
import { type AnvilExit, type AnvilOptions, type AnvilProcess, spawnAnvil } from './anvil.js'
import { libcProblem } from './libc.js'
import type { Watchdog } from './watchdog.js'

/** What an instance is made of: how its anvil is started, and the watchdog that ends it should this process disappear. */
export interface AnvilParameters extends AnvilOptions {
  watchdog: Pick<Watchdog, 'add' | 'remove'>
}

/** An anvil that is to be started, or was. */
export type AnvilInstance = ReturnType<typeof defineAnvil>

/**
 * Defines one anvil whose life prool runs: it starts when it listens, tells by `exit` when it ends, and stops. `start` rejects
 * with `AnvilEnded` when it ends instead, or when the start takes longer than the timeout.
 *
 * prool's own definition would not do: its node shares the terminal's process group, dies at the first line that it writes to
 * stderr, and keeps all of its output in memory.
 */
export const defineAnvil = Instance.define((parameters: AnvilParameters) => {
  let running: AnvilProcess | undefined
  return {
    _internal: {
      /** Undefined until it is started. */
      get process() {
        return running
      },
    },
    name: 'anvil',
    host: 'localhost',
    port: 0, // It is reached by its socket.
    async start(_, { emitter }) {
      const process = spawnAnvil(parameters, parameters.watchdog.add)
      running = process
      const { pid } = process
      const ended = process.exited.then((exit) => {
        if (pid !== undefined) parameters.watchdog.remove(pid)
        emitter.emit('exit', exit.code, exit.signal)
        throw new AnvilEnded(exit)
      })
      await Promise.race([process.listening, ended])
      emitter.emit('listening')
    },
    async stop() {
      await running?.stop()
    },
  }
})

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
  const problem = code === 0 ? undefined : libcProblem()
  const ended = `anvil ended ${how}. Its last words: ${lastWords || '(none)'}`
  return problem === undefined ? ended : `${problem} (${ended})`
}
