import type { Schedule } from '../draw/draw.js'
import { shrink } from '../draw/shrink.js'
import { type Written, writeScenario } from '../files/scenarioFile.js'
import type { ClientFinding, FindingKind } from '../judge/finding.js'
import { notRunAgain, type ReportedFinding } from '../types.js'
import { openWorld } from '../world/world.js'
import { type AttemptContext, type Explained, tryOnce } from './tryOnce.js'
import type { WorldPool } from './worldPool.js'

/** What it takes to look at findings closely. */
export interface ExamineContext extends AttemptContext {
  worlds: WorldPool
  shrinkRuns: number
  out: string
  written: Written
  /** The clock of the worlds, as `--clock`. */
  clock: string
}

/** A finding as a run has shown it. */
export interface FirstSight {
  finding: Explained
  schedule: Schedule
  /** Undefined when the schedule was not drawn: it is not shrunk. */
  seed: number | undefined
  foundAfter: number
  /** Since the beginning of the search. */
  seconds: number
}

const again = 3
/** A run that hangs takes long: its finding is shrunk by so many at most. */
const shrinkRunsOfHung = 4

/** What is reported of a finding until it has been examined: its schedule as it was drawn, with a scenario and no trace. */
export async function firstReport(
  { finding, schedule, seed, foundAfter, seconds }: FirstSight,
  context: ExamineContext,
): Promise<ReportedFinding> {
  const { kind, cause, message, timeline } = finding
  const reported = { kind, cause, rules: schedule, seed: seed ?? 0, seen_with: [] }
  return {
    ...reported,
    scenario: (await writeScenario(context.out, reported, context)).scenario,
    trace: '',
    ...{ message, timeline, reproduced: notRunAgain, found_after: foundAfter, seen: 1, seconds },
  }
}

/** Runs the schedule again, shrinks it, and writes its files. One that does not show again has none. */
export async function examine(
  sighting: FirstSight,
  context: ExamineContext,
): Promise<ReportedFinding> {
  const { finding, seed, foundAfter, seconds } = sighting
  const { kind } = finding
  const shows = (schedule: Schedule) => tryAgain(kind, schedule, context)
  const rounds = Array.from({ length: again }, () => shows(sighting.schedule))
  const shownAgain = (await Promise.all(rounds)).filter((each) => each !== undefined)
  const reported = {
    kind,
    seed: seed ?? 0,
    seen_with: [],
    reproduced: `${shownAgain.length} of ${again}`,
    ...{ found_after: foundAfter, seen: 1, seconds },
  }
  if (shownAgain.length === 0) {
    const { cause, message, timeline } = finding
    const none = { scenario: '', trace: '', rules: sighting.schedule }
    return { ...reported, ...none, cause, message, timeline }
  }
  let [schedule, shown] = [sighting.schedule, shownAgain[0]!]
  if (seed !== undefined) {
    const maxRuns =
      kind === 'hung' ? Math.min(context.shrinkRuns, shrinkRunsOfHung) : context.shrinkRuns
    const smaller = await shrink(schedule, { maxRuns, shows })
    schedule = smaller.schedule
    shown = smaller.shown ?? shown
  }
  const { cause } = shown
  const files = await writeScenario(context.out, { ...reported, cause, rules: schedule }, context)
  const traced = await runTraced(kind, schedule, files.trace, context)
  const { message, timeline } = traced ?? shown
  const { scenario, trace } = files
  return { ...reported, cause, rules: schedule, scenario, trace, message, timeline }
}

async function tryAgain(
  kind: FindingKind,
  schedule: Schedule,
  context: ExamineContext,
): Promise<Explained | undefined> {
  const world = await context.worlds.take()
  try {
    const findings = await tryOnce(world, schedule, { ...context, ignored: new Set() })
    return findings.find((each) => each.kind === kind)
  } finally {
    await context.worlds.release(world)
  }
}

/** A run in a world that begins with it, and leaves a trace. Tries again when the finding does not show. */
async function runTraced(
  kind: ClientFinding['kind'],
  schedule: Schedule,
  trace: string,
  context: ExamineContext,
): Promise<Explained | undefined> {
  const world = await openWorld({ trace, clock: context.clock })
  try {
    for (let round = 0; round < again; round++) {
      if (round > 0) await world.reset()
      const findings = await tryOnce(world, schedule, { ...context, ignored: new Set() })
      const same = findings.find((each) => each.kind === kind)
      if (same) return same
    }
    return undefined
  } finally {
    await world.close()
  }
}
