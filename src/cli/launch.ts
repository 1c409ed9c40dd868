import { type Simulator, startSimulator } from '../sim.js'
import type { OptionValues } from './optionTable.js'
import { say } from './output.js'
import type { Armed } from './preparedScenario.js'

/** A simulator that was started, with the scenario that was armed in it. */
export interface Launched {
  simulator: Simulator
  armed: Armed | undefined
}

/** Starts the simulator of `start` and `exec`, with its progress on standard error, and arms the scenario if there is one. */
export async function launch(values: OptionValues, defaultPort: number): Promise<Launched> {
  if (values.scenario === undefined) {
    const simulator = await startWith(values, defaultPort)
    endOnDefect(simulator)
    return { simulator, armed: undefined }
  }
  const { armScenario, scenarioOf } = await import('./preparedScenario.js')
  const { scenario, seed, clock } = scenarioOf({ ...values, scenario: values.scenario })
  const simulator = await startWith({ ...values, seed, clock }, defaultPort)
  endOnDefect(simulator)
  try {
    return { simulator, armed: await armScenario(simulator, scenario, values.controlToken) }
  } catch (error) {
    await simulator.close()
    throw error
  }
}

/** From an export when `--snapshot` names one; what it was unpacked to goes at the end. */
async function startWith(values: OptionValues, defaultPort: number): Promise<Simulator> {
  if (values.snapshot === undefined) return startFrom(values, defaultPort)
  const { folderOfSnapshot } = await import('./snapshotFolder.js')
  const { dataDir, remove } = await folderOfSnapshot(values.snapshot, values.dataDir)
  try {
    const simulator = await startFrom({ ...values, dataDir }, defaultPort)
    return { ...simulator, close: () => simulator.close().finally(remove) }
  } catch (error) {
    await remove()
    throw error
  }
}

async function startFrom(values: OptionValues, defaultPort: number): Promise<Simulator> {
  const { host, dataDir, seed, clock, rpcPortBase, controlToken, rpcUnsafe } = values
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
      onProgress: say,
      fork: Object.fromEntries(values.fork.map(({ network, ...target }) => [network, target])),
      ...(dataDir === undefined ? {} : { dataDir }),
      ...(seed === undefined ? {} : { seed }),
      ...(clock === undefined ? {} : { clock }),
      ...(rpcPortBase === undefined ? {} : { rpcPortBase }),
      ...(controlToken === undefined ? {} : { controlToken }),
    })
  } catch (error) {
    const { syscall, message } = error as NodeJS.ErrnoException
    if (syscall !== 'listen' && syscall !== 'getaddrinfo') throw error
    throw new Error(
      `cannot listen on port ${port} of ${host} (${message}). Choose another --host, one of this machine's own, or another --port.`,
    )
  }
}

/** How long the stop after a defect may take. Milliseconds. */
const stopWithinMs = 15_000

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
      process.exit(1)
    }, stopWithinMs).unref()
  })
}
