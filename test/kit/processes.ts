import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { vi } from 'vitest'

/** Whether a process runs. One that ended but was not yet fetched by its parent (a zombie) does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  try {
    // The state is the first letter after the program's name, which stands in parentheses.
    return !/\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return process.platform !== 'linux' // elsewhere there is no /proc, and the signal's answer must do
  }
}

/** Resolves when all the processes are gone; rejects, naming those that are left, after ten seconds. */
export function waitUntilGone(pids: readonly number[]): Promise<void> {
  const check = () => {
    const left = pids.filter(isAlive)
    if (left.length > 0) throw new Error(`still running: ${left.join(', ')}`)
  }
  return vi.waitFor(check, { timeout: 10_000, interval: 5 })
}

/** The processes that a process started and that still run; only those of one program when it is named. */
export function childrenOf(parent: number, program = ''): number[] {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,comm='], { encoding: 'utf8' })
  return table
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, ppid, name]) => Number(ppid) === parent && name !== 'ps' && name?.endsWith(program))
    .filter(([pid]) => isAlive(Number(pid)))
    .map(([pid]) => Number(pid))
}
