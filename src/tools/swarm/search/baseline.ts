import {
  type Candidate,
  candidatesOf,
  countingRule,
  type ReachableEffect,
  usageOf,
} from '../draw/candidates.js'
import type { Profile } from '../draw/profiles.js'
import { startedBy } from '../judge/executions.js'
import { baselineOf, judgeRun } from '../judge/judgeRun.js'
import { misplaced, movedTwice } from '../judge/money.js'
import type { Baseline, Run } from '../judge/run.js'
import type { ClientFinding } from '../types.js'
import { type Exchange, isExecute } from '../world/exchange.js'
import { actWithin, type RunLimits, runOnce } from '../world/runOnce.js'
import type { Subject } from '../world/subject.js'
import type { World } from '../world/world.js'

/** The search cannot begin. The message says why and what to do. */
class NoBaselineError extends Error {
  override name = 'NoBaselineError'
}

export interface Measured {
  baseline: Baseline
  exit: number
  /** How many plans the client has executed. */
  executions: number
  /** Of a run without faults. */
  findings: readonly ClientFinding[]
  reachable: readonly ReachableEffect[]
  /** Names of the effects of the profile that can never fire at this client. */
  unreached: readonly string[]
}

/** How long a client may take without faults, unless `--timeout` says otherwise. Milliseconds. */
const baselineWithinMs = 600_000

const withoutFaults = (timeoutMs = baselineWithinMs): RunLimits => ({
  inAllMs: timeoutMs,
  activeMs: timeoutMs,
})

/**
 * Runs the client twice without faults: once to see what it does, and once to count at how many calls each effect could fire. Leaves the
 * world reset.
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
  const { second, reachable } = await count(candidates, { world, subject, limits, signal })
  expectGood(second)
  const baseline = baselineOf(first)
  const differs =
    movedTwice(first.outcome, second.outcome) ?? misplaced(first.outcome, second.outcome)
  if (differs)
    throw new NoBaselineError(
      `Two runs of the command differ, so its runs cannot be compared: ${differs.message} Make it repeatable, for example without random amounts.`,
    )
  await world.reset()
  const reached = new Set(reachable.map(({ effect }) => effect.name))
  return {
    baseline,
    exit: first.ending.exit,
    executions: new Set(first.exchanges.flatMap((each) => startedBy(each) ?? [])).size,
    findings: judgeRun(baseline, first, { survivable: true }),
    reachable,
    unreached: [...new Set(profile.effects.map(({ name }) => name))].filter(
      (name) => !reached.has(name),
    ),
  }
}

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
): Promise<{ second: Run; reachable: ReachableEffect[] }> {
  const accepted = new Map<string, Candidate>()
  const lasting: ReachableEffect[] = []
  for (const [place, candidate] of candidates.entries()) {
    const id = `count-${place}`
    // A fault that lasts cannot be counted: it fires when it is armed.
    if (candidate.effect.times === undefined) lasting.push({ ...candidate, calls: 1 })
    else if (await world.add(countingRule(candidate, id))) accepted.set(id, candidate)
  }
  const ending = await actWithin(world, subject, { rules: [], limits, signal })
  const calls = await world.matchingCalls()
  const second = { rules: [], ending, ...(await world.settle()) }
  const counted = [...accepted].map(([id, candidate]) => ({
    ...candidate,
    calls: callsOf(candidate, calls.get(id) ?? 0),
  }))
  return { second, reachable: [...counted, ...lasting].filter(({ calls }) => calls > 0) }
}

/** A held event is lost when no other follows it. Only the first event is sure to be followed by another. */
function callsOf({ effect }: Candidate, calls: number): number {
  return effect.name === 'events.reorder' ? Math.min(1, Math.max(0, calls - 1)) : calls
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

/** A client that executes none of its plans may take them for expired. */
function clockText(exchanges: readonly Exchange[]): string {
  const hasPlans = exchanges.some(({ notes }) => notes.some(({ type }) => type === 'plan'))
  if (!hasPlans || exchanges.some(isExecute)) return ''
  return ' It made plans and executed none. If it compares `expires_at` with its own time, the clock may be the cause: choose another one with --clock, such as real.'
}
