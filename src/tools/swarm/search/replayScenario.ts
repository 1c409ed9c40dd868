import { loadScenario } from '../../../clients/scenarios/load.js'
import type { Schedule } from '../draw/draw.js'
import type { Subject } from '../world/subject.js'
import { openWorld } from '../world/world.js'
import { measure } from './baseline.js'
import { tryOnce } from './examine.js'
import { createGroups } from './groups.js'
import { limitsOf, type SearchOptions, type SearchResult } from './search.js'
import { createWorldPool } from './worldPool.js'

const times = 3

/** Runs the rules of a scenario file three times. Nothing is shrunk, and nothing is written. */
export async function replayScenario(
  subject: Subject,
  file: string,
  options: SearchOptions,
): Promise<SearchResult> {
  const schedule = loadScenario(file).faults as Schedule
  const worlds = createWorldPool(() => openWorld({ clock: options.clock }))
  const begun = performance.now()
  try {
    const world = await worlds.take()
    const { baseline, exit, executions } = await measure(world, subject, options)
    const groups = createGroups()
    const { signal } = options
    const limits = limitsOf(options, baseline)
    for (let run = 1; run <= times; run++) {
      const findings = await tryOnce(world, schedule, {
        subject,
        baseline,
        limits,
        signal,
        ignored: new Set(),
      })
      for (const { kind, cause, message, timeline } of findings)
        groups.add({
          kind,
          cause,
          message,
          timeline,
          rules: schedule,
          scenario: file,
          seen_with: [],
          trace: '',
          seed: options.seed,
          found_after: run,
          seen: 1,
          seconds: 0,
          reproduced: '',
        })
      await world.reset()
    }
    return {
      baseline: { exit, executions },
      runs: times,
      single_faults: { tried: 0, of: 0 },
      not_confirmed: [],
      findings: groups.all().map((each) => ({ ...each, reproduced: `${each.seen} of ${times}` })),
      cells: await worlds.coverage(),
      unreached: [],
      tookMs: performance.now() - begun,
    }
  } finally {
    await worlds.close()
  }
}
