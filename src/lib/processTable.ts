import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

export interface RunningProcess {
  pid: number
  parent: number
  /** Its command line; npm writes its own title there. */
  words: readonly string[]
  /** Distinguishes it from a later process with the same id; empty if the system does not report it. */
  startedAt: string
}

/** How processes are looked up: in /proc, or by `ps` where there is none (macOS). */
export interface ProcessTable {
  /** Undefined when there is no such process, or it has ended. */
  find(pid: number): RunningProcess | undefined
  isRunning(process: RunningProcess): boolean
}

/** Linux. */
export const procTable: ProcessTable = {
  find(pid) {
    try {
      // The fields after the program's name in parentheses: state, parent, …; the start is the 22nd of all.
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
  isRunning: ({ pid, startedAt }) => procTable.find(pid)?.startedAt === startedAt,
}

/** Systems without /proc. For `isRunning`, one that ended but was not fetched by its parent still counts. */
export const psTable: ProcessTable = {
  find(pid) {
    try {
      const columns = ['ppid=', 'stat=', 'lstart=', 'args='].flatMap((column) => ['-o', column])
      const line = execFileSync('ps', [...columns, '-p', `${pid}`], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
        // The start is text, which depends on the locale and time zone.
        env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
      })
      const [, parent, state = '', startedAt = '', args] =
        /^\s*(\d+)\s+(\S+)\s+(\w+ \w+ +\d+ \S+ \d+)\s+(.*)/.exec(line) ?? []
      if (args === undefined || state.startsWith('Z')) return undefined
      const [, shell, text] = /^(\S+) -c (.*)$/.exec(args) ?? []
      const words = shell === undefined ? args.split(' ') : [shell, '-c', text!]
      return { pid, parent: Number(parent), words, startedAt }
    } catch {
      return undefined
    }
  },
  isRunning: ({ pid }) => canBeSignalled(pid) !== 'no such process',
}

/** Whether a process with this id exists, and whether this user may signal it. One that ended but was not fetched counts. */
export function canBeSignalled(pid: number): 'yes' | 'not by us' | 'no such process' {
  try {
    process.kill(pid, 0)
    return 'yes'
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? 'not by us' : 'no such process'
  }
}
