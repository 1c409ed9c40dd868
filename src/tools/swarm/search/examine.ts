import type { Arbitrary } from 'fast-check'
import type { Schedule } from '../draw/draw.js'
import { shrink } from '../draw/shrink.js'
import { writeScenario } from '../files/scenarioFile.js'
import type { ClientFinding, FindingKind } from '../judge/finding.js'
import { notRunAgain, type ReportedFinding } from '../types.js'
import { openWorld } from '../world/world.js'
import { type AttemptContext, type Explained, tryOnce } from './tryOnce.js'
import type { WorldPool } from './worldPool.js'

/** What it takes to look at findings closely. */
export interface ExamineContext extends AttemptContext {
  worlds: WorldPool
  arbitrary: Arbitrary<Schedule>
  shrinkRuns: number
  out: string
  /** Names of the files that this search has written, with the findings that have them. */
  written: Map<string, string>
}

/** A finding as a run has shown it. */
export interface FirstSight {
  finding: Explained
  schedule: Schedule
  /** Undefined when the schedule was not drawn: it is not shrunk. */
  seed: number | undefined
  foundAfter: number
}

const again = 3

/** What is reported of a finding until it has been examined: its schedule as it was drawn, with a scenario and no trace. */
export async function firstReport(
  { finding, schedule, seed, foundAfter }: FirstSight,
  context: ExamineContext,
): Promise<ReportedFinding> {
  const { kind, cause, message, timeline } = finding
  const reported = { kind, cause, rules: schedule, seed: seed ?? 0, seen_with: [] }
  return {
    ...reported,
    scenario: (await writeScenario(context.out, reported, context)).scenario,
    trace: '',
    ...{ message, timeline, reproduced: notRunAgain, found_after: foundAfter, seen: 1 },
  }
}

/** Runs the schedule again, shrinks it, and writes its files. */
export async function examine(
  sighting: FirstSight,
  context: ExamineContext,
): Promise<ReportedFinding> {
  const { finding, seed, foundAfter } = sighting
  const { kind } = finding
  let shown = finding
  const fails = async (schedule: Schedule): Promise<boolean> => {
    const found = await tryAgain(kind, schedule, context)
    shown = found ?? shown
    return found !== undefined
  }
  let times = 0
  for (let round = 0; round < again; round++) if (await fails(sighting.schedule)) times++
  let { schedule } = sighting
  if (times > 0 && seed !== undefined) {
    const { arbitrary, shrinkRuns: maxRuns } = context
    schedule = (await shrink(arbitrary, { seed, maxRuns, fails })).schedule
  }
  const reported = { kind, cause: shown.cause, rules: schedule, seed: seed ?? 0, seen_with: [] }
  const files = await writeScenario(context.out, reported, context)
  const traced = await runTraced(kind, schedule, files.trace, context)
  const { message, timeline } = traced ?? shown
  return {
    ...reported,
    ...files,
    message,
    timeline,
    reproduced: `${times} of ${again}`,
    found_after: foundAfter,
    seen: 1,
  }
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
  const world = await openWorld({ trace })
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
