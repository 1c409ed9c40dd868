import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
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

/** The variable that marks a run of the kit, and everything that it starts. */
export const markVariable = 'SVC_TEST_RUN'

/** Every process that carries a run's mark, whatever its parent is by now; optionally of one program. Read from /proc: only on Linux. */
export function markedBy(mark: string, program = ''): number[] {
  return withVariable(markVariable, mark, program)
}

/** Every process in whose environment a variable has this value. */
export function withVariable(variable: string, value: string, program = ''): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const environment = readFileSync(`/proc/${pid}/environ`, 'utf8')
        if (!environment.includes(`${variable}=${value}\0`)) return false
        return readFileSync(`/proc/${pid}/comm`, 'utf8').trim().endsWith(program) && isAlive(pid)
      } catch {
        return false // it ended meanwhile, or is another user's
      }
    })
}

/** Resolves when no process carries the mark any more; rejects, naming those that are left, after half a minute. */
export function waitUntilNothingCarries(mark: string): Promise<void> {
  const check = () => {
    const left = markedBy(mark).map((pid) => `${pid} ${readFileSync(`/proc/${pid}/cmdline`)}`)
    if (left.length > 0) throw new Error(`still running: ${left.join('; ').replaceAll('\0', ' ')}`)
  }
  return vi.waitFor(check, { timeout: 30_000, interval: 20 })
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

/**
 * Stops processes where they stand (SIGSTOP) and resolves when they have stopped: the signal takes effect a moment later, in
 * which a node could still answer. Resolves to what lets them go on; that is safe to call twice.
 */
export async function halt(pids: readonly number[]): Promise<() => void> {
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
  await vi.waitFor(
    () => {
      const running = pids.filter((pid) => !isHalted(pid))
      if (running.length > 0) throw new Error(`not stopped yet: ${running.join(', ')}`)
    },
    { timeout: 10_000, interval: 1 },
  )
  return () => {
    for (const pid of pids) if (isAlive(pid)) process.kill(pid, 'SIGCONT')
  }
}

/** Whether every thread of a process has stopped (state T). */
function isHalted(pid: number): boolean {
  if (process.platform !== 'linux')
    return execFileSync('ps', ['-p', String(pid), '-o', 'state='], { encoding: 'utf8' }).startsWith(
      'T',
    )
  const threads = readdirSync(`/proc/${pid}/task`)
  return threads.every((id) => /\) T/.test(readFileSync(`/proc/${pid}/task/${id}/stat`, 'utf8')))
}

/** The anvil process, child of this one, that runs a chain. Throws unless there is exactly one. */
export function anvilOf(chainId: number): number {
  const pids = childrenOf(process.pid, 'anvil').filter((pid) => {
    const args = execFileSync('ps', ['-p', String(pid), '-o', 'args='], { encoding: 'utf8' })
    return ` ${args.trim()} `.includes(` --chain-id ${chainId} `)
  })
  if (pids.length !== 1) throw new Error(`${pids.length} nodes run chain ${chainId}, expected one`)
  return pids[0]!
}

/** The nodes that a process has started. */
export function anvilsOf(parent: number): number[] {
  return childrenOf(parent, 'anvil')
}
