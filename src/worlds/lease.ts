import { randomBytes } from 'node:crypto'
import type { ClockStart } from '../time/clock.js'
import type { WorkerOptions, WorldBeginning, WorldFailures } from './workers.js'

/** No world can be leased now. */
export class NoWorldError extends Error {
  override name = 'NoWorldError'
  /** `no_room`: another simulator may have a world at once. */
  readonly code: 'rate_limited' | 'no_room'
  constructor(message: string, code: NoWorldError['code'] = 'rate_limited') {
    super(message)
    this.code = code
  }
}

/** The id under which tests that share the default world are reported. */
export const defaultWorldId = 'default'

export interface LeasedWorld {
  id: string
  apiKey: string
  /** Path of the socket that it listens on. */
  socket: string
  /** What its holder calls it. */
  name?: string
  /** When it was leased, in milliseconds since the Unix epoch, by the machine's clock; undefined in a trace without its lease. */
  leasedMs: number | undefined
  leaseSeconds: number
  /** When the lease expires unless it is renewed: milliseconds since the Unix epoch, by the machine's clock. */
  leaseUntilMs: number
  /** Why the world is lost. Its key and id stay until the lease ends, so that responses can name the reason. */
  lost?: string
  /** The tests that failed in it, as its holder has reported them. */
  failedTests: readonly string[]
  /** Those that failed first, and passed when they were retried. */
  flakyTests: readonly string[]
  /** Those that passed, of which no try failed in it. */
  passedTests: readonly string[]
  /** The error of the test that failed last. */
  failure?: string
  /** The last error of each test that failed, by its name, where it was reported. */
  failures?: Readonly<Record<string, string>>
  /** The activities that tries of a test left failed, by the name of the test. */
  failedActivities?: Readonly<Record<string, readonly string[]>>
  /** Of the entry of a test in a trace: the world in which the test ran. */
  testOf?: string
}

/** A failed world after its lease, as its reports left it. The world itself is gone. */
export interface EndedWorld {
  world: LeasedWorld
  /** Milliseconds since the Unix epoch, by the machine's clock. */
  endedMs: number
  verdicts: readonly TestVerdict[]
}

/** What became of an activity that a failed test left failed, or of a request that it had refused, when the test was reported. */
export interface TestVerdict {
  test: string
  id: string
  now: string
}

/** The default world, which has no lease, before a test is reported there. */
export const defaultWorld = (leaseUntilMs: number): LeasedWorld => ({
  ...{ id: defaultWorldId, apiKey: '', socket: '', leasedMs: undefined },
  ...{ leaseSeconds: 0, leaseUntilMs, failedTests: [], flakyTests: [], passedTests: [] },
})

/** What the caller wants a world to begin with; absent fields take the default. */
export type WorldWishes = Pick<WorldBeginning, 'seed' | 'clock' | 'fork' | 'bundle'>

export interface LeaseRequest {
  wishes: WorldWishes
  leaseSeconds: number
  name?: string | undefined
  /** Whether it fails at once when there is no room for another world, instead of waiting for the next that is released. */
  isImmediate?: boolean
  /** Prepares the world before the lease is announced. When it rejects, the world is released again and the request fails. */
  prepare?: (world: LeasedWorld) => Promise<void>
  /** Aborted when the caller has disconnected. */
  signal?: AbortSignal
}

export interface WorldChange {
  /** `ended`: the lease was released, or has expired. `failed`: a test in it has failed. `passed`: one that had failed has passed when retried. */
  change: 'leased' | 'renewed' | 'ended' | 'lost' | 'failed' | 'passed'
  world: LeasedWorld
  /** Why it is lost, or the test that failed or passed. */
  reason?: string
}

export interface PoolOptions extends WorkerOptions {
  /** The default clock of worlds; the machine's when absent. */
  clock?: ClockStart
  /** How many worlds are kept ready besides those that are leased. */
  keepWarm: number
  /** How many worlds there may be, leased ones included. */
  maxWorlds: number
  /** After this time without a lease a ready world is stopped, if more than `keepWarm` are ready; 60 s. */
  idleMs?: number
  /** How long a request for a lease waits for a world; 30 s. */
  waitMs?: number
  /** How many requests for a lease may wait for a world; 256. */
  maxWaiting?: number
  onError(id: string, message: string, cause: Error): void
  onRequest(id: string, line: unknown): void
}

/** The tests with one more, each once; a hundred at most. */
function withTest(tests: readonly string[], test: string): string[] {
  return [...new Set([...tests, test])].slice(0, 100)
}

/** Whether a test has failed in this world. An entry of a test is no world. */
export const isFailed = ({ failedTests, testOf }: LeasedWorld): boolean =>
  failedTests.length > 0 && testOf === undefined

export interface HowFailed {
  failure?: string | undefined
  /** The activities that the test left failed. */
  activities?: readonly string[]
}

/** The world after a test has failed in it. */
export function withFailed(
  world: LeasedWorld,
  test: string,
  { failure, activities = [] }: HowFailed,
): LeasedWorld {
  const failedTests = withTest(world.failedTests, test)
  const flakyTests = world.flakyTests.filter((each) => each !== test)
  const passedTests = world.passedTests.filter((each) => each !== test)
  const failed = { ...world, failedTests, flakyTests, passedTests }
  if (!failedTests.includes(test)) return failed
  const { failedActivities: before = {} } = world
  const failedActivities = { ...before, [test]: [...(before[test] ?? []), ...activities] }
  if (failure === undefined) return { ...failed, failedActivities }
  const failures = { ...world.failures, [test]: failure }
  return { ...failed, failedActivities, failure, failures }
}

/** The world after a test has passed in it. A test that had failed there before is left to `withFlaky`. */
export function withPassed(world: LeasedWorld, test: string): LeasedWorld {
  if ([...world.failedTests, ...world.flakyTests].includes(test)) return world
  return { ...world, passedTests: withTest(world.passedTests, test) }
}

/** The world after a test that had failed in it has passed when retried. */
export function withFlaky(world: LeasedWorld, test: string): LeasedWorld {
  const failedTests = world.failedTests.filter((each) => each !== test)
  if (failedTests.length === world.failedTests.length) return world
  return { ...world, failedTests, flakyTests: withTest(world.flakyTests, test) }
}

/** How many activities failed in a world, without those of the failed tries of a test that passed when retried. */
export function failedActivitiesIn(
  { flakyTests, failedActivities = {} }: LeasedWorld,
  { failed }: WorldFailures,
): number {
  const ofFlaky = flakyTests.flatMap((test) => failedActivities[test] ?? [])
  return failed.filter(({ id }) => !ofFlaky.includes(id)).length
}

export function drawWorldId(): string {
  const digits = BigInt(`0x${randomBytes(12).toString('hex')}`).toString(36)
  return `wld_${digits.padStart(12, '0').slice(-12)}`
}
