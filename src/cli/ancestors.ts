import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** A process that this one comes from. */
export interface Ancestor {
  pid: number
  parent: number
  /** What it was started with; npm writes its own title there. */
  words: readonly string[]
  /** Tells it from a later process with the same id; empty where the system does not say. */
  startedAt: string
}

/** How processes are looked up: in /proc, or by `ps` where there is none (macOS). */
export interface ProcessTable {
  /** Undefined when there is no such process, or it has ended. */
  find(pid: number): Ancestor | undefined
  isRunning(ancestor: Ancestor): boolean
}

/** Who started this program. */
export interface Starters {
  /** npm (pnpm, yarn) and the shells in which it runs us, nearest first; none when it was not npm. */
  wrappers: readonly Ancestor[]
  /** Who started the wrappers, or without any us. Undefined when that is outside of what can be seen, as in a container. */
  starter: Ancestor | undefined
}

/**
 * Walks up from a process. A wrapper does nothing but wait for us, so when one of them is gone, somebody ended it. A shell that was told
 * to run us in the background does not wait, and is none.
 */
export function findStarters(
  table: ProcessTable,
  parent: number = process.ppid,
  npmFile: string | undefined = process.env.npm_execpath,
): Starters {
  const waiting: Ancestor[] = []
  let next = table.find(parent)
  while (next && (isNpm(next, npmFile) || isWaitingShell(next))) {
    waiting.push(next)
    next = table.find(next.parent)
  }
  const outermost = waiting.findLastIndex((ancestor) => isNpm(ancestor, npmFile))
  return { wrappers: waiting.slice(0, outermost + 1), starter: next }
}

function isNpm({ words }: Ancestor, npmFile: string | undefined): boolean {
  if (/^(npm|npx|pnpm|yarn)( |$)/.test(words[0] ?? '')) return true
  return npmFile !== undefined && words.includes(npmFile)
}

/** `sh -c 'svc-sim start'`. */
function isWaitingShell({ words: [shell = '', flag, text] }: Ancestor): boolean {
  return /(^|\/)(sh|bash|dash|ash|zsh)$/.test(shell) && flag === '-c' && isForeground(text ?? '')
}

/** Whether a line of shell has no `&` that sends something to the background (other than `&&`, `2>&1`, `&>`). */
export function isForeground(line: string): boolean {
  const unquoted = line.replace(/'[^']*'|"(?:\\.|[^"\\])*"/g, '')
  return !/(?<![&>|<])&(?![&>])/.test(unquoted)
}

/** Linux. */
export const procTable: ProcessTable = {
  find(pid) {
    try {
      // After the program's name, which stands in parentheses: state, parent, …; the start is the 22nd field of all.
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')
      const [state = '', parent] = fields
      if ('ZX'.includes(state)) return undefined // ended, and not yet fetched by its parent
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
      return { pid, parent: Number(parent), words, startedAt: fields[19] ?? '' }
    } catch {
      return undefined
    }
  },
  isRunning: (ancestor) => procTable.find(ancestor.pid)?.startedAt === ancestor.startedAt,
}

/** Systems without /proc. One that ended but was not fetched by its parent still counts as running. */
export const psTable: ProcessTable = {
  find(pid) {
    try {
      const line = execFileSync('ps', ['-o', 'ppid=', '-o', 'args=', '-p', `${pid}`], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      const [, parent, args] = /^\s*(\d+)\s+(.*)/.exec(line) ?? []
      if (args === undefined) return undefined
      const [, shell, text] = /^(\S+) -c (.*)$/.exec(args) ?? []
      const words = shell === undefined ? args.split(' ') : [shell, '-c', text!]
      return { pid, parent: Number(parent), words, startedAt: '' }
    } catch {
      return undefined
    }
  },
  isRunning({ pid }) {
    try {
      process.kill(pid, 0)
      return true
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EPERM'
    }
  },
}
