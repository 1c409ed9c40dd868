import { createSimulator, type SimulatorHandle } from '../index.js'

/** How the simulators of tests start. */
export interface SimulatorSettings {
  /** Makes ids repeatable; drawn when absent. */
  seed?: bigint
  /** `real`, `frozen` or `frozen@ISO-TIME`; `real` when absent. */
  clock?: string
}

/** What a test has of its simulator. */
export type SimulatorOfTest = Pick<
  SimulatorHandle,
  'url' | 'apiKey' | 'controlUrl' | 'rpc' | 'fund' | 'snapshot' | 'restore' | 'reset' | 'close'
> &
  Pick<SimulatorHandle, 'clock' | 'faults'>

/** A simulator of its own, in this process. */
export function openSimulator(settings: SimulatorSettings): Promise<SimulatorOfTest> {
  return createSimulator(settings)
}

/** Restores a snapshot, and drops it: a simulator has room for a hundred. */
export async function restoreAndDrop(sim: SimulatorOfTest, snapshot: string): Promise<void> {
  await sim.restore(snapshot)
  const response = await fetch(`${sim.controlUrl}/snapshots/${snapshot}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${sim.apiKey}` },
  })
  if (!response.ok)
    throw new Error(`snapshot ${snapshot} was not deleted: ${await response.text()}`)
}
