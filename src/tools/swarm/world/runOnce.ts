import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FaultRuleInput } from '../../../faults/rules/faultRuleInput.js'
import { runFolder } from '../../../http/routes/control/snippets.js'
import type { Ending, Run } from '../judge/run.js'
import { answeredMs, type Exchange, isCrash, isKilledAt } from './exchange.js'
import type { Subject } from './subject.js'
import type { World } from './world.js'

/** How long a run may take, in milliseconds by the machine's clock. */
export interface RunLimits {
  /** In all; no limit when absent. */
  inAllMs?: number | undefined
  /** Besides waiting for responses. */
  activeMs: number
}

/** Runs the client, again after each crash, and ends it when it hangs. Each run has an empty folder that outlives crashes. */
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
  const watch = watchForHang(world, activeMs)
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

/** Runs the client under the rules until the world has come to rest. Does not reset the world. */
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

/** How often the search checks whether a fault has killed the client. Milliseconds. */
const crashPollMs = 20

/** A rule without `times` would kill every run of the client. */
const mostCrashes = 20

/**
 * Runs a client; `live` ends it when the signal aborts. Whenever a rule has killed it, it is run again as soon as its last request has
 * ended.
 */
export async function throughCrashes<Ended>(
  world: Pick<World, 'crashes' | 'requestsSoFar'>,
  rules: readonly { on?: string; effect?: unknown }[],
  live: (crash: AbortSignal) => Promise<Ended>,
): Promise<Ended> {
  if (!rules.some(isCrash)) return live(new AbortController().signal)
  for (let crashes = 0; ; crashes++) {
    const crash = new AbortController()
    const ended = new AbortController()
    const watching = pollUntil(async () => {
      if (crashes < mostCrashes && (await world.crashes()) > crashes) crash.abort()
      return crash.signal.aborted
    }, ended.signal)
    let ending: Ended
    try {
      ending = await live(crash.signal)
    } finally {
      ended.abort()
      await watching
    }
    if (!crash.signal.aborted) return ending
    const hasEnded = async () =>
      (await world.requestsSoFar()).every((each) => !isKilledAt(each) || each.answer)
    await pollUntil(hasEnded, AbortSignal.timeout(lastRequestMs))
  }
}

/** How long the search waits for the last request of a client that was killed. Milliseconds. */
const lastRequestMs = 30_000

async function pollUntil(isSo: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && !(await isSo().catch(() => false))) await sleep(crashPollMs)
}

/**
 * The interface lets a folio and a long poll take 30 s. A careful client may give up after twice as long, and a busy machine needs a
 * moment to note it: a client that waits longer hangs. Milliseconds.
 */
const longestResponseMs = 70_000

/** Only responses that took longer than this count as waiting. Milliseconds. */
const waitedMs = 1_000

/** How often the search checks whether the client hangs. Milliseconds. */
const hangPollMs = 1_000

/** A signal that aborts when the client hangs. `activeMs` is how long the client may run, besides waiting for responses. */
function watchForHang(world: Pick<World, 'requestsSoFar'>, activeMs: number) {
  const hung = new AbortController()
  const begun = performance.now()
  let isLooking = false
  const look = async (): Promise<void> => {
    const exchanges = await world.requestsSoFar()
    const elapsedMs = performance.now() - begun
    if (hangs(exchanges, { elapsedMs, nowMs: Date.now(), activeMs })) hung.abort()
  }
  const timer = setInterval(() => {
    if (isLooking || performance.now() - begun < activeMs) return
    isLooking = true
    // When the world has ended, the run fails by itself.
    look()
      .catch(() => {})
      .finally(() => {
        isLooking = false
      })
  }, hangPollMs).unref()
  return { signal: hung.signal, end: () => clearInterval(timer) }
}

/** Whether a client hangs: it waits for one response for too long, or has been busy for too long besides waiting. */
export function hangs(
  exchanges: readonly Exchange[],
  { elapsedMs, nowMs, activeMs }: { elapsedMs: number; nowMs: number; activeMs: number },
): boolean {
  const waits = exchanges.map((each) => Math.min(answeredMs(each), nowMs) - each.received_ms!)
  const isOpenTooLong = exchanges.some(
    (each, place) => !each.answer && waits[place]! > longestResponseMs,
  )
  const waited = waits.filter((ms) => ms > waitedMs).reduce((sum, ms) => sum + ms, 0)
  return isOpenTooLong || elapsedMs - waited > activeMs
}
