import { type ChildProcess, spawn } from 'node:child_process'
import type { Simulator } from '../sim.js'
import type { Armed } from './armed.js'
import { launch } from './launch.js'
import type { OptionValues } from './optionTable.js'
import { say } from './output.js'
import { codeOf, onStopSignal, type StopSignal } from './signals.js'

/** A command that does not end when it is asked to, is killed after this time. */
const endTimeoutMs = 5_000

/**
 * `svc-sim exec -- COMMAND`: the command runs against a simulator of its own. Resolves to the command's exit code, 128+n
 * when signal n ended it, 127 when it cannot be found, 126 when it cannot be run, 1 when the simulator died under it.
 */
export async function exec(values: OptionValues, words: readonly string[]): Promise<number> {
  let signalled: StopSignal | undefined
  let command: ChildProcess | undefined
  onStopSignal((signal) => {
    signalled = signal
    if (command) passOn(command, signal)
  })
  const { simulator, armed } = await launch(values, 0)
  let code: number
  // Asked to stop before there was anything to pass the signal on to.
  if (signalled) code = codeOf(signalled)
  else {
    command = runCommand(words, simulator, armed)
    const running = command
    void simulator.closed.then(() => end(running, words))
    code = await exitCode(running, words)
    await armed?.report().catch(() => {}) // a simulator that died has its own last words
  }
  await simulator.close()
  // When a node died first, the command's own code says little: it may have failed for that very reason.
  const ended = await simulator.closed
  if (ended.exitCode === 0) return code
  say(ended.reason)
  return ended.exitCode
}

function runCommand(
  [file, ...args]: readonly string[],
  simulator: Simulator,
  armed: Armed | undefined,
): ChildProcess {
  const { url, apiKey, controlUrl, rpc } = simulator
  const rpcVariables = Object.entries(rpc).map(([network, rpcUrl]) => [
    `SVC_RPC_${network.toUpperCase()}`,
    rpcUrl,
  ])
  return spawn(file!, args, {
    stdio: 'inherit',
    env: {
      ...process.env,
      SVC_BASE_URL: url,
      SVC_API_KEY: apiKey,
      SVC_CONTROL_URL: controlUrl,
      ...Object.fromEntries(rpcVariables),
      ...armed?.variables,
    },
  })
}

function exitCode(command: ChildProcess, words: readonly string[]): Promise<number> {
  return new Promise((resolve) => {
    command.once('exit', (code, signal) => resolve(signal ? codeOf(signal) : (code ?? 1)))
    command.once('error', (error: NodeJS.ErrnoException) => {
      const isMissing = error.code === 'ENOENT'
      const why = isMissing ? 'not found; is it installed, and in the PATH?' : error.message
      say(`cannot run ${words[0]}: ${why}`)
      resolve(isMissing ? 127 : 126)
    })
  })
}

/** Ends the command when it outlives the simulator. */
function end(command: ChildProcess, words: readonly string[]): void {
  if (command.exitCode !== null || command.signalCode !== null) return
  say(`the simulator is gone; ending ${words[0]}`)
  command.kill('SIGTERM')
  const timer = setTimeout(() => command.kill('SIGKILL'), endTimeoutMs)
  command.once('exit', () => clearTimeout(timer))
}

/**
 * A terminal sends Ctrl-C to everything that runs in it, the command among them; a second one from here would be taken for
 * somebody's impatience. So only what was sent to this process alone is passed on.
 */
function passOn(command: ChildProcess, signal: StopSignal): void {
  const isTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY
  if (signal === 'SIGINT' && isTerminal) return
  command.kill(signal)
}
