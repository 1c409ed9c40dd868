import { answerOf, createControl } from '../../clients/control/controlClient.js'
import type { RunClock } from '../../clients/scenarios/play.js'
import type { ScenarioTarget } from '../../clients/scenarios/target.js'
import type { VerifyWire } from './wire.js'

interface Parts {
  wire: Pick<VerifyWire, 'latest'>
  clock: RunClock
  isSimulator: boolean
}

/**
 * Reads the clock of a server. A simulator may have let months pass, and says so itself; other servers say what time it is in the `Date`
 * of their answers. The clock of this machine counts only where neither can be read.
 */
export function serverClock(
  target: ScenarioTarget,
  { wire, clock, isSimulator }: Parts,
): () => Promise<number> {
  // By its key, a leased world answers for itself.
  const control = createControl(`${target.url}/_sim`, target.apiKey)
  const simulatorTime = () =>
    answerOf(control.GET('/clock')).then(({ unix_ms }) => unix_ms, clock.now)
  return async () => {
    if (isSimulator) return simulatorTime()
    const date = Date.parse(wire.latest()?.answer.headers.date ?? '')
    return Number.isNaN(date) ? clock.now() : date
  }
}
