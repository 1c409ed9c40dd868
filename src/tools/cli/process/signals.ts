import { spawn } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'
import { constants } from 'node:os'
import { basename } from 'node:path'
import { abandoned } from './abandoned.js'

/** The signals that ask the program to stop: Ctrl-C, an ordinary kill, and the terminal being closed. */
export const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
export type StopSignal = (typeof stopSignals)[number]

/** Somebody or something wants the program to stop. */
export interface StopRequest {
  /** As it is told: the name of a signal, or who is gone. */
  why: string
  /** What was sent; SIGTERM when nothing was. */
  signal: StopSignal
  /** Whether an earlier request has not been enough for somebody: a second Ctrl-C. Nobody insists by being gone. */
  isInsisting: boolean
}

/**
 * Signals this close together are one request. Under npx a Ctrl-C arrives twice, from the terminal and passed on by npm,
 * and the second must not cut short the saving that the first began.
 */
const oneRequestMs = 300

/**
 * Calls `heard` at every request to stop, instead of the sudden end that a signal would be: stop signals, and that those who started the
 * program have left it alone (see `abandoned`). Under nohup the closing of the terminal is no request.
 */
export function onStopRequest(listener: (request: StopRequest) => void): void {
  let firstAt: number | undefined
  let hasLostTerminal = false
  const survivesTerminal = isUnderNohup()
  for (const signal of stopSignals) {
    process.on(signal, () => {
      if (signal === 'SIGHUP' && survivesTerminal) {
        hasLostTerminal = true
        return
      }
      firstAt ??= performance.now()
      const isInsisting = performance.now() - firstAt > oneRequestMs
      listener({ why: signal, signal, isInsisting })
    })
  }
  void abandoned(() => hasLostTerminal).then((why) => {
    if (firstAt !== undefined) return
    firstAt = performance.now()
    listener({ why, signal: 'SIGTERM', isInsisting: false })
  })
}

/**
 * Resolves at the first request to stop. Somebody who does not want to wait for a clean stop and sends a second signal ends the program
 * with 130 at once, unless `onInsisting` returns true; the watchdog then ends the nodes.
 */
export function stopRequested(onInsisting: () => boolean = () => false): Promise<StopRequest> {
  return new Promise((resolve) => {
    onStopRequest((request) => {
      if (request.isInsisting && !onInsisting()) leave(130)
      resolve(request)
    })
  })
}

/** The exit code of a program that a signal ended, as shells count: 130 for SIGINT. */
export function codeOf(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal]
}

/**
 * nohup lets a program ignore SIGHUP, but Node takes that back as it starts. What stays is `_`, which bash and zsh set to the path of the
 * command that they start, and which nohup, npx and most `sh` pass on; and the standard input that GNU nohup gives to a program at a
 * terminal: /dev/null, opened for writing alone.
 */
function isUnderNohup(): boolean {
  if (basename(process.env._ ?? '') === 'nohup') return true
  try {
    if (readlinkSync('/proc/self/fd/0') !== '/dev/null') return false
    const [, flags = '0'] = /flags:\s*(\d+)/.exec(readFileSync('/proc/self/fdinfo/0', 'utf8')) ?? []
    return (Number.parseInt(flags, 8) & 0o3) === 0o1
  } catch {
    return false // no /proc
  }
}

/**
 * Ends the program. Node waits in `process.exit` for file work that is under way, for ever when it hangs (a named pipe, a disk that is
 * gone); so then somebody is left behind for a second who kills it.
 */
export function leave(code: number): never {
  const isAtFiles = process.getActiveResourcesInfo().some((kind) => kind.startsWith('FSReq'))
  if (isAtFiles && process.platform !== 'win32')
    spawn('/bin/sh', ['-c', 'sleep 1 && kill -9 "$PPID"'], { detached: true, stdio: 'ignore' })
  process.exit(code)
}
