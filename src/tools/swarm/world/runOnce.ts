import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FaultRuleInput } from '../../../faults/rules/faultRuleInput.js'
import { runFolder } from '../../../http/routes/control/snippets.js'
import type { Ending, Run } from '../judge/run.js'
import type { Subject } from './subject.js'
import { throughCrashes } from './throughCrashes.js'
import { watchFor } from './watch.js'
import type { World } from './world.js'

/** How long a run may take. Milliseconds of the machine. */
export interface RunLimits {
  /** In all; not limited when absent. */
  inAllMs?: number | undefined
  /** Besides waiting for responses. */
  activeMs: number
}

/** Lets the client act, again after each crash, and ends it when it hangs. Each run has an empty folder, which is there again after a crash. */
export async function actWithin(
  world: World,
  subject: Subject,
  {
    rules,
    limits,
    signal,
  }: { rules: readonly FaultRuleInput[]; limits: RunLimits; signal: AbortSignal },
): Promise<Ending> {
  const { inAllMs, activeMs } = limits
  const watch = watchFor(world, activeMs)
  const late = new AbortController()
  const timer = inAllMs === undefined ? undefined : setTimeout(() => late.abort(), inAllMs)
  const folder = await mkdtemp(join(tmpdir(), 'svc-sim-run-'))
  const begun = performance.now()
  try {
    const hung = AbortSignal.any([watch.signal, late.signal])
    const own = { ...world, variables: { ...world.variables, [runFolder]: folder } }
    const ending = await throughCrashes(world, rules, (crash) =>
      subject.act(own, AbortSignal.any([hung, signal, crash])),
    )
    signal.throwIfAborted()
    return { ...ending, hung: hung.aborted, tookMs: performance.now() - begun }
  } finally {
    clearTimeout(timer)
    watch.end()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Arms the rules, lets the client act, and watches until everything has come to rest. The world is not reset. */
export async function runOnce(
  world: World,
  subject: Subject,
  how: { rules: readonly FaultRuleInput[]; limits: RunLimits; signal: AbortSignal },
): Promise<Run> {
  const { rules } = how
  if (rules.length > 0) await world.arm(rules)
  const ending = await actWithin(world, subject, how)
  return { rules, ending, ...(await world.settle()) }
}
