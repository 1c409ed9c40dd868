import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { startWatchdog } from '../../chain/process/watchdog.js'
import type { NetworkName } from '../../deployments/networks.js'
import type { ScenarioTarget } from '../scenarios/target.js'

/** The line that `start --json` prints when it is ready. */
export interface ReadyLine extends ScenarioTarget {
  controlUrl: string
  docsUrl: string
  rpc: Record<NetworkName, string>
}

/** A simulator in a process of its own, which this one has started. */
export interface OwnSimulator {
  /** Rejects with its last words when it ends before it is ready. */
  ready: Promise<ReadyLine>
  /** Resolves when it is gone, to its last words. */
  ended: Promise<string>
  stop(): Promise<void>
}

/** A stop takes five seconds at most; who is still there then is killed. Milliseconds. */
const stopWithinMs = 8_000

interface OwnOptions {
  cwd?: string
  env?: NodeJS.ProcessEnv
  /** A group of its own, which the Ctrl-C of a terminal does not reach. */
  detached?: boolean
  /** Told what it writes to standard error. */
  onSaid?: (text: string) => void
}

/** Starts `svc-sim start --json` on a free port. When this process is killed, it ends too. */
export function startOwnSimulator(
  program: string,
  flags: readonly string[],
  { onSaid = () => {}, ...options }: OwnOptions = {},
): OwnSimulator {
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
  ready.catch(() => {}) // whoever waits for it hears of it
  return {
    ready,
    ended,
    async stop() {
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), stopWithinMs)
      await ended
      clearTimeout(timer)
    },
  }
}

/** What a program said at its end, without its name at the beginning of each line. */
function lastWords(text: string): string {
  const lines = text.trim().split('\n').slice(-5)
  return lines.map((line) => line.replace(/^svc-sim: /, '')).join('\n') || 'it said nothing'
}
