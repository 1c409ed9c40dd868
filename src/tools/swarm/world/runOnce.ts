import type { FaultRuleInput } from '../../../faults/rules/faultRuleInput.js'
import type { Run } from '../judge/run.js'
import type { Subject } from './subject.js'
import type { World } from './world.js'

/** Arms the rules, lets the client act, and watches until everything has come to rest. The world is not reset. */
export async function runOnce(
  world: World,
  subject: Subject,
  {
    rules,
    timeoutMs,
    signal,
  }: {
    rules: readonly FaultRuleInput[]
    timeoutMs: number
    signal: AbortSignal
  },
): Promise<Run> {
  if (rules.length > 0) await world.arm(rules)
  const ending = await subject.act(world, timeoutMs, signal)
  signal.throwIfAborted()
  return { rules, ending, ...(await world.settle()) }
}
