import { resolve } from 'node:path'
import { unlessAborted } from '../../../lib/abort.js'
import { type Simulator, startSimulator } from '../../../simulator/sim.js'
import type { OptionValues } from '../options/optionTable.js'
import { leave } from './leave.js'
import { say, sayThrough } from './output.js'
import type { Armed } from './preparedScenario.js'

/** A simulator that was started, with the scenario that was armed in it. */
export interface Launched {
  simulator: Simulator
  armed: Armed | undefined
}

/**
 * Starts the simulator of `start` and `exec`, with its progress on standard error, and arms the scenario if there is one. Nothing is
 * left of a start that the signal has broken off.
 */
export async function launch(
  values: OptionValues,
  defaultPort: number,
  signal: AbortSignal,
): Promise<Launched | 'broken off'> {
  try {
    return await launchUnless(signal, values, defaultPort)
  } catch (error) {
    if (error === signal.reason) return 'broken off'
    throw error
  }
}

async function launchUnless(
  signal: AbortSignal,
  values: OptionValues,
  defaultPort: number,
): Promise<Launched> {
  if (values.log === 'json') await sayInJson(values)
  if (values.scenario === undefined) {
    const simulator = await startWith(values, defaultPort, signal)
    endOnDefect(simulator)
    return { simulator, armed: undefined }
  }
  const { armScenario, scenarioOf } = await import('./preparedScenario.js')
  const { scenario, seed, clock } = await scenarioOf({ ...values, scenario: values.scenario })
  const simulator = await startWith({ ...values, seed, clock }, defaultPort, signal)
  endOnDefect(simulator)
  try {
    const arming = armScenario(simulator, scenario, values.controlToken)
    return { simulator, armed: await unlessAborted(arming, signal) }
  } catch (error) {
    await simulator.close()
    throw error
  }
}

/** A log of JSON has nothing else in it: what the command itself says is written alike. */
async function sayInJson({ apiKey, revokedApiKey, controlToken }: OptionValues): Promise<void> {
  const { jsonLog } = await import('../../../http/core/jsonLog.js')
  const secrets = [...apiKey, ...revokedApiKey, controlToken ?? []].flat()
  sayThrough(jsonLog(secrets, (line) => void process.stderr.write(line)).info)
}

async function startWith(
  values: OptionValues,
  defaultPort: number,
  signal: AbortSignal,
): Promise<Simulator> {
  const { host, dataDir, seed, clock, rpcPortBase, controlToken, rpcUnsafe, log } = values
  const { worlds, maxWorlds, noUi, scenarios, trace, forkCache, forkMaxRequests } = values
  const { bundle, saveBundle, snapshot } = values
  const port = values.port ?? defaultPort
  try {
    return await startSimulator({
      host,
      port,
      apiKeys: values.apiKey,
      revokedApiKeys: values.revokedApiKey,
      allowedHosts: values.allowedHost,
      corsOrigins: values.corsOrigin,
      rpcUnsafe,
      noUi,
      log,
      onProgress: say,
      signal,
      fork: Object.fromEntries(values.fork.map(({ network, ...target }) => [network, target])),
      saveBundle,
      ...(bundle === undefined ? {} : { bundle: resolve(bundle) }),
      ...(forkCache === undefined ? {} : { forkCache }),
      ...(forkMaxRequests === undefined ? {} : { forkMaxRequests }),
      ...(dataDir === undefined ? {} : { dataDir }),
      ...(snapshot === undefined ? {} : { snapshot }),
      ...(seed === undefined ? {} : { seed }),
      ...(clock === undefined ? {} : { clock }),
      ...(rpcPortBase === undefined ? {} : { rpcPortBase }),
      ...(controlToken === undefined ? {} : { controlToken }),
      ...(worlds === undefined ? {} : { worlds }),
      ...(maxWorlds === undefined ? {} : { maxWorlds }),
      ...(scenarios === undefined ? {} : { scenarios: resolve(scenarios) }),
      ...(trace === undefined ? {} : { trace: resolve(trace) }),
    })
  } catch (error) {
    const { syscall, message } = error as NodeJS.ErrnoException
    if (syscall !== 'listen' && syscall !== 'getaddrinfo') throw error
    throw new Error(
      `cannot listen on port ${port} of ${host} (${message}). Choose another --host, one of this machine's own, or another --port.`,
    )
  }
}

/** How long the stop after a defect may take; one that works is sooner. Milliseconds. */
const stopWithinMs = 5_000

/**
 * A failure that nobody caught (an exception, or a rejected promise, which Node makes one) leaves the program in a state that
 * nobody knows: it says why, stops what it has started, and ends with 1.
 */
function endOnDefect(simulator: Pick<Simulator, 'fail'>): void {
  let isEnding = false
  process.on('uncaughtException', (error: unknown) => {
    if (isEnding) return
    isEnding = true
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error)
    const reason = `stopped by an unexpected failure, a defect of the simulator:\n${what}`
    void simulator.fail(reason)
    setTimeout(() => {
      say(reason)
      leave(1)
    }, stopWithinMs).unref()
  })
}
