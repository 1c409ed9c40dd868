import { keepLoopbackDirect } from '../lib/loopbackDirect.js'
import { createSimulatorOn } from './createSimulatorOn.js'
import type { SimulatorOptions } from './options/options.js'
import type { SimulatorHandle } from './simulatorHandle.js'

/**
 * Starts a simulator in this process. Rejects with the reason when a part cannot start.
 *
 * Where Node itself sends requests through a proxy (`NODE_USE_ENV_PROXY`), loopback is added to `NO_PROXY`.
 *
 * It does not keep the program alive. When the program has nothing else to do, even if it awaits `sim.closed`, the simulator closes itself
 * and the program ends.
 */
export function createSimulator(options: SimulatorOptions = {}): Promise<SimulatorHandle> {
  if (process.env.NODE_USE_ENV_PROXY) keepLoopbackDirect(process.env)
  return createSimulatorOn(options)
}
