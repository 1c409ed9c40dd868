import type { ChildProcess } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startWatchdog } from '../../../chain/process/watchdog.js'
import { spawnHeld } from '../../../lib/spawnHeld.js'
import { complain } from './output.js'
import { codeOf, type StopSignal } from './signals.js'

/** A command that does not end when it is asked to, is killed after this time. */
const endTimeoutMs = 5_000

export interface Command {
  /** The exit code as a shell has it: 128+n when signal n ended it, 127 when it cannot be found, 126 when it cannot be run. */
  readonly code: Promise<number>
  isRunning(): boolean
  /** Forwards a stop signal. */
  passOn(signal: StopSignal): void
  /** Asks it to end, and kills it when it does not. */
  end(): void
  kill(): void
}

/**
 * Runs a command in its own process group, so that its children end with it. At a terminal it shares ours, or it could not read from
 * there. If this process is killed, a watchdog kills the command; the watchdog knows the command before it runs.
 */
export function runCommand(
  [file = '', ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
): Command {
  const isAtTerminal = [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY)
  const watchdog = startWatchdog()
  const targetOf = (pid: number) => (isAtTerminal ? pid : -pid)
  const child = spawnHeld(
    [file, ...args],
    { stdio: ['inherit', 'inherit', 'inherit'], env, detached: !isAtTerminal },
    (pid) => watchdog.add(targetOf(pid)),
  )
  const target = child.pid === undefined ? undefined : targetOf(child.pid)
  const isRunning = () =>
    target !== undefined && child.exitCode === null && child.signalCode === null
  let isAsked = false
  const send = (signal: NodeJS.Signals): void => {
    isAsked = true
    try {
      if (target !== undefined && isRunning()) process.kill(target, signal)
    } catch {} // it ended this moment
  }
  const code = exitCode(child, file).then(async (code) => {
    // Children that outlive a command stay if it ended by itself. If it was asked to end, they end too, by the watchdog at last.
    const isEmpty = target === undefined || !isAsked || isAtTerminal || (await endRest(target))
    if (target !== undefined && isEmpty) watchdog.remove(target)
    await watchdog.close()
    return code
  })
  return {
    code,
    isRunning,
    // A terminal sends Ctrl-C to every process in it, the command among them, which would take ours for a second Ctrl-C. So we pass on
    // only signals that were sent to this process alone.
    passOn: (signal) => {
      if (signal !== 'SIGINT' || !isAtTerminal) send(signal)
    },
    end() {
      send('SIGTERM')
      const timer = setTimeout(() => send('SIGKILL'), endTimeoutMs)
      void code.then(() => clearTimeout(timer))
    },
    kill: () => send('SIGKILL'),
  }
}

/** Asks what is left of a process group to end, as jobs in the background that ignore SIGINT; false when some of it does not in time. */
async function endRest(group: number): Promise<boolean> {
  const reaches = (signal: NodeJS.Signals | 0): boolean => {
    try {
      return process.kill(group, signal)
    } catch {
      return false
    }
  }
  reaches('SIGTERM')
  const until = performance.now() + endTimeoutMs
  while (reaches(0) && performance.now() < until) await sleep(20)
  return !reaches(0)
}

function exitCode(child: ChildProcess, file: string): Promise<number> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ? codeOf(signal) : (code ?? 1)))
    child.once('error', ({ message }) => {
      complain(`cannot run ${file}: ${message}`)
      resolve(126)
    })
  })
}

/** Why a program cannot be run, with the exit code that shells give then. */
interface NotRunnable {
  code: 126 | 127
  why: string
}

/**
 * Looks for a program as the system would: at its place when the name has one, or else in the folders of PATH. Undefined when it can be
 * run, and where only the system can tell: on Windows, and without a PATH.
 */
export function cannotRun(file: string, { PATH }: NodeJS.ProcessEnv): NotRunnable | undefined {
  const hasPlace = file.includes('/')
  if (process.platform === 'win32' || (PATH === undefined && !hasPlace)) return undefined
  const missing = { code: 127, why: 'not found; is it installed, and in the PATH?' } as const
  if (file === '') return missing
  const places = hasPlace ? [file] : PATH!.split(delimiter).map((folder) => join(folder, file))
  const problems = places.map(problemAt)
  if (problems.includes(undefined)) return undefined
  const denied = problems.find((problem) => problem!.startsWith('EACCES'))
  return denied === undefined ? missing : { code: 126, why: denied }
}

/** Undefined if a program can be run there. */
function problemAt(place: string): string | undefined {
  try {
    accessSync(place, constants.X_OK)
    return statSync(place).isFile() ? undefined : `EACCES: ${place} is no file`
  } catch (error) {
    return (error as Error).message
  }
}
