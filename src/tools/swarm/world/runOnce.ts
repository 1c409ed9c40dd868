import type { FaultRuleInput } from '../../../faults/rules/faultRuleInput.js'
import type { Ending, Run } from '../judge/run.js'
import type { Subject } from './subject.js'
import { watchFor } from './watch.js'
import type { World } from './world.js'

/** How long a run may take. Milliseconds of the machine. */
export interface RunLimits {
  /** In all; not limited when absent. */
  inAllMs?: number | undefined
  /** Besides waiting for responses. */
  activeMs: number
}

/** Lets the client act, and ends it when it hangs. */
export async function actWithin(
  world: World,
  subject: Subject,
  { limits, signal }: { limits: RunLimits; signal: AbortSignal },
): Promise<Ending> {
  const { inAllMs, activeMs } = limits
  const watch = watchFor(world, activeMs)
  const late = new AbortController()
  const timer = inAllMs === undefined ? undefined : setTimeout(() => late.abort(), inAllMs)
  try {
    const ending = await subject.act(world, AbortSignal.any([watch.signal, late.signal]), signal)
    signal.throwIfAborted()
    return ending
  } finally {
    clearTimeout(timer)
    watch.end()
  }
}

/** Arms the rules, lets the client act, and watches until everything has come to rest. The world is not reset. */
export async function runOnce(
  world: World,
  subject: Subject,
  { rules, ...how }: { rules: readonly FaultRuleInput[]; limits: RunLimits; signal: AbortSignal },
): Promise<Run> {
  if (rules.length > 0) await world.arm(rules)
  const ending = await actWithin(world, subject, how)
  return { rules, ending, ...(await world.settle()) }
}
