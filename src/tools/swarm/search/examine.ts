import type { Schedule } from '../draw/draw.js'
import { shrink } from '../draw/shrink.js'
import { expectedUnder, judgeRun } from '../judge/judgeRun.js'
import type { Baseline } from '../judge/run.js'
import type { ClientFinding, FindingKind } from '../types.js'
import { notRunAgain, type ReportedFinding } from '../types.js'
import { type RunLimits, runOnce } from '../world/runOnce.js'
import type { Subject } from '../world/subject.js'
import { openWorld, type World } from '../world/world.js'
import { type Written, writeScenario } from './scenarioFile.js'
import type { WorldPool } from './worldPool.js'

export interface ExamineContext extends AttemptContext {
  worlds: WorldPool
  shrinkRuns: number
  out: string
  written: Written
  /** The clock of the worlds, as `--clock`. */
  clock: string
}

export interface FirstSight {
  finding: Explained
  schedule: Schedule
  /** Undefined for the run without faults, which is not shrunk. */
  seed: number | undefined
  foundAfter: number
  /** Since the beginning of the search. */
  seconds: number
}

/** How often a finding is run again. */
const confirmRuns = 3
/** Runs that hang take long, so fewer of them shrink a finding. */
const shrinkRunsOfHung = 4

/** The report of a finding that could not be examined any more: its schedule as it was drawn, with a scenario and no trace. */
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

/** Runs the schedule again, shrinks it, and writes its files. A finding that does not show again has no files. */
export async function examine(
  sighting: FirstSight,
  context: ExamineContext,
): Promise<ReportedFinding> {
  const { finding, seed, foundAfter, seconds } = sighting
  const { kind } = finding
  const shows = (schedule: Schedule) => tryAgain(kind, schedule, context)
  const rounds = Array.from({ length: confirmRuns }, () => shows(sighting.schedule))
  const repeats = (await Promise.all(rounds)).filter((each) => each !== undefined)
  const reported = {
    kind,
    seed: seed ?? 0,
    seen_with: [],
    reproduced: `${repeats.length} of ${confirmRuns}`,
    ...{ found_after: foundAfter, seen: 1, seconds },
  }
  if (repeats.length === 0) {
    const { cause, message, timeline } = finding
    const none = { scenario: '', trace: '', rules: sighting.schedule }
    return { ...reported, ...none, cause, message, timeline }
  }
  let [schedule, shown] = [sighting.schedule, repeats[0]!]
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

/** Records the trace of a run in a new world. Tries again when the finding does not show. */
async function runTraced(
  kind: ClientFinding['kind'],
  schedule: Schedule,
  trace: string,
  context: ExamineContext,
): Promise<Explained | undefined> {
  const world = await openWorld({ trace, clock: context.clock })
  try {
    for (let round = 0; round < confirmRuns; round++) {
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

export interface AttemptContext {
  subject: Subject
  baseline: Baseline
  limits: RunLimits
  /** Kinds that do not count: the user does not look for them, or the client shows them without faults too. */
  ignored: ReadonlySet<FindingKind>
  signal: AbortSignal
}

export type Explained = ClientFinding & { timeline: string | undefined }

/** Runs the client once under a schedule and judges it. Does not reset the world. */
export async function tryOnce(
  world: World,
  schedule: Schedule,
  { subject, baseline, limits, ignored, signal }: AttemptContext,
): Promise<Explained[]> {
  const run = await runOnce(world, subject, { rules: schedule, limits, signal })
  const findings = judgeRun(baseline, run, expectedUnder(schedule))
  const requests = new Set(run.exchanges.map(({ request_id }) => request_id))
  const explained = findings
    .filter(({ kind }) => !ignored.has(kind))
    .map(async (finding) => ({
      ...finding,
      timeline: await timelineOf(finding, world, requests),
    }))
  return Promise.all(explained)
}

async function timelineOf(
  { about, and, until }: ClientFinding,
  world: World,
  requests: ReadonlySet<string>,
): Promise<string | undefined> {
  const ids = [about, and].filter((id) => id !== undefined)
  const texts = await Promise.all(ids.map((id) => world.why(id, requests, until)))
  return texts.filter((text) => text !== undefined).join('\n') || undefined
}

/** Findings of one kind and cause are one. */
export function groupKey({ kind, cause }: { kind: string; cause: string }): string {
  return `${kind} ${cause}`
}

/** Keeps the finding with the shortest schedule for each kind and cause. */
export function createGroups() {
  const groups = new Map<string, ReportedFinding>()
  const add = (finding: ReportedFinding): void => {
    const key = groupKey(finding)
    const before = groups.get(key)
    if (!before) return void groups.set(key, finding)
    groups.set(key, {
      ...(lengthOf(finding) < lengthOf(before) ? finding : before),
      seen_with: [...new Set([...before.seen_with, ...finding.seen_with])],
      seen: before.seen + finding.seen,
      found_after: Math.min(before.found_after, finding.found_after),
    })
  }
  return { add, all: (): ReportedFinding[] => [...groups.values()] }
}

function lengthOf({ rules }: ReportedFinding): number {
  return JSON.stringify(rules).length
}
