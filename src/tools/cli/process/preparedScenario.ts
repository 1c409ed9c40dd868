import pTimeout from 'p-timeout'
import type { Actor } from '../../../clients/scenarios/cast.js'
import { loadScenario } from '../../../clients/scenarios/load.js'
import { neverHit, prepareScene } from '../../../clients/scenarios/run.js'
import type { Scenario } from '../../../clients/scenarios/schema.js'
import { createWire } from '../../../clients/scenarios/target.js'
import type { Simulator } from '../../../simulator/sim.js'
import type { OptionValues } from '../options/optionTable.js'
import { say } from './output.js'

export type PreparedScenario = Awaited<ReturnType<typeof prepareScenario>>

/** A simulator that hangs gets little time, since its end waits for the report. Milliseconds. */
const reportWithinMs = 250

/** The scenario of `--scenario`, read before anything starts. Seed and clock of the command line win over its own. */
export async function scenarioOf(
  values: Pick<OptionValues, 'seed' | 'clock'> & { scenario: string },
) {
  const { vocabulary } = await import('./vocabulary.js')
  const scenario = loadScenario(values.scenario, vocabulary)
  const seed = scenario.given.seed === undefined ? undefined : BigInt(scenario.given.seed)
  return { scenario, seed: values.seed ?? seed, clock: values.clock ?? scenario.given.clock }
}

/** Prepares the scenario's world and arms its faults, for the user's own client; a reset returns to this state. Its steps are not run. */
export async function prepareScenario(
  simulator: Simulator,
  scenario: Scenario,
  controlToken: string | undefined,
) {
  const { url, apiKey } = simulator
  const wire = createWire({ url, apiKey, controlToken })
  const { cast } = await prepareScene(wire, scenario)
  await simulator.snapshots.markStart()
  const { length } = scenario.faults
  say(`scenario "${scenario.name}" is armed with ${length} fault rule${length === 1 ? '' : 's'}`)
  for (const [name, { id, wallet, key }] of cast)
    say(`  ${name}: account ${id}, wallet ${wallet}, key ${key} (for tests only)`)
  if (scenario.when.length > 0)
    say('  its steps are not run here; "svc-sim scenario run" plays them')
  return {
    scenario,
    /** For a command: `SVC_ACCOUNT_ALICE_ID`, `..._WALLET`, `..._SIGNER`, `..._KEY`. */
    variables: accountVariables(cast),
    /** Prints which of its faults were never hit; nothing when the simulator does not answer soon. */
    async report(): Promise<void> {
      const missed = await pTimeout(neverHit(wire), {
        milliseconds: reportWithinMs,
        fallback: () => undefined,
      })
      if (missed === undefined) return
      if (missed.length > 0) say(`faults that were armed and never hit: ${missed.join(', ')}`)
      else if (scenario.faults.length > 0) say('every armed fault was hit')
    },
  }
}

function accountVariables(cast: ReadonlyMap<string, Actor>): Record<string, string> {
  return Object.fromEntries(
    [...cast].flatMap(([name, { id, wallet, signer, key }]) => {
      const prefix = `SVC_ACCOUNT_${name.toUpperCase()}`
      return [
        [`${prefix}_ID`, id],
        [`${prefix}_WALLET`, wallet],
        [`${prefix}_SIGNER`, signer],
        [`${prefix}_KEY`, key],
      ]
    }),
  )
}
