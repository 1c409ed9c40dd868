import type { Scenario } from '../../../clients/scenarios/schema.js'
import type { ScenarioTarget } from '../../../clients/scenarios/target.js'
import { type Simulator, startSimulator } from '../../../simulator/sim.js'

/** A scenario without a seed of its own is played with this one: the same file gives the same run. */
const defaultSeed = 1n

/** A node that hangs on purpose should not hold up a scenario for half a minute. */
const readTimeoutMs = 3_000

/** Simulators for scenarios, one at a time. */
export interface Stage {
  /** A simulator in the state right after its start, with the scenario's seed and clock. */
  setFor(scenario: Scenario): Promise<{ target: ScenarioTarget; seed: string }>
  close(): Promise<void>
}

/** Scenarios of one seed and clock after each other share a simulator, which is reset in between. `start` starts one. */
export function createStage(start: typeof startSimulator = startSimulator): Stage {
  let current: { key: string; simulator: Simulator } | undefined
  const close = async (): Promise<void> => {
    await current?.simulator.close()
    current = undefined
  }
  return {
    async setFor({ given }) {
      const seed = given.seed === undefined ? defaultSeed : BigInt(given.seed)
      const key = `${seed} ${given.clock}`
      if (current?.key === key) {
        // One that cannot be reset is of no use to the next scenario either.
        await current.simulator.snapshots.reset().catch(async (error) => {
          await close()
          throw error
        })
      } else {
        await close()
        const clock = given.clock === undefined ? {} : { clock: given.clock }
        current = { key, simulator: await start({ seed, readTimeoutMs, ...clock }) }
      }
      return { target: current.simulator, seed: seed.toString() }
    },
    close,
  }
}
