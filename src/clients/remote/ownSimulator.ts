import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { startWatchdog } from '../../chain/process/watchdog.js'
import type { NetworkName } from '../../deployments/networks.js'
import type { ScenarioTarget } from '../scenarios/target.js'

export interface ReadyLine extends ScenarioTarget {
  controlUrl: string
  docsUrl: string
  rpc: Record<NetworkName, string>
}

export type OwnSimulator = ReturnType<typeof startOwnSimulator>

/** A stop takes at most five seconds. After this time the simulator is killed. Milliseconds. */
const stopWithinMs = 8_000

interface OwnOptions {
  cwd?: string
  env?: NodeJS.ProcessEnv
  /** Starts a process group, which the Ctrl-C of a terminal does not reach. */
  detached?: boolean
  /** Called with its standard error. */
  onSaid?: (text: string) => void
}

/** Starts `svc-sim start --json` on a free port. When this process is killed, it ends too. */
export function startOwnSimulator(
  program: string,
  flags: readonly string[],
  { onSaid = () => {}, ...options }: OwnOptions = {},
) {
  const args = [program, 'start', '--json', '--port', '0', ...flags]
  const watchdog = startWatchdog()
  const child = spawn(process.execPath, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  if (child.pid !== undefined) void watchdog.add(child.pid)
  const said: string[] = []
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    onSaid(text)
    said.push(text)
    if (said.length > 50) said.shift()
  })
  const ended = new Promise<string>((resolve) => {
    child.once('error', ({ message }) => resolve(message))
    child.once('close', () => {
      if (child.pid !== undefined) watchdog.remove(child.pid)
      void watchdog.close()
      resolve(lastWords(said.join('')))
    })
  })
  const ready = new Promise<ReadyLine>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', (line) => {
      resolve(JSON.parse(line) as ReadyLine)
    })
    void ended.then((why) => reject(new Error(`the simulator could not start: ${why}`)))
  })
  ready.catch(() => {}) // reported to the caller that awaits it
  return {
    /** Rejects with the end of its output when it ends before it is ready. */
    ready,
    /** Resolves to the end of its output when it has ended. */
    ended,
    async stop(): Promise<void> {
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), stopWithinMs)
      await ended
      clearTimeout(timer)
    },
  }
}

/** The last lines, without the program's name. */
function lastWords(text: string): string {
  const lines = text.trim().split('\n').slice(-5)
  return lines.map((line) => line.replace(/^svc-sim: /, '')).join('\n') || 'it said nothing'
}
