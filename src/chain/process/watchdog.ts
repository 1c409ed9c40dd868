import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'

/** Kills registered processes when this process is gone, for whatever reason. */
export interface Watchdog {
  /** Of the watching process. */
  readonly pid: number | undefined
  /** Registers a process, or a process group by a negative number, as in `kill`. Resolves once it is certain to be killed. */
  add(pid: number): Promise<void>
  /** To be called when a process has ended: its pid may soon belong to another one. */
  remove(pid: number): void
  /** Registers a folder to remove at the end. */
  removeAtEnd(folder: string): void
  /** Ends the watchdog, which kills what is still registered; resolves when it is gone. Safe to call twice. */
  close(): Promise<void>
}

/** The watching program. `sh` takes 1 MB of memory; Windows has none, so there a second Node does the same in 40 MB. */
export type WatchdogKind = 'sh' | 'node'

/**
 * Starts one detached process that reads `add PID` and `remove PID` lines. The end of its input means that this process
 * is gone, even by SIGKILL, because the kernel closes the pipe; then it kills what is registered.
 *
 * It ignores the signals of a terminal, since Ctrl-C reaches it, too. It cannot help when it is itself killed with SIGKILL, or between the
 * start of a child and the line with its pid. A child that must not be left behind has to be held back until `add` has resolved.
 */
export function startWatchdog(
  kind: WatchdogKind = process.platform === 'win32' ? 'node' : 'sh',
): Watchdog {
  const [command, args] =
    kind === 'sh'
      ? ['/bin/sh', ['-c', shellWatchdog, 'svc-sim-watchdog']]
      : [process.execPath, ['-e', nodeWatchdog]]
  const child = spawn(command, args, {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    windowsHide: true,
    cwd: '/', // on some systems a folder cannot be removed while a process works in it
  })
  const gone = exited(child)
  // Writes to a killed watchdog fail. The nodes still run and stop as usual, so that is no error.
  child.stdin.on('error', () => {})
  // Neither the process nor its pipe keeps this program alive.
  child.unref()
  ;(child.stdin as Socket).unref()

  /** Resolves once the pipe has the line: it will be read even if this process ends. Resolves at once if the watchdog was killed. */
  const writeLine = (line: string) =>
    new Promise<void>((resolve) => {
      if (child.stdin.writable) child.stdin.write(`${line}\n`, () => resolve())
      else resolve()
    })
  return {
    pid: child.pid,
    add: (pid) => writeLine(`add ${pid}`),
    remove: (pid) => void writeLine(`remove ${pid}`),
    removeAtEnd: (folder) => void writeLine(`folder ${folder}`),
    async close() {
      child.stdin.end()
      child.ref() // waiting for it has to keep this program alive
      await gone
    },
  }
}

function exited(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve()) // it never ran
  })
}

const shellWatchdog = `
trap '' INT TERM HUP
pids=
folder=
while read -r verb pid; do
  if [ "$verb" = add ]; then
    pids="$pids $pid"
  elif [ "$verb" = folder ]; then
    folder=$pid
  else
    kept=
    for p in $pids; do [ "$p" = "$pid" ] || kept="$kept $p"; done
    pids=$kept
  fi
done
for p in $pids; do kill -9 "$p"; done
[ -z "$folder" ] || rm -rf -- "$folder"
`

const nodeWatchdog = `
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
const pids = new Set()
let folder
const lines = require('node:readline').createInterface({ input: process.stdin })
lines.on('line', (line) => {
  const [verb, pid] = line.split(' ')
  if (verb === 'add') pids.add(pid)
  else if (verb === 'remove') pids.delete(pid)
  else folder = line.slice('folder '.length)
})
lines.on('close', () => {
  for (const pid of pids) {
    try { process.kill(Number(pid), 'SIGKILL') } catch {}
  }
  if (folder) require('node:fs').rmSync(folder, { recursive: true, force: true })
  process.exit()
})
`
