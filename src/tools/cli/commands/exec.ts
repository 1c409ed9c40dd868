import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pTimeout from 'p-timeout'
import { connectVariables, runFolder, sharesWorld } from '../../../http/routes/control/snippets.js'
import { shellWord } from '../../../lib/shellWord.js'
import type { Simulator } from '../../../simulator/sim.js'
import type { Ending } from '../../swarm/judge/run.js'
import type { OptionValues } from '../options/optionTable.js'
import { type Command, cannotRun, runCommand } from '../process/command.js'
import { type LaunchStyle, launch } from '../process/launch.js'
import { complain, say } from '../process/output.js'
import type { PreparedScenario } from '../process/preparedScenario.js'
import { codeOf, leave, onStopRequest, type StopSignal } from '../process/signals.js'

/**
 * `svc-sim exec -- COMMAND`: runs the command against a new simulator. Resolves to the command's exit code, 128+n
 * when signal n ended it, 127 when it cannot be found, 126 when it cannot be run, 1 when the simulator died under it, or when it succeeded
 * without a response that `--require` names.
 *
 * A stop signal is passed on to the command; the second one kills it, and where there is no command to kill ends everything at once.
 */
export async function exec(values: OptionValues, words: readonly string[]): Promise<number> {
  const stopping = new AbortController()
  let stopSignal: StopSignal | undefined
  let command: Command | undefined
  onStopRequest(({ why, signal, isInsisting }) => {
    stopSignal ??= signal
    stopping.abort()
    if (why !== signal) say(`${why}: stopping`)
    if (isInsisting && !command?.isRunning()) leave(codeOf(stopSignal))
    if (isInsisting) command?.kill()
    // The starter is gone, so no second request can come.
    else if (why !== signal) command?.end()
    else command?.passOn(signal)
  })
  const problem = cannotRun(words[0]!, process.env)
  if (problem) {
    complain(`cannot run ${words[0]}: ${problem.why}`)
    return problem.code
  }
  if (values.require.length > 0) await checkRequired(values.require)
  // The terminal belongs to the command: the simulator writes one line.
  const style: LaunchStyle = { defaultPort: 0, says: ['ready'], live: false }
  const launched = await launch(values, style, stopping.signal)
  if (launched === 'broken off') return codeOf(stopSignal!)
  const { simulator, prepared } = launched
  let code: number
  // Asked to stop before there was anything to pass the signal on to.
  if (stopSignal) code = codeOf(stopSignal)
  else {
    const folder = prepared && (await mkdtemp(join(tmpdir(), 'svc-sim-run-')))
    const env = environment(simulator, prepared, values, folder)
    const timed = limit(() => command?.end(), prepared)
    void simulator.closed.then(() => {
      if (!command?.isRunning()) return
      complain(`the simulator has ended; stopping ${words[0]}`)
      command.end()
    })
    const live = (crash: AbortSignal): Promise<number> => {
      const living = runCommand(words, env)
      command = living
      crash.addEventListener('abort', () => living.kill())
      return living.code
    }
    code = await throughCrashes(live, { simulator, prepared, values })
    const ending = timed(code)
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
    await prepared?.report().catch(() => {}) // a simulator that died has its own last words
    if (!stopSignal && (await isFaulty(ending, { simulator, prepared, values }))) code ||= 1
    if (!stopSignal && code === 0 && (await misses(simulator, values))) code = 1
    if (!stopSignal && code !== 0) await sayTimelines(simulator, values).catch(() => {}) // as above
  }
  await simulator.close()
  // When a node died first, the command's own code says little: it may have failed for that very reason.
  const ended = await simulator.closed
  if (ended.exitCode === 0) return code
  complain(ended.reason)
  return ended.exitCode
}

/** A command that has not ended after so long hangs, on any machine. */
const longestMs = 600_000

/** Ends a command that takes longer than the scenario's outcome allows. Returns how to say how it ended. */
function limit(end: () => void, prepared: PreparedScenario | undefined): (exit: number) => Ending {
  const begun = performance.now()
  const { outcome } = prepared?.scenario ?? {}
  const withinMs = outcome && (outcome.within_ms ?? longestMs)
  let hung = false
  const timer =
    withinMs === undefined
      ? undefined
      : setTimeout(() => {
          hung = true
          end()
        }, withinMs)
  return (exit) => {
    clearTimeout(timer)
    return { exit, hung, tookMs: performance.now() - begun, output: '' }
  }
}

interface Run {
  simulator: Simulator
  prepared: PreparedScenario | undefined
  values: OptionValues
}

/** Runs the command, and again whenever a fault of the scenario has killed it. */
async function throughCrashes(
  live: (crash: AbortSignal) => Promise<number>,
  { simulator, prepared, values: { controlToken } }: Run,
): Promise<number> {
  const { faults = [] } = prepared?.scenario ?? {}
  if (faults.length === 0) return live(new AbortController().signal)
  const [crashes, { worldOf }] = await Promise.all([
    import('../../swarm/world/runOnce.js'),
    import('../../swarm/world/world.js'),
  ])
  const world = worldOf(simulator, async () => {}, controlToken)
  return crashes.throughCrashes(world, faults, live)
}

/** Whether the command has a finding, where the scenario says what comes of it without faults; each is said. */
async function isFaulty(ending: Ending, { simulator, prepared, values }: Run): Promise<boolean> {
  const { outcome, faults = [] } = prepared?.scenario ?? {}
  if (outcome === undefined) return false
  const { judgeScenario } = await import('../../swarm/search/scenarioFile.js')
  const { controlToken } = values
  try {
    const findings = await judgeScenario({ faults, outcome }, ending, { simulator, controlToken })
    for (const { kind, message } of findings) complain(`${kind}: ${message}`)
    if (findings.length === 0 && ending.exit === 0)
      say('passed: the same outcome as without faults')
    return findings.length > 0
  } catch (error) {
    complain(`the outcome could not be read: ${(error as Error).message}`)
    return true
  }
}

/** Refuses an undocumented response before anything starts. */
async function checkRequired(required: readonly string[]): Promise<void> {
  const { routesOf } = await import('../../../http/allRoutes.js')
  const { cellsOf } = await import('../../../http/pipeline/coverage.js')
  const { planKinds } = await import('../../../service/plans/kinds/index.js')
  const { cellsNamed } = await import('./coverage.js')
  cellsNamed(required, cellsOf(new Map(), routesOf(planKinds).service))
}

/** Whether the command has not received a response that it had to; each is named. */
async function misses(
  { controlUrl }: Simulator,
  { require: required, controlToken }: OptionValues,
): Promise<boolean> {
  if (required.length === 0) return false
  const { createControl } = await import('../../../clients/control/controlClient.js')
  const { cellsNamed, askCoverage, missedOf } = await import('./coverage.js')
  try {
    const { cells } = await askCoverage(createControl(controlUrl, controlToken))
    const missed = missedOf(cellsNamed(required, cells))
    if (missed !== undefined) complain(missed)
    return missed !== undefined
  } catch (error) {
    complain(`the coverage could not be read: ${(error as Error).message}`)
    return true
  }
}

function environment(
  simulator: Simulator,
  prepared: PreparedScenario | undefined,
  { controlToken }: OptionValues,
  folder: string | undefined,
): NodeJS.ProcessEnv {
  return {
    ...process.env,
    ...connectVariables(simulator, controlToken),
    ...(prepared && sharesWorld),
    ...(folder !== undefined && { [runFolder]: folder }),
    ...prepared?.variables,
  }
}

/** The most accounts that are named; the latest. */
const maxTimelines = 3

/** How long to wait for a simulator that may hang. Milliseconds. */
const timelinesWithinMs = 2_000

/**
 * Says what became of the accounts of a command that has failed: `svc-sim why` cannot be asked once the simulator has ended. An account
 * about which there is nothing to say is left out.
 */
async function sayTimelines(
  { controlUrl, apiKey }: Simulator,
  { quiet, trace, controlToken }: OptionValues,
): Promise<void> {
  if (quiet) return
  const { timelinesSince } = await import('../../../clients/testing/journalWatch.js')
  const timelines = await pTimeout(
    timelinesSince({ controlUrl, apiKey: controlToken ?? apiKey }, 0),
    {
      milliseconds: timelinesWithinMs,
    },
  )
  const telling = timelines.filter(({ now }) => !/(: confirmed|has been executed)$/.test(now))
  for (const { id, now } of telling.slice(-maxTimelines)) say(`${id}: ${now}`)
  if (timelines.length === 0) return
  const rerun = trace === undefined ? 'run it again with --trace run.trace, then ' : ''
  say(`the full timeline: ${rerun}npx svc-sim ui ${shellWord(trace ?? 'run.trace')}`)
}
