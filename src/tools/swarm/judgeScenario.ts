import type { Scenario, ScenarioOutcome } from '../../clients/scenarios/schema.js'
import type { Schedule } from './draw/draw.js'
import { baselineIn } from './files/expectation.js'
import type { ClientFinding } from './judge/finding.js'
import { expectedUnder, judgeRun } from './judge/judgeRun.js'
import type { Ending } from './judge/run.js'
import { type Ready, worldOf } from './world/world.js'

/** Judges a command that has ended in the world of a scenario with an `outcome`: the findings, none when it did well. */
export async function judgeScenario(
  { faults, outcome }: Pick<Scenario, 'faults'> & { outcome: ScenarioOutcome },
  ending: Ending,
  { simulator, controlToken }: { simulator: Ready; controlToken: string | undefined },
): Promise<ClientFinding[]> {
  const world = worldOf(simulator, async () => {}, controlToken)
  const rules = faults as Schedule
  const run = { rules, ending, ...(await world.settle()) }
  return judgeRun(baselineIn(outcome), run, expectedUnder(rules))
}
