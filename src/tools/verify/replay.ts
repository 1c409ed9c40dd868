import { randomBytes } from 'node:crypto'
import { type Named, placesOf, type Result } from '../../clients/scenarios/run.js'
import { createWire, type ScenarioTarget } from '../../clients/scenarios/target.js'
import type { Funder } from './funding.js'
import { createPlayer } from './player.js'
import { realRunClock } from './run.js'
import { createVerifyWire } from './wire.js'

/** Whether something other than a simulator answers at this address: only simulators name their requests. */
export async function isForeign(target: ScenarioTarget): Promise<boolean> {
  const { cut, headers } = await createWire(target).send({ method: 'GET', path: '/networks' })
  return !cut && !('x-svc-sim-request-id' in headers)
}

/** Plays a scenario with the service API alone, with new accounts. */
export async function playForeign(
  target: ScenarioTarget,
  { file, scenario }: Named,
  funder: Funder | undefined,
): Promise<Result> {
  const clock = realRunClock
  const wire = createVerifyWire(target, clock)
  const run = randomBytes(6).toString('hex')
  const serverNow = async () => clock.now()
  const player = createPlayer({ wire, clock, serverNow, apiKey: target.apiKey, run, funder })
  const { name, given, faults, when, then } = scenario
  const begun = clock.now()
  const places = placesOf(scenario).values()
  let where = places.next().value!
  let failure: Result['failure']
  try {
    if (faults.length > 0 || given.positions.length > 0 || given.prices)
      throw new Error('only a simulator can play faults, positions and prices')
    const steps = [...when, ...then.map((check) => ({ check }))]
    await player.play({ given, when: steps }, () => {
      where = places.next().value!
    })
  } catch (error) {
    failure = { where, message: (error as Error).message }
  }
  const durationMs = clock.now() - begun
  const { exchanges } = wire
  return { name, file, seed: 'of the server', durationMs, isPrepared: false, failure, exchanges }
}
