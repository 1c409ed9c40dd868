import { spawn } from 'node:child_process'
import { lstatSync, readdirSync, readFileSync, readlinkSync, readSync } from 'node:fs'
import { constants } from 'node:os'
import { basename } from 'node:path'
import {
  type ProcessTable,
  procTable,
  psTable,
  type RunningProcess,
} from '../../../lib/processTable.js'

/** The signals that ask the program to stop: Ctrl-C, an ordinary kill, and the terminal being closed. */
export const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
export type StopSignal = (typeof stopSignals)[number]

/** Somebody or something wants the program to stop. */
export interface StopRequest {
  /** For messages: the name of a signal, or the process that is gone. */
  why: string
  /** SIGTERM when no signal was sent. */
  signal: StopSignal
  /** Whether this is a second signal, such as a second Ctrl-C. False when a starter is gone. */
  isInsisting: boolean
}

/**
 * Signals this close together are one request. Under npx a Ctrl-C arrives twice, from the terminal and passed on by npm,
 * and the second must not cut short the saving that the first began.
 */
const oneRequestMs = 300

/**
 * Calls `listener` at every request to stop: at stop signals, which then no longer end the program at once, and when the processes that
 * started it are gone (see `abandoned`). Under nohup, closing the terminal is not a request.
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
 * Resolves at the first request to stop. A second signal, which cuts a clean stop short, ends the program with 130 at once,
 * unless `onInsisting` returns true; the watchdog then ends the nodes.
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
 * nohup lets a program ignore SIGHUP, but Node undoes that as it starts. Two traces remain: `_`, which bash and zsh set to the path of the
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
 * Ends the program. `process.exit` waits for pending file work, for ever when it hangs (a named pipe, a disk that is gone); so then a
 * shell stays behind that kills the program after a second.
 */
export function leave(code: number): never {
  const isAtFiles = process.getActiveResourcesInfo().some((kind) => kind.startsWith('FSReq'))
  if (isAtFiles && process.platform !== 'win32')
    spawn('/bin/sh', ['-c', 'sleep 1 && kill -9 "$PPID"'], { detached: true, stdio: 'ignore' })
  process.exit(code)
}

/** How often we check that the processes that started us still run. */
const lookEveryMs = 150

/** Less often: looking for the reader of a pipe goes through all processes. */
const lookForReaderEveryMs = 1_500

/** Whether the wrappers ended because a terminal closed, which nohup tells us to survive. */
type Survives = () => boolean

/**
 * Resolves, with the reason, when this program has been left alone:
 *
 * - npm or its shell started it and one of them is gone. npm passes SIGTERM only to the shell, and SIGHUP and SIGKILL to no process, so a
 *   killed `npx svc-sim` shows only in the missing process.
 * - Its starter, such as a test runner that was killed, is gone, and no process reads the standard output that it made for this program.
 *
 * Otherwise it never resolves: a process whose starter ends stays, as under nohup, setsid, in a container and after a step of CI.
 * Standard input is never looked at. It does not keep the program alive.
 */
function abandoned(survives: Survives): Promise<string> {
  const hasProc = process.platform === 'linux'
  // Without /proc each look costs a `ps`, and only the wrappers can be known.
  const hasNpm = process.platform !== 'win32' && process.env.npm_execpath !== undefined
  if (!hasProc && !hasNpm) return new Promise(() => {})
  return watch(hasProc ? procTable : psTable, survives)
}

function watch(table: ProcessTable, survives: Survives): Promise<string> {
  const { wrappers, starter } = findStarters(table)
  const reader = table === procTable && starter ? findOutputReader(starter.pid) : undefined
  // Killed before we could look: the environment shows that npm was to wait for us.
  const isLate = wrappers.length === 0 && starter?.pid === 1 && npmRunsUs()
  const areGone = () => isLate || !wrappers.every((wrapper) => table.isRunning(wrapper))
  const isAlone = () => starter !== undefined && !table.isRunning(starter)
  return new Promise((resolve) => {
    const look = (): void => {
      if (areGone()) {
        // A signal that came with their end is heard before this is decided.
        setImmediate(() => {
          if (!survives()) resolve('npm has ended')
        })
        return
      }
      const alone = reader !== undefined && isAlone()
      if (alone && !reader.isThere()) resolve('its parent process has ended')
      else setTimeout(look, alone ? lookForReaderEveryMs : lookEveryMs).unref()
    }
    if (isLate || wrappers.length > 0 || reader) look()
  })
}

/** Whether npm was told to run this program itself, and to wait for it. */
function npmRunsUs(line: string = process.env.npm_lifecycle_script ?? ''): boolean {
  return /^'?(\S*\/)?svc-sim'?( |$)/.test(line) && isForeground(line)
}

/**
 * The processes that started this program. `wrappers` are npm (pnpm, yarn) and the shells in which it runs us, nearest first; a wrapper
 * only waits for us, so when it is gone, somebody ended it. A shell that runs us in the background is no wrapper. `starter` started the
 * wrappers, or us if there are none; it is undefined when it is out of sight, as in a container.
 */
export function findStarters(
  table: ProcessTable,
  parent: number = process.ppid,
  npmFile: string | undefined = process.env.npm_execpath,
) {
  const waiting: RunningProcess[] = []
  let next = table.find(parent)
  while (next && (isNpm(next, npmFile) || isWaitingShell(next))) {
    waiting.push(next)
    next = table.find(next.parent)
  }
  const outermost = waiting.findLastIndex((ancestor) => isNpm(ancestor, npmFile))
  return { wrappers: waiting.slice(0, outermost + 1), starter: next }
}

function isNpm({ words }: RunningProcess, npmFile: string | undefined): boolean {
  if (/^(npm|npx|pnpm|yarn)( |$)/.test(words[0] ?? '')) return true
  return npmFile !== undefined && words.includes(npmFile)
}

/** `sh -c 'svc-sim start'`. */
function isWaitingShell({ words: [shell = '', flag, text] }: RunningProcess): boolean {
  return /(^|\/)(sh|bash|dash|ash|zsh)$/.test(shell) && flag === '-c' && isForeground(text ?? '')
}

/** Whether a line of shell has no `&` that sends something to the background (other than `&&`, `2>&1`, `&>`). */
export function isForeground(line: string): boolean {
  const unquoted = line.replace(/'[^']*'|"(?:\\.|[^"\\])*"/g, '')
  return !/(?<![&>|<])&(?![&>])/.test(unquoted)
}

/**
 * The reader of the pipe or socket that the process `starter` made for our standard output. Undefined when that is a file or a terminal, and
 * when the starter writes to it too, as in a background process of a CI step: then its reader says nothing about the starter. Reads
 * /proc, so only on Linux, and writes nothing. A reader of another user does not count, since we may not see its files.
 */
function findOutputReader(starter: number) {
  const output = fileOf('self', '1')
  if (!output || !/^(pipe|socket):/.test(output)) return undefined
  const itsOwn = ['0', '1', '2'].map((descriptor) => fileOf(starter, descriptor))
  if (itsOwn.includes(undefined) || itsOwn.includes(output)) return undefined
  return { isThere: () => (output.startsWith('pipe:') ? isPipeRead(output) : isSocketOpen()) }
}

/** The file of a descriptor, such as `pipe:[4711]`; undefined when it is missing or not ours to see. */
function fileOf(pid: number | string, descriptor: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/fd/${descriptor}`)
  } catch {
    return undefined
  }
}

function isPipeRead(pipe: string): boolean {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.some((pid) => {
    try {
      const folder = `/proc/${pid}/fd`
      const descriptors = readdirSync(folder).filter((name) => fileOf(pid, name) === pipe)
      return descriptors.some((name) => (lstatSync(`${folder}/${name}`).mode & 0o400) !== 0)
    } catch {
      return false // it ended meanwhile, or is another user's
    }
  })
}

/** Node gives its children sockets. Reading from one shows whether the other end is closed. */
function isSocketOpen(): boolean {
  void process.stdout // its creation makes the socket one that does not wait
  const [, flags = '0'] = /flags:\s*(\d+)/.exec(readFileSync('/proc/self/fdinfo/1', 'utf8')) ?? []
  const waits = (Number.parseInt(flags, 8) & 0o4000) === 0
  if (waits) return true
  try {
    return readSync(1, Buffer.alloc(1), 0, 1, null) > 0
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EAGAIN'
  }
}
