import { createSimulatorOn } from './createSimulatorOn.js'
import type { SimulatorOptions } from './options.js'
import type { SimulatorHandle } from './simulatorHandle.js'

/**
 * Starts a simulator in this process. Rejects with the reason when a part cannot start.
 *
 * It does not keep the program alive. When the program has nothing else to do, the simulator closes itself as by `close`, and the program
 * ends; so it does when all that is left is `await sim.closed`.
 */
export function createSimulator(options: SimulatorOptions = {}): Promise<SimulatorHandle> {
  return createSimulatorOn(options)
}
