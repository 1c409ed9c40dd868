import { resolve } from 'node:path'
import type { RequestHandler } from 'express'
import type { ScenarioTarget } from '../../../clients/scenarios/target.js'
import { stackOf } from '../../../http/core/log.js'
import { PortInUseError } from '../../../http/server/listen.js'
import { unlessAborted } from '../../../lib/abort.js'
import { packageVersion } from '../../../lib/files/packageFile.js'
import type { StepKind } from '../../../simulator/options/options.js'
import { type Simulator, startSimulator } from '../../../simulator/sim.js'
import { type OptionValues, simulatorOptionsOf } from '../options/optionTable.js'
import { complain, logLine, say, setOutput } from './output.js'
import type { PreparedScenario } from './preparedScenario.js'
import { type PrettyLog, prettyLog } from './prettyLog.js'
import { leave } from './signals.js'

export interface Launched {
  simulator: Simulator
  prepared: PreparedScenario | undefined
  /** Called before it stops. Returns how many requests it has answered and refused, for people. */
  stops(): string | undefined
}

export interface LaunchStyle {
  defaultPort: number
  /** The steps of the start that are written without `--verbose`, besides those that need attention. */
  says: readonly StepKind[]
  /** Whether a line is written for each refused request and each failure. */
  live: boolean
}

/**
 * Starts the simulator of `start` and `exec`, with its progress on standard error, and arms the scenario if there is one. A start that the
 * signal aborts leaves nothing behind.
 */
export async function launch(
  values: OptionValues,
  style: LaunchStyle,
  signal: AbortSignal,
): Promise<Launched | 'broken off'> {
  try {
    return await launchUnless(signal, values, style)
  } catch (error) {
    if (error === signal.reason) return 'broken off'
    throw error
  }
}

async function launchUnless(
  signal: AbortSignal,
  values: OptionValues,
  style: LaunchStyle,
): Promise<Launched> {
  if (values.log === 'json') await sayInJson(values)
  if (values.quiet) setOutput({ isQuiet: true })
  const live = !values.quiet && (style.live || values.verbose)
  const log = prettyLog({ live, lists: !values.quiet && values.log === 'requests' }, logLine)
  const stops = () => {
    log.stops()
    return live || values.log === 'requests' ? log.counts() : undefined
  }
  const start = (options: OptionValues) => startWith(options, { ...style, signal, log })
  if (values.scenario === undefined) {
    const simulator = await start(values)
    endOnDefect(simulator)
    return { simulator, prepared: undefined, stops }
  }
  const { prepareScenario, scenarioOf } = await import('./preparedScenario.js')
  const { scenario, seed, clock } = await scenarioOf({ ...values, scenario: values.scenario })
  const simulator = await start({ ...values, seed, clock })
  endOnDefect(simulator)
  try {
    const arming = prepareScenario(simulator, scenario, values.controlToken)
    return { simulator, prepared: await unlessAborted(arming, signal), stops }
  } catch (error) {
    await simulator.close()
    throw error
  }
}

/** Messages of the command itself become JSON too, so that the log has nothing else in it. */
async function sayInJson({ apiKey, revokedApiKey, controlToken }: OptionValues): Promise<void> {
  const { jsonLog } = await import('../../../http/core/jsonLog.js')
  const secrets = [...apiKey, ...revokedApiKey, controlToken ?? []].flat()
  setOutput({ log: jsonLog(secrets, (line) => void process.stderr.write(line)).info })
}

async function startWith(
  values: OptionValues,
  { defaultPort, says, signal, log }: LaunchStyle & { signal: AbortSignal; log: PrettyLog },
): Promise<Simulator> {
  const { host, port = defaultPort } = values
  const isSaid = (kind: StepKind | undefined): boolean =>
    kind === undefined || says.includes(kind) || values.verbose || values.log === 'json'
  try {
    const options = simulatorOptionsOf(values)
    const { bundle, scenarios, trace } = options
    const simulator = await startSimulator({
      ...options,
      port,
      log: values.log === 'json' ? 'json' : log,
      onProgress: (step, kind) => {
        if (isSaid(kind)) say(step)
      },
      signal,
      agents: lazyAgents,
      // Their names are shown later, perhaps to somebody in another folder.
      ...(bundle && { bundle: resolve(bundle) }),
      ...(scenarios && { scenarios: resolve(scenarios) }),
      ...(trace && { trace: resolve(trace) }),
    })
    log.runsAt(simulator.url)
    sayLeftOut(simulator)
    return simulator
  } catch (error) {
    if (error instanceof PortInUseError) throw await explained(error, { host, port })
    const { syscall, message } = error as NodeJS.ErrnoException
    if (syscall !== 'listen' && syscall !== 'getaddrinfo') throw error
    throw new Error(
      `cannot listen on port ${port} of ${host} (${message}). Choose another --host, one of this machine's own, or another --port.`,
    )
  }
}

/** Loaded by the first request: a start without agents pays nothing for it. */
function lazyAgents(target: ScenarioTarget): RequestHandler {
  let loading: Promise<RequestHandler> | undefined
  return (req, res, next) => {
    loading ??= import('../../mcp/overHttp.js').then(({ agentsOverHttp }) =>
      agentsOverHttp({ version: packageVersion(), log: say }, target),
    )
    loading.then((agents) => agents(req, res, next)).catch(next)
  }
}

/** The error for a port in use; names the simulator that uses it. */
async function explained(error: PortInUseError, at: { host: string; port: number }) {
  const { findNeighbour } = await import('./checks.js')
  const neighbour = await findNeighbour(at)
  if (neighbour === undefined) return error
  return new Error(
    `${neighbour.text} Use it, stop it, or start another one with --port (0 takes a free one).`,
    { cause: error },
  )
}

/** Reports protocols that a fork lacks. */
function sayLeftOut({ forks }: Simulator): void {
  for (const [network, { leftOut }] of forks)
    for (const { name, why } of leftOut) say(`${name} is left out on ${network}: ${why}`)
}

/** How long the stop after a defect may take; one that works is sooner. Milliseconds. */
const stopWithinMs = 5_000

/**
 * After an uncaught exception or an unhandled rejection the program's state is unknown: it prints the reason, stops the simulator, and
 * ends with 1.
 */
function endOnDefect(simulator: Pick<Simulator, 'fail'>): void {
  let isEnding = false
  process.on('uncaughtException', (error: unknown) => {
    if (isEnding) return
    isEnding = true
    const reason = `stopped by an unexpected failure, a defect of the simulator:\n${stackOf(error)}`
    void simulator.fail(reason)
    setTimeout(() => {
      complain(reason)
      leave(1)
    }, stopWithinMs).unref()
  })
}
