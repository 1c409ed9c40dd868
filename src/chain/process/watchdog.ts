import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'

/** Kills registered processes when this process is gone, however it went. */
export interface Watchdog {
  /** Of the watching process. */
  readonly pid: number | undefined
  /** A negative number stands for a whole process group, as in `kill`. Resolves when it will be killed, whatever happens here. */
  add(pid: number): Promise<void>
  /** To be called when a process ended by itself or on request; its pid may soon belong to somebody else. */
  remove(pid: number): void
  /** Names a folder that it removes at the end. */
  removeAtEnd(folder: string): void
  /** Lets the watchdog go; resolves when it is gone. It kills what is still registered. Safe to call twice. */
  close(): Promise<void>
}

/** Which program watches. `sh` costs 1 MB; Windows has none, so there a second Node does the same at 40 MB. */
export type WatchdogKind = 'sh' | 'node'

/**
 * Starts one detached process that reads `add PID` and `remove PID` lines. The end of its input means that this process
 * is gone, even by SIGKILL, because the kernel closes the pipe; then it kills what is registered.
 *
 * It ignores the signals of a terminal, which reach it too when somebody presses Ctrl-C. What it cannot cover is its own
 * SIGKILL, and the moment between the start of a child and the line with its pid; who starts one that must not be left behind
 * holds it back until `add` has resolved.
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
    cwd: '/', // must not hold a directory that somebody wants to remove
  })
  const gone = exited(child)
  // A watchdog that was killed makes writes fail. The nodes still run and stop as usual, so that is no error here.
  child.stdin.on('error', () => {})
  // Neither of them keeps this program alive.
  child.unref()
  ;(child.stdin as Socket).unref()

  /** What is in the pipe is read, also after this process. One that was killed reads nothing; that holds up nobody. */
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
      child.ref() // so that waiting for it keeps the event loop alive
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
