import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { childrenOf } from './processes.js'

/** The built program, as it is shipped. */
export const cliFile = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

/** A run of the program in a process of its own. */
export interface CliRun {
  pid: number
  /** All that it has written so far. */
  stdout: string
  stderr: string
  kill(signal: NodeJS.Signals): void
  /** Resolves when it has ended and its output is read. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  /** Resolves to the first match in a stream; rejects, with all output, when the process ends without one. */
  saying(stream: 'stdout' | 'stderr', pattern: RegExp): Promise<RegExpExecArray>
}

const runs = new Set<ChildProcess>()

/** A folder without a `svc-sim.config.json`. */
export function emptyFolder(): string {
  return mkdtempSync(join(tmpdir(), 'svc-sim-cli-'))
}

/** Starts `svc-sim ARGS` in an empty folder unless one is given, with the test's environment and what is given. */
export function startCli(
  args: readonly string[],
  {
    cwd = emptyFolder(),
    env = {},
    nodeArgs = [],
  }: { cwd?: string; env?: NodeJS.ProcessEnv; nodeArgs?: string[] } = {},
): CliRun {
  const child = spawn(process.execPath, [...nodeArgs, cliFile, ...args], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  runs.add(child)
  const ended = new Promise<Awaited<CliRun['ended']>>((resolve) => {
    child.once('close', (code, signal) => {
      runs.delete(child)
      resolve({ code, signal })
    })
  })
  const run: CliRun = {
    pid: child.pid!,
    stdout: '',
    stderr: '',
    kill: (signal) => void child.kill(signal),
    ended,
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
  { url, apiKey }: Pick<Ready, 'url' | 'apiKey'>,
  signer = '0x00000000000000000000000000000000000000a1',
): Promise<string> {
  const response = await fetch(`${url}/accounts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ signer_type: 'eoa', signer_address: signer }),
  })
  return ((await response.json()) as { account_id: string }).account_id
}

/** Kills what a failed test left running; the watchdogs then end the nodes. */
export function killRuns(): void {
  for (const child of runs) child.kill('SIGKILL')
}
