// Compiled without `skipLibCheck`, without @types/node, and with no library but that of the language and the web.
import { createSimulator, leaseWorld, type SimulatorHandle, type WorldHandle } from 'svc-sim'
import { createSvcClient, type SvcClient } from 'svc-sim/client'

export async function seedOf(): Promise<bigint> {
  const sim: SimulatorHandle = await createSimulator({ clock: 'frozen' })
  await sim[Symbol.asyncDispose]()
  return sim.seed
}
export const lease = async (): Promise<WorldHandle> => leaseWorld()
export const clientOf = ({ url, apiKey }: SimulatorHandle): SvcClient =>
  createSvcClient({ baseUrl: url, apiKey })
