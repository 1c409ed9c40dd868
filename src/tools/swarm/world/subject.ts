import { startWatchdog } from '../../../chain/process/watchdog.js'
import type { WorldClient } from '../../../clients/remote/worldClient.js'
import { spawnHeld } from '../../../lib/spawnHeld.js'
import type { Ending } from '../judge/run.js'
import type { World } from './world.js'

/** The client under test. */
export interface Subject {
  /** Runs the client once, and ends it when the signal aborts. */
  act(world: World, end: AbortSignal): Promise<Omit<Ending, 'hung'>>
  close(): Promise<void>
}

/** How many characters of the client's output are kept, from its end. */
const keptOutput = 4_000

/** A function cannot be stopped: it has to listen to the signal. */
export function functionSubject(
  work: (world: WorldClient, context: { signal: AbortSignal }) => Promise<unknown>,
): Subject {
  return {
    async act({ client }, end) {
      const begun = performance.now()
      const ending = new AbortController()
      let onAbort = (): void => {}
      const late = new Promise<'late'>((resolve) => {
        onAbort = () => resolve('late')
      })
      end.addEventListener('abort', onAbort, { once: true })
      const working = (async () => work(client, { signal: ending.signal }))().then(
        () => undefined,
        (error: unknown) => ({ error }),
      )
      const ended = await Promise.race([working, late])
      end.removeEventListener('abort', onAbort)
      ending.abort()
      const tookMs = performance.now() - begun
      if (ended === 'late') return { exit: 1, tookMs, output: '' }
      const output = ended ? String((ended.error as Error)?.stack ?? ended.error) : ''
      return { exit: ended ? 1 : 0, tookMs, output: output.slice(-keptOutput) }
    },
    async close() {},
  }
}

/** A command in its own process group, which ends as a whole. If this process is killed, a watchdog kills the group. */
export function commandSubject(words: readonly [string, ...string[]]): Subject {
  const watchdog = startWatchdog()
  return {
    async act({ variables }, end) {
      const begun = performance.now()
      const child = spawnHeld(
        words,
        {
          stdio: ['ignore', 'pipe', 'pipe'],
          env: { ...process.env, ...variables },
          detached: true,
        },
        (pid) => watchdog.add(-pid),
      )
      let output = ''
      for (const stream of [child.stdout!, child.stderr!])
        stream.setEncoding('utf8').on('data', (text: string) => {
          output = (output + text).slice(-keptOutput)
        })
      const kill = (): void => killGroup(child.pid)
      end.addEventListener('abort', kill)
      if (end.aborted) kill()
      const exit = await new Promise<number>((resolve) => {
        child.once('exit', (code, ended) => resolve(code ?? (ended ? 128 : 1)))
        child.once('error', () => resolve(126))
      })
      end.removeEventListener('abort', kill)
      kill()
      if (child.pid !== undefined) watchdog.remove(-child.pid)
      return { exit, tookMs: performance.now() - begun, output }
    },
    close: () => watchdog.close(),
  }
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL')
  } catch {} // the group has ended
}
