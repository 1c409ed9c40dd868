import { type Candidate, candidatesOf, countingRule, type Meeting } from '../draw/candidates.js'
import type { Profile } from '../draw/profile.js'
import { usageOf } from '../draw/usage.js'
import type { ClientFinding } from '../judge/finding.js'
import { judgeRun } from '../judge/judgeRun.js'
import { startedBy } from '../judge/leftBehind.js'
import { misplaced, movedTwice } from '../judge/money.js'
import { type Baseline, baselineOf, type Run } from '../judge/run.js'
import { type Exchange, isExecute } from '../world/exchange.js'
import { actWithin, type RunLimits, runOnce } from '../world/runOnce.js'
import type { Subject } from '../world/subject.js'
import type { World } from '../world/world.js'

/** The search cannot begin. The message says why and what to do. */
class NoBaselineError extends Error {
  override name = 'NoBaselineError'
}

/** What the runs without faults have shown. */
export interface Measured {
  baseline: Baseline
  /** The command's exit code: 0. */
  exit: number
  /** How many plans it has executed. */
  executions: number
  /** What is wrong even without faults. */
  findings: readonly ClientFinding[]
  /** What can be drawn. */
  meetings: readonly Meeting[]
  /** Effects of the profile that can never fire at this client, by name. */
  unreached: readonly string[]
}

/** Without faults a client may take so long, unless `--timeout` says more. Milliseconds. */
const baselineWithinMs = 600_000

/** The limits of a run without faults. */
const withoutFaults = (timeoutMs = baselineWithinMs): RunLimits => ({
  inAllMs: timeoutMs,
  activeMs: timeoutMs,
})

/**
 * Lets the client run twice without faults: once to see what it does, and once to count at how many calls each effect could fire. Leaves
 * the world reset.
 */
export async function measure(
  world: World,
  subject: Subject,
  {
    profile,
    timeoutMs,
    signal,
  }: {
    profile: Profile
    timeoutMs?: number | undefined
    signal: AbortSignal
  },
): Promise<Measured> {
  const limits = withoutFaults(timeoutMs)
  const first = await runOnce(world, subject, { rules: [], limits, signal })
  expectGood(first)
  const candidates = candidatesOf(profile, usageOf(first.exchanges))
  await world.reset()
  const { second, meetings } = await count(candidates, { world, subject, limits, signal })
  expectGood(second)
  const baseline = baselineOf(first)
  const differs =
    movedTwice(first.outcome, second.outcome) ?? misplaced(first.outcome, second.outcome)
  if (differs)
    throw new NoBaselineError(
      `Two runs of the command differ, so its runs cannot be compared: ${differs.message} Make it repeatable, for example without random amounts.`,
    )
  await world.reset()
  const reached = new Set(meetings.map(({ effect }) => effect.name))
  return {
    baseline,
    exit: first.ending.exit,
    executions: new Set(first.exchanges.flatMap((each) => startedBy(each) ?? [])).size,
    findings: judgeRun(baseline, first, { survivable: true }),
    meetings,
    unreached: [...new Set(profile.effects.map(({ name }) => name))].filter(
      (name) => !reached.has(name),
    ),
  }
}

/** Counts by rules that never fire. */
async function count(
  candidates: readonly Candidate[],
  {
    world,
    subject,
    limits,
    signal,
  }: {
    world: World
    subject: Subject
    limits: RunLimits
    signal: AbortSignal
  },
): Promise<{ second: Run; meetings: Meeting[] }> {
  const accepted = new Map<string, Candidate>()
  const staying: Meeting[] = []
  for (const [place, candidate] of candidates.entries()) {
    const id = `count-${place}`
    // What stays cannot be counted: to be armed is to fire.
    if (candidate.effect.times === undefined) staying.push({ ...candidate, calls: 1 })
    else if (await world.add(countingRule(candidate, id))) accepted.set(id, candidate)
  }
  const ending = await actWithin(world, subject, { rules: [], limits, signal })
  const seen = await world.seen()
  const second = { rules: [], ending, ...(await world.settle()) }
  const counted = [...accepted].map(([id, candidate]) => ({
    ...candidate,
    calls: callsOf(candidate, seen.get(id) ?? 0),
  }))
  return { second, meetings: [...counted, ...staying].filter(({ calls }) => calls > 0) }
}

/** An event that is held until the next one is lost when there is none: only the first is sure to have one behind it. */
function callsOf({ effect }: Candidate, seen: number): number {
  return effect.name === 'events.reorder' ? Math.min(1, Math.max(0, seen - 1)) : seen
}

function expectGood({ ending, exchanges }: Run): void {
  const { exit, hung, output } = ending
  const wrote = output.trim() === '' ? '' : ` It wrote:\n${output.trim()}`
  if (hung)
    throw new NoBaselineError(
      `Without faults, the command did not end in time. Raise --timeout.${wrote}`,
    )
  if (exit !== 0)
    throw new NoBaselineError(
      `Without faults, the command ended with ${exit}. It must succeed before a search makes sense.${clockText(exchanges)}${wrote}`,
    )
  if (exchanges.length === 0)
    throw new NoBaselineError(
      'The command sent no request to the service at SVC_BASE_URL with the key SVC_API_KEY. Let it read both from the environment; a world that it leases by itself, or a simulator that it starts, has none of the faults.',
    )
}

/** Plans that nobody executed hint at a client for which they had expired. */
function clockText(exchanges: readonly Exchange[]): string {
  const hasPlans = exchanges.some(({ notes }) => notes.some(({ type }) => type === 'plan'))
  if (!hasPlans || exchanges.some(isExecute)) return ''
  return ' It made plans and executed none. If it compares `expires_at` with its own time, the clock may be the cause: choose another one with --clock, such as real.'
}
