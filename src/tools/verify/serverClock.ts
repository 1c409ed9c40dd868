import { createWire, type ScenarioTarget } from '../../clients/scenarios/target.js'
import type { Caller } from './caller.js'
import type { RunClock } from './clock.js'

/**
 * Reads the clock of a server. A simulator may have let months pass, and says so itself; other servers say what time it is in the `Date`
 * of their answers. The clock of this machine counts only where neither can be read.
 */
export function serverClock(
  target: ScenarioTarget,
  { caller, clock, isSimulator }: { caller: Caller; clock: RunClock; isSimulator: boolean },
): () => Promise<number> {
  // By its key, a leased world answers for itself.
  const wire = createWire({ ...target, controlToken: target.apiKey })
  return async () => {
    if (isSimulator) return (await simulatorTime(wire)) ?? clock.now()
    const date = Date.parse(caller.latest()?.answer.headers.date ?? '')
    return Number.isNaN(date) ? clock.now() : date
  }
}

async function simulatorTime(wire: ReturnType<typeof createWire>): Promise<number | undefined> {
  const { status, body } = await wire.ask('GET', '/_sim/clock')
  const ms = (body as { unix_ms?: unknown } | null)?.unix_ms
  return status === 200 && typeof ms === 'number' ? ms : undefined
}
