import { leaseWorld } from '../../clients/remote/leaseWorld.js'
import { type WorldFace, worldAt } from '../../clients/remote/worldFace.js'
import { createSimulator } from '../../simulator/createSimulator.js'

/** How the simulators of tests start. */
export interface SimulatorSettings {
  /** Makes ids repeatable; drawn when absent. */
  seed?: bigint
  /** `auto`, `real`, `frozen` or `frozen@ISO-TIME`; `auto` when absent: bridges and delays take no time. */
  clock?: string
}

/** What a test has of its simulator: a world that is all its own. */
export interface SimulatorOfTest extends WorldFace {
  close(): Promise<void>
}

/**
 * A world of the simulator that runs already (`SVC_CONTROL_URL` or `SVC_BASE_URL`, as `svc-sim exec` has them in the environment); when
 * none does, a simulator in this process.
 */
export async function openSimulator(given: SimulatorSettings): Promise<SimulatorOfTest> {
  const settings = { clock: 'auto', ...given }
  const { SVC_CONTROL_URL, SVC_BASE_URL } = process.env
  if (SVC_CONTROL_URL || SVC_BASE_URL) return leaseWorld(settings)
  const sim = await createSimulator(settings)
  const { url, apiKey, controlUrl } = sim
  return { ...worldAt({ url, apiKey, controlUrl, rpc: sim.rpc }), close: sim.close }
}

/** Restores a snapshot, and drops it: a simulator has room for a hundred. */
export async function restoreAndDrop(sim: SimulatorOfTest, snapshot: string): Promise<void> {
  await sim.restore(snapshot)
  await sim.snapshots.delete(snapshot)
}
