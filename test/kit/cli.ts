import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { askService } from './http.js'
import { childrenOf, markedBy, markVariable } from './processes.js'

/** The built program, as it is shipped. */
export const cliFile = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

/** A run of the program in a process of its own. */
export interface CliRun {
  pid: number
  /** In the environment of it and of everything that it starts: see `markedBy`. */
  mark: string
  /** All that it has written so far. */
  stdout: string
  stderr: string
  kill(signal: NodeJS.Signals): void
  /** Resolves when it has ended and its output is read. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  /** Writes to its standard input. */
  write(text: string): void
  /** Ends its standard input. */
  closeInput(): void
  /** Closes our end of a stream, as a reader that is gone. */
  stopReading(stream: 'stdout' | 'stderr'): void
  /** Resolves to the first match in a stream; rejects, with all output, when the process ends without one. */
  saying(stream: 'stdout' | 'stderr', pattern: RegExp): Promise<RegExpExecArray>
}

const runs = new Map<ChildProcess, CliRun>()

/** A folder without a `svc-sim.config.json`. */
export function emptyFolder(): string {
  return mkdtempSync(join(tmpdir(), 'svc-sim-cli-'))
}

/** How a run is started; in an empty folder unless one is given, with the test's environment and what is given. */
export interface RunOptions {
  cwd?: string
  env?: NodeJS.ProcessEnv
  /** Nothing unless it says so. */
  stdin?: 'ignore' | 'pipe'
}

/** Starts `svc-sim ARGS`. */
export function startCli(
  args: readonly string[],
  { nodeArgs = [], ...options }: RunOptions & { nodeArgs?: string[] } = {},
): CliRun {
  return startProgram(process.execPath, [...nodeArgs, cliFile, ...args], options)
}

/** Starts `npx svc-sim ARGS`, as in a project that has it installed. */
export function startNpx(args: readonly string[], options: Omit<RunOptions, 'cwd'> = {}): CliRun {
  const cwd = emptyFolder()
  install(cwd)
  return startProgram('npx', ['--offline', 'svc-sim', ...args], { ...options, cwd })
}

/** The package itself. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

/** Makes the built package, and vitest, what a project in a folder imports. Again does nothing. */
export function installLibrary(folder: string): void {
  const modules = join(folder, 'node_modules')
  if (existsSync(modules)) return
  mkdirSync(modules)
  symlinkSync(root, join(modules, 'svc-sim'))
  symlinkSync(join(root, 'node_modules/vitest'), join(modules, 'vitest'))
}

/** Makes the program a command of the project in a folder, as `npm install` does. */
export function install(folder: string): void {
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
  symlinkSync(cliFile, join(folder, 'node_modules/.bin/svc-sim'))
}

/** Starts any program that runs the simulator, and watches it the same way. */
export function startProgram(
  file: string,
  args: readonly string[],
  { cwd = emptyFolder(), env = {}, stdin = 'ignore' }: RunOptions = {},
): CliRun {
  const mark = randomUUID()
  // Who runs the tests under nohup does not run the program under it.
  const { _, ...inherited } = process.env
  const child = spawn(file, args, {
    cwd,
    env: { ...inherited, ...env, [markVariable]: mark },
    stdio: [stdin, 'pipe', 'pipe'],
  }) as ChildProcessByStdio<Writable | null, Readable, Readable>
  const ended = new Promise<Awaited<CliRun['ended']>>((resolve) => {
    child.once('close', (code, signal) => {
      runs.delete(child)
      resolve({ code, signal })
    })
  })
  const run: CliRun = {
    pid: child.pid!,
    mark,
    stdout: '',
    stderr: '',
    kill: (signal) => void child.kill(signal),
    ended,
    write: (text) => void child.stdin?.write(text),
    closeInput: () => void child.stdin?.end(),
    stopReading: (stream) => void child[stream].destroy(),
    saying: (stream, pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const match = pattern.exec(run[stream])
          if (match) resolve(match)
        }
        look()
        child[stream].on('data', look)
        void ended.then(({ code, signal }) =>
          reject(new Error(`ended (${code ?? signal})\n${run.stdout}\n${run.stderr}`)),
        )
      }),
  }
  runs.set(child, run)
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      run[stream] += text
    })
  }
  return run
}

/** Runs `svc-sim ARGS` to its end. */
export async function runCli(
  args: readonly string[],
  options?: Parameters<typeof startCli>[1],
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const run = startCli(args, options)
  const { code } = await run.ended
  return { code, stdout: run.stdout, stderr: run.stderr }
}

/** The line of `start --json`. */
export interface Ready {
  url: string
  apiKey: string
  controlUrl: string
  docsUrl: string
  rpc: Record<string, string>
}

/** Runs `start --json` on a free port; resolves when it is ready. `nodes` are the process ids of its nodes. */
export async function startReady(
  ...args: string[]
): Promise<{ run: CliRun; ready: Ready; nodes: number[] }> {
  const run = startCli(['start', '--json', '--port', '0', ...args])
  const [line] = await run.saying('stdout', /^.*\n/)
  return { run, ready: JSON.parse(line) as Ready, nodes: childrenOf(run.pid, 'anvil') }
}

/** Creates the sub-account of a signer; answers its id. */
export async function createAccount(
  place: Pick<Ready, 'url' | 'apiKey'>,
  signer = '0x00000000000000000000000000000000000000a1',
): Promise<string> {
  const body = { signer_type: 'eoa', signer_address: signer }
  return (await askService(place, '/accounts', { body })).body.account_id
}

/** Kills what a test left running. Nothing that it started is alive when it returns. */
export function killRuns(): void {
  for (const [child, { mark }] of runs) {
    child.kill('SIGKILL') // the watchdogs then end the nodes
    if (process.platform === 'linux') killMarked(mark)
  }
}

/** In rounds: one that starts a node between the look and its own end leaves one that no look has seen, and its watchdog is killed too. */
function killMarked(mark: string): void {
  const until = performance.now() + 10_000
  for (let left = markedBy(mark); left.length > 0; left = markedBy(mark)) {
    if (performance.now() > until) throw new Error(`SIGKILL does not end ${left.join(', ')}`)
    for (const pid of left) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {} // it ended this moment
    }
  }
}
