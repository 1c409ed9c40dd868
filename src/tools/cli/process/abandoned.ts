import {
  type ProcessTable,
  procTable,
  psTable,
  type RunningProcess,
} from '../../../lib/processTable.js'
import { findOutputReader } from './outputReader.js'

/** How often it is looked whether those who started us are there. */
const lookEveryMs = 150

/** Looking for whoever reads a pipe goes through all processes, so it is done less often. */
const lookForReaderEveryMs = 1_500

/** Asked before a stop for the wrappers' sake: whether they were left by a terminal that closed, which we were told to survive. */
export type Survives = () => boolean

/**
 * Resolves, with the reason, when this program has been left alone:
 *
 * - npm or its shell started it and one of them is gone. npm passes SIGTERM to the shell only, and SIGHUP and SIGKILL to nobody, so what
 *   somebody killed who ran `npx svc-sim` is known by who is missing.
 * - Who started it is gone, had its standard output made for it alone, and nobody reads that any more: a test runner that was killed.
 *
 * Otherwise it never resolves: a process whose starter ends stays, as under nohup, setsid, in a container and after a step of CI.
 * Standard input is never looked at. It does not keep the program alive.
 */
export function abandoned(survives: Survives): Promise<string> {
  const hasProc = process.platform === 'linux'
  // Without /proc each look costs a `ps`, and only the wrappers can be known.
  const hasNpm = process.platform !== 'win32' && process.env.npm_execpath !== undefined
  if (!hasProc && !hasNpm) return new Promise(() => {})
  return watch(hasProc ? procTable : psTable, survives)
}

function watch(table: ProcessTable, survives: Survives): Promise<string> {
  const { wrappers, starter } = findStarters(table)
  const reader = table === procTable && starter ? findOutputReader(starter.pid) : undefined
  // Killed before we could look: the environment tells that npm was to wait for us.
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

/** Who started this program. */
export interface Starters {
  /** npm (pnpm, yarn) and the shells in which it runs us, nearest first; none when it was not npm. */
  wrappers: readonly RunningProcess[]
  /** Who started the wrappers, or without any us. Undefined when that is outside of what can be seen, as in a container. */
  starter: RunningProcess | undefined
}

/**
 * Walks up from a process through its wrappers. A wrapper only waits for us, so when it is gone, somebody ended it. A shell that runs us
 * in the background does not wait for us, so it is not a wrapper.
 */
export function findStarters(
  table: ProcessTable,
  parent: number = process.ppid,
  npmFile: string | undefined = process.env.npm_execpath,
): Starters {
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
