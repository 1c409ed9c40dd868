import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { actors, actorsMnemonic } from '../../deployments/actors.js'
import { packageFile } from '../../lib/files/packageFile.js'
import { spawnHeld } from '../../lib/spawnHeld.js'
import { retainedStates } from '../rpc/reorgTime.js'

const require = createRequire(import.meta.url)

/** How one anvil is started. */
export interface AnvilOptions {
  chainId: number
  /** IP address of its TCP port, which anvil always opens. */
  host: string
  /** Path of the socket that requests go through. */
  socket: string
  /** JSON file with the state to start from (`anvil_dumpState`, unzipped). */
  loadState?: string
  /** Further command line arguments. */
  args?: readonly string[]
}

/** How a process ended. `lastWords` is the end of its output. */
export interface AnvilExit {
  code: number | null
  signal: NodeJS.Signals | null
  lastWords: string
}

/** A spawned anvil. */
export interface AnvilProcess {
  /** Undefined when it could not be spawned; `exited` then says why. */
  readonly pid: number | undefined
  /** Resolves when it reports that it listens; its socket is ready by then, too. Never settles when it ends before. */
  readonly listening: Promise<void>
  /** Resolves when the process is gone and its output is read. */
  readonly exited: Promise<AnvilExit>
  /** Sends SIGTERM, and soon SIGKILL; resolves when the process is gone. Safe to call twice. */
  stop(): Promise<void>
}

/** Milliseconds between SIGTERM and SIGKILL: short, since anvil holds no state that needs flushing. */
const endWithinMs = 400
const lastWordsLength = 2_000

/** The path of anvil for this machine, from its npm package. Throws when that is not installed, and says what to do. */
export function anvilBinary(
  platform: string = process.platform,
  arch: string = process.arch,
): string {
  const name = packageName(platform, arch)
  const packages = anvilPackages()
  const supported = Object.keys(packages).map(machineOf).join(', ')
  if (!(name in packages))
    throw new Error(
      `svc-sim cannot run on ${platform} ${arch}: there is no anvil binary for it. Supported: ${supported}. ` +
        'Run the simulator on such a machine, or in a container of linux, and point your client at it.',
    )
  try {
    return require.resolve(`${name}/bin/anvil${platform === 'win32' ? '.exe' : ''}`)
  } catch (cause) {
    const problem = libcProblem(platform)
    if (problem !== undefined) throw new Error(problem, { cause })
    throw new Error(
      `The anvil binary for ${platform} ${arch} is not installed: npm package ${name}@${packages[name]} is missing. It is an ` +
        'optional dependency of svc-sim. Install svc-sim again with optional dependencies (without `--omit=optional`, ' +
        '`--no-optional` or `--ignore-optional`), on the machine that runs the simulator: `node_modules` copied from another ' +
        'platform lacks it.',
      { cause },
    )
  }
}

/** The version of anvil, for example `1.7.1`. A saved state is only read by the version that wrote it. */
export function anvilVersion(): string {
  return Object.values(anvilPackages())[0]!
}

/** The packages with a binary and their versions. As our own optional dependencies they need no wrapper and no install script. */
function anvilPackages(): Record<string, string> {
  const manifest = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'))
  const optional: Record<string, string> = manifest.optionalDependencies
  return Object.fromEntries(Object.entries(optional).filter(([name]) => name.startsWith(prefix)))
}

const prefix = '@foundry-rs/anvil-'

function packageName(platform: string, arch: string): string {
  return `${prefix}${platform}-${arch === 'x64' ? 'amd64' : arch}`
}

/** `linux x64` of `@foundry-rs/anvil-linux-amd64`. */
function machineOf(name: string): string {
  return name.slice(prefix.length).replace('-', ' ').replace('amd64', 'x64')
}

/**
 * Starts the process. It gets a process group of its own, because a Ctrl-C in the terminal is sent to the whole group
 * and anvil would be gone before the simulator could save its state.
 *
 * @param announce Gets the pid before the node runs (see `spawnHeld`), so that no node ever runs without somebody to end it.
 */
export function spawnAnvil(
  options: AnvilOptions,
  announce: (pid: number) => Promise<void> = async () => {},
): AnvilProcess {
  const child = spawnHeld(
    [anvilBinary(), ...anvilArgs(options)],
    { detached: true, stdio: ['ignore', 'pipe', 'pipe'], env: anvilEnv(), windowsHide: true },
    announce,
  ) as ChildProcess & { stdout: Readable; stderr: Readable }
  const output = { stdout: '', stderr: '' }
  let isListening = false
  let spawnError = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (!isListening) output.stdout = (output.stdout + text).slice(-lastWordsLength)
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr = (output.stderr + text).slice(-lastWordsLength)
  })
  const exited = new Promise<AnvilExit>((resolve) => {
    child.once('error', (error) => {
      spawnError = error.message
    })
    // `close` follows `exit` once all output has been read; after `error` there is no `exit`, only `close`.
    child.once('close', (code, signal) => {
      const lastWords = (spawnError || output.stderr || output.stdout).trim()
      resolve({ code, signal, lastWords })
    })
  })
  const pipes = [child.stdout, child.stderr] as Socket[] // which the type does not say
  const listening = untilListening(child).then(() => {
    // Stdout from before never explains a later crash, so it is dropped.
    isListening = true
    output.stdout = ''
    // From now on the node does not keep this program alive.
    for (const handle of [child, ...pipes]) handle.unref()
  })
  return {
    pid: child.pid,
    listening,
    exited,
    async stop() {
      for (const handle of [child, ...pipes]) handle.ref() // waiting for the exit has to keep it alive
      child.kill('SIGTERM')
      const kill = setTimeout(() => child.kill('SIGKILL'), endWithinMs)
      await exited
      clearTimeout(kill)
    },
  }
}

/**
 * `--slots-in-an-epoch 0`: blocks are final at once, so `finalized` and `safe` mean the latest block in every method.
 *
 * `--mnemonic`, `--accounts`: the node has the keys of the simulator's own accounts and of no others. `--balance 0`: their gas money
 * comes with the world. The well-known development accounts are not funded here; the faucet funds whom the caller names.
 */
function anvilArgs(options: AnvilOptions): string[] {
  return [
    ['--chain-id', String(options.chainId)],
    ['--host', options.host],
    ['--port', '0'],
    ['--ipc', options.socket],
    ['--mnemonic', actorsMnemonic],
    ['--accounts', String(Object.keys(actors).length)],
    ['--balance', '0'],
    ['--slots-in-an-epoch', '0'],
    ['--prune-history', String(retainedStates)],
    ['--no-request-size-limit'],
    ['--no-cors'],
    options.loadState === undefined ? [] : ['--load-state', options.loadState],
    options.args ?? [],
  ].flat()
}

/**
 * Settings of the node's allocator (jemalloc): one arena, and freed memory returns to the system after 0.1 s instead of 10 s. A start
 * frees the text of the loaded state; measured, a node of 31 MB shrinks to 28.
 */
const leanAllocator = 'narenas:1,dirty_decay_ms:100'

/** RUST_LOG would make every request a line of output; without it `anvil_setLoggingEnabled` silences the node. */
function anvilEnv(): NodeJS.ProcessEnv {
  const { RUST_LOG: _, ...env } = process.env
  return { _RJEM_MALLOC_CONF: leanAllocator, ...env, NO_COLOR: '1' }
}

function untilListening(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    let output = ''
    const look = (text: string) => {
      output += text // the line may come in pieces
      if (!/Listening on \S+:\d+\s/.test(output)) return
      child.stdout?.off('data', look)
      resolve()
    }
    child.stdout?.on('data', look)
  })
}

/** The oldest glibc that anvil's Linux binary supports. */
const neededGlibc = '2.35'

/**
 * Why this Linux cannot run anvil; undefined if it can, and on other systems. `glibc` is its version, empty with another libc such as
 * musl.
 */
export function libcProblem(
  platform: string = process.platform,
  glibc: string = platform === 'linux' ? runningGlibc() : '',
): string | undefined {
  if (platform !== 'linux') return undefined
  if (isAtLeast(glibc, neededGlibc)) return undefined
  const libc = glibc === '' ? 'none (it is built on musl, as Alpine is)' : `glibc ${glibc}`
  return `anvil needs glibc ${neededGlibc} or newer, and this system has ${libc}. Use Debian 12, Ubuntu 22.04 or newer, or an image such as node:22-slim.`
}

/** Why an installed anvil does not run, by the code with which its start failed; undefined for unknown codes. */
export function runProblem(code: string | number | null | undefined): string | undefined {
  const mayNotRun = code === 126 || code === 'EACCES'
  const problem = libcProblem()
  if (problem !== undefined || !mayNotRun) return problem
  return 'anvil may not be executed: its file is not marked as executable, or its disk is mounted with noexec. Install svc-sim on a disk without noexec.'
}

function runningGlibc(): string {
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } }
  return header.glibcVersionRuntime ?? ''
}

function isAtLeast(version: string, needed: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [neededMajor = 0, neededMinor = 0] = needed.split('.').map(Number)
  return major > neededMajor || (major === neededMajor && minor >= neededMinor)
}
