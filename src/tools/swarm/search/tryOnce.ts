import type { Schedule } from '../draw/draw.js'
import type { ClientFinding, FindingKind } from '../judge/finding.js'
import { expectedUnder, judgeRun } from '../judge/judgeRun.js'
import type { Baseline } from '../judge/run.js'
import { type RunLimits, runOnce } from '../world/runOnce.js'
import type { Subject } from '../world/subject.js'
import type { World } from '../world/world.js'

/** What all attempts have in common. */
export interface AttemptContext {
  subject: Subject
  baseline: Baseline
  limits: RunLimits
  /** Kinds that do not count: not looked for, or shown by the client without faults too. */
  ignored: ReadonlySet<FindingKind>
  signal: AbortSignal
}

/** A finding with the timeline of what it is about. */
export type Explained = ClientFinding & { timeline: string | undefined }

/** Runs the client once under a schedule and judges it. The world is not reset. */
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

/** What is known of everything that a finding is about; undefined when that is nothing. */
async function timelineOf(
  { about, and, until }: ClientFinding,
  world: World,
  requests: ReadonlySet<string>,
): Promise<string | undefined> {
  const ids = [about, and].filter((id) => id !== undefined)
  const told = await Promise.all(ids.map((id) => world.why(id, requests, until)))
  return told.filter((text) => text !== undefined).join('\n') || undefined
}
