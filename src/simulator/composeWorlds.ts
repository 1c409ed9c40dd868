import { availableParallelism } from 'node:os'
import type { ScenarioTarget } from '../clients/scenarios/target.js'
import type { HttpLog, LogEvent, RequestLine } from '../http/core/log.js'
import type { WorldLeases } from '../http/core/types.js'
import type { HttpHandler } from '../http/server/listen.js'
import { createRelay } from '../http/worlds/relay.js'
import { withWorlds } from '../http/worlds/worldRouter.js'
import { ServiceError } from '../lib/errors.js'
import { packageFile } from '../lib/files/packageFile.js'
import { keepNewest } from '../lib/keepNewest.js'
import { type ClockStart, parseClock } from '../time/clock.js'
import {
  defaultWorld,
  defaultWorldId,
  drawWorldId,
  type EndedWorld,
  isFailed,
  type LeasedWorld,
  NoWorldError,
  type TestVerdict,
  type WorldWishes,
  withFailed,
  withFlaky,
  withPassed,
} from '../worlds/lease.js'
import { Worlds } from '../worlds/pool.js'
import { defaultMaxWorlds } from './options/options.js'
import type { WorldSettings } from './worldHost.js'

/** The most ended leases that are kept. */
const maxEnded = 1_000

/** The most failed worlds that are listed after their leases, and the most verdicts of each. */
const maxListed = 50
const maxVerdicts = 5

/** The report of a failed test does not wait longer for them. Milliseconds. */
const verdictWithinMs = 2_000

const workerFile = packageFile('dist/worker.js')

interface WorldCountOptions {
  worlds?: number
  maxWorlds?: number
}

interface WorldContextParts {
  settings: Omit<WorldSettings, 'logsRequests'>
  log: HttpLog
  /** The clock of a lease that names none; the machine's when absent. */
  clock?: ClockStart
}

/** A log entry from a world's process. */
type WorldLine = { request: RequestLine } | { event: LogEvent }

function pass(log: HttpLog, world: string, line: WorldLine): void {
  if ('request' in line) log.request?.({ ...line.request, world })
  else log.happened?.({ ...line.event, world })
}

/** Makes the pool of worlds. Starts nothing. */
export function composeWorlds(
  { worlds: keepWarm = 0, maxWorlds = defaultMaxWorlds }: WorldCountOptions,
  { settings, log, clock }: WorldContextParts,
) {
  const own: WorldSettings = { ...settings, logsRequests: log.request !== undefined }
  const pool = new Worlds({
    file: workerFile,
    settings: own,
    workers: availableParallelism(),
    keepWarm,
    maxWorlds,
    ...(clock && { clock }),
    onError: (id, message, cause) => log.error(`world ${id}: ${message}`, cause),
    onRequest: (id, line) => pass(log, id, line as WorldLine),
  })
  const relay = createRelay()
  const first: DefaultWorld = {}
  return {
    leases: createLeases(pool, settings, first),
    /** Says how a test that failed in the default world leaves a trace of its own. */
    traceDefault(leave: DefaultWorld['leaveTrace']): void {
      first.leaveTrace = leave
    },
    /** Routes requests for leased worlds to their processes, and all others to this handler. */
    wrap: (handler: HttpHandler) => withWorlds(handler, pool, relay),
    /** Starts the warm worlds. */
    warmUp: () => pool.warmUp(),
    /** Stops leasing; resolves when the last lease has ended, or the signal is aborted. */
    drain: (signal: AbortSignal) => pool.drain(signal),
    /** Ends all worlds within five seconds. */
    async end(): Promise<void> {
      await pool.end()
      relay.close()
    },
  }
}

/** The address of the simulator, over which scenarios are prepared in its worlds. */
export interface OwnPlace {
  url: string
}

interface Own extends OwnPlace {
  /** Where worlds write their traces; none if absent. */
  traceFolder?: string
  /** Absolute path. */
  traceFile?: string
}

interface DefaultWorld {
  leaveTrace?: ((as: string, since: number) => Promise<void>) | undefined
}

/** The worlds whose leases have ended. */
function recordEnded(worlds: Worlds) {
  /** The last of them, and the tests that have entries of their own, oldest first: a trace names them. */
  const ended = new Map<string, LeasedWorld>()
  const failed = new Set<string>()
  /** The last ones that failed or were lost, oldest first. */
  const listed = new Map<string, Omit<EndedWorld, 'verdicts'>>()
  /** Of worlds with failed tests, while they are leased or listed. */
  const verdicts = new Map<string, readonly TestVerdict[]>()
  const add = (world: LeasedWorld): void => {
    ended.set(world.id, world)
    keepNewest(ended, maxEnded)
  }
  worlds.onChange(({ change, world }) => {
    if (change !== 'ended') return
    add(world)
    if (isFailed(world)) failed.add(world.id)
    if (isFailed(world) || world.lost !== undefined)
      listed.set(world.id, { world, endedMs: Date.now() })
    keepNewest(listed, maxListed)
    for (const id of verdicts.keys()) if (!worlds.ofId(id) && !listed.has(id)) verdicts.delete(id)
  })
  return {
    add,
    ofId: (id: string) => ended.get(id),
    /** A test that failed there has passed when retried; undefined when there is no such world. */
    passed(id: string, test: string): LeasedWorld | undefined {
      for (const [as, each] of ended)
        if (as === id || each.testOf === id) ended.set(as, withFlaky(each, test))
      const world = ended.get(id)
      const row = listed.get(id)
      if (world && !isFailed(world)) failed.delete(id)
      if (world && row) {
        if (isFailed(world) || world.lost !== undefined) listed.set(id, { ...row, world })
        else listed.delete(id)
      }
      return world
    },
    /** Told again by a later report, they are those of the earlier one. */
    addVerdicts(id: string, told: readonly TestVerdict[]): void {
      const before = verdicts.get(id) ?? []
      const more = told.filter((each) => !before.some((known) => known.id === each.id))
      verdicts.set(id, [...before, ...more].slice(-maxVerdicts))
    },
    failed: () => failed.size,
    list: () =>
      [...listed.values()]
        .map((each) => {
          const { id, failedTests } = each.world
          const known = verdicts.get(id) ?? []
          return { ...each, verdicts: known.filter(({ test }) => failedTests.includes(test)) }
        })
        .reverse(),
  }
}

/** The tests that are reported as failed or passed, and the worlds that have ended with them. */
function createReports(
  worlds: Worlds,
  own: Own,
  place: DefaultWorld,
): Pick<WorldLeases, 'markFailed' | 'ofDefault' | 'ended' | 'known'> {
  const ended = recordEnded(worlds)
  /** The default world is not leased. Tests that share it are reported all the same. */
  let first = defaultWorld(Date.now())
  const markIn = (id: string, marked: (world: LeasedWorld) => LeasedWorld) => {
    if (id !== defaultWorldId) return worlds.mark(id, marked)
    first = marked(first)
    return first
  }
  const mark = (
    id: string,
    change: 'failed' | 'passed',
    reason: string,
    marked: (world: LeasedWorld) => LeasedWorld,
  ): LeasedWorld | undefined => {
    const world = markIn(id, marked)
    if (world) worlds.publish({ change, world, reason })
    return world
  }
  /** The world of the first try may have been released. */
  const markPassed = (id: string, test: string): LeasedWorld | undefined => {
    const over = ended.passed(id, test)
    if (over) worlds.publish({ change: 'passed', world: over, reason: test })
    return over ?? mark(id, 'passed', test, (world) => withFlaky(world, test))
  }
  return {
    async markFailed(id, { test, error, since, passed, passed_on_retry }) {
      if (passed) return markIn(id, (world) => withPassed(world, test))
      if (passed_on_retry) return markPassed(id, test)
      // Asked before the world is restored, as its holder may do after the response.
      const { failed = [], refusals = [] } = (await worlds.failures(id)).get(id) ?? {}
      const isOwn = ({ order }: { order: number }) => order > (since ?? -1)
      const activities = failed.filter(isOwn).map((each) => each.id)
      const how = { failure: error, activities }
      const world = mark(id, 'failed', test, (before) => withFailed(before, test, how))
      if (world && id !== defaultWorldId) {
        const told = await verdictsOf([...failed, ...refusals].filter(isOwn), world, own)
        ended.addVerdicts(
          id,
          told.map((each) => ({ test, ...each })),
        )
      }
      if (!world || since === undefined || own.traceFolder === undefined) return world
      // A world has room for so many.
      if (!world.failedTests.includes(test)) return world
      // Its holder may restore it now, or go on in it, so the test gets an entry of its own in the trace.
      const as = drawWorldId()
      const failures = error === undefined ? {} : { [test]: error }
      const entry = { id: as, testOf: id, name: test, failedTests: [test], flakyTests: [] }
      ended.add({ ...world, ...entry, passedTests: [], failures })
      // The failure is known even if the world is lost meanwhile.
      const left = id === defaultWorldId ? place.leaveTrace : worlds.leaveTrace.bind(worlds, id)
      await left?.(as, since).catch(() => {})
      return world
    },
    ofDefault: () => first,
    ended: () => ({ failed: ended.failed(), worlds: ended.list(), trace: own.traceFile }),
    known: (id) => worlds.ofId(id) ?? ended.ofId(id),
  }
}

/** What a world says of its newest failures. It may be restored, or gone, as soon as its holder has the response. */
async function verdictsOf(
  failures: readonly { id: string; order: number }[],
  { id: world, apiKey }: LeasedWorld,
  { url }: OwnPlace,
): Promise<Omit<TestVerdict, 'test'>[]> {
  const newest = failures.toSorted((one, other) => one.order - other.order).slice(-maxVerdicts)
  const told = newest.map(async ({ id, order }) => {
    const response = await fetch(`${url}/_sim/worlds/${world}/why/${id}?cursor=${order}`, {
      headers: { authorization: `Bearer ${apiKey}` },
      signal: AbortSignal.timeout(verdictWithinMs),
    })
    const { now } = (await response.json()) as { now?: string }
    return now === undefined ? [] : [{ id, now }]
  })
  return (await Promise.allSettled(told)).flatMap((each) =>
    each.status === 'fulfilled' ? each.value : [],
  )
}

/** Leases worlds, and prepares a scenario in a world over HTTP at `own`, with the world's key. */
function createLeases(worlds: Worlds, own: Own, place: DefaultWorld): WorldLeases {
  return {
    ...createReports(worlds, own, place),
    ofId: (id) => worlds.ofId(id),
    ofKey: (apiKey) => worlds.ofKey(apiKey),
    all: () => worlds.all(),
    renew: (id) => worlds.renew(id),
    release: (id) => worlds.release(id),
    counts: () => worlds.counts(),
    answers: () => worlds.answers(),
    failures: () => worlds.failures(),
    onChange: (listener) => worlds.onChange(listener),
    reach: (apiKey) => reach(own, apiKey),
    async lease({ wishes, scenario, ...request }) {
      const preparation = scenario === undefined ? undefined : await preparationOf(scenario)
      const { seed = preparation?.given.seed?.toString(), clock = preparation?.given.clock } =
        wishes
      const { fork, bundle } = wishes
      const wanted: WorldWishes = {
        ...(seed === undefined ? {} : { seed }),
        ...(clock === undefined ? {} : { clock: parseClock(clock) }),
        ...(fork === undefined || Object.keys(fork).length === 0 ? {} : { fork }),
        ...(bundle === undefined ? {} : { bundle }),
      }
      let accounts = {}
      const prepare = async ({ id, apiKey }: LeasedWorld): Promise<void> => {
        accounts = await preparation!.prepare(own, apiKey)
        await worlds.markStart(id)
      }
      const world = await worlds
        .lease({ ...request, wishes: wanted, ...(preparation && { prepare }) })
        .catch((error: unknown) => explain(error, wanted))
      return { world, accounts }
    },
  }
}

const reach = (own: OwnPlace, apiKey: string): ScenarioTarget => ({
  ...own,
  apiKey,
  controlToken: apiKey,
})

/** Parses the scenario; `prepare` arms it in a world. */
async function preparationOf(given: string | Record<string, unknown>) {
  const [{ parseScenario }, { prepareScene }, { createWire }] = await Promise.all([
    import('../clients/scenarios/load.js'),
    import('../clients/scenarios/run.js'),
    import('../clients/scenarios/target.js'),
  ])
  const text = typeof given === 'string' ? given : JSON.stringify(given)
  const scenario = refusing(() => parseScenario(text, 'scenario'))
  return {
    given: scenario.given,
    async prepare(own: OwnPlace, apiKey: string) {
      try {
        const { cast } = await prepareScene(createWire(reach(own, apiKey)), scenario)
        return Object.fromEntries(cast)
      } catch (error) {
        throw new ServiceError(
          'invalid_params',
          `scenario cannot be armed: ${(error as Error).message}`,
          { cause: error },
        )
      }
    },
  }
}

function refusing<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new ServiceError('invalid_params', (error as Error).message, { cause: error })
  }
}

/** Names the wish of the client that a world could not meet; without such a wish, the error stays internal. */
function explain(error: unknown, { clock, fork, bundle }: WorldWishes): never {
  if (error instanceof NoWorldError || error instanceof ServiceError) throw error
  const field = bundle ? 'bundle' : fork ? 'fork' : clock ? 'clock' : undefined
  if (field === undefined) throw error
  throw new ServiceError('invalid_params', `${field}: ${(error as Error).message}`, {
    cause: error,
  })
}
