import type { Nodes } from './chain/node.js'
import { latestChainTime, setChainTimes } from './chain/time.js'
import { type ClockMode, isoSeconds, type SettableClock } from './clock.js'
import { ServiceError } from './errors.js'
import { readiness } from './readiness.js'
import type { Work } from './work.js'

/** What time it is, and whether it runs by itself. */
export interface Time {
  /** ISO 8601. */
  now: string
  /** Milliseconds since the Unix epoch. */
  ms: number
  mode: ClockMode
}

/**
 * Moves the one clock, and with it the five chains and everything that waits. Each call resolves when all that was due has
 * happened: plans have expired, interest has accrued, fills have landed, events are out. Calls are carried out in turn.
 * Refusals are `invalid_params`; then nothing has moved.
 */
export interface Timekeeper {
  time(): Time
  /** Goes ahead by so many seconds (milliseconds count), from one due moment to the next. */
  advance(seconds: number): Promise<Time>
  /** Stops the clock, now or at an instant that no chain has passed. */
  freeze(atMs?: number): Promise<Time>
  /** Lets the clock run again, from where it is. */
  resume(): Promise<Time>
}

/** What the timekeeper needs; `catchUp` makes the simulator hear of what the chains have not told it yet. */
export interface TimekeeperParts {
  clock: SettableClock
  nodes: Nodes
  work: Work
  catchUp(): Promise<void>
}

/** A hundred years, in milliseconds: beyond it contracts' and JavaScript's dates become odd. */
const longestAdvance = 100 * 365 * 86_400_000

export function createTimekeeper(parts: TimekeeperParts): Timekeeper {
  const { clock, nodes } = parts
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(change: () => Promise<T>): Promise<T> => {
    const result = last.then(change)
    last = result.catch(() => {})
    return result
  }
  const time = (): Time => ({ now: isoSeconds(clock.now()), ms: clock.now(), mode: clock.mode })
  return {
    time,
    advance: (seconds) =>
      inTurn(async () => {
        const ms = milliseconds(seconds)
        await expectAlive(nodes)
        await advance(parts, clock.now() + ms)
        return time()
      }),
    freeze: (atMs) =>
      inTurn(async () => {
        await expectAlive(nodes)
        const ms = atMs ?? clock.now()
        const latest = await latestChainTime(nodes)
        if (atMs !== undefined && Math.floor(ms / 1000) < latest)
          throw new ServiceError(
            'invalid_params',
            `at must not be before ${isoSeconds(latest * 1000)}, the time of the latest block: chains cannot go back`,
          )
        await setChainTimes(nodes, { mode: 'frozen', ms })
        clock.set({ mode: 'frozen', atMs: ms })
        await parts.work.settled()
        return time()
      }),
    resume: () =>
      inTurn(async () => {
        const ms = clock.now()
        if (clock.mode === 'frozen') {
          await expectAlive(nodes)
          await setChainTimes(nodes, { mode: 'real', ms })
          clock.set({ mode: 'real', offsetMs: ms - Date.now() })
        }
        return time()
      }),
  }
}

/** From due moment to due moment, so that what happens at one sees the time of that moment. */
async function advance(parts: TimekeeperParts, untilMs: number): Promise<void> {
  const { clock, work, catchUp } = parts
  for (;;) {
    await work.settled()
    await catchUp()
    await work.settled()
    const due = clock.nextDue(untilMs)
    if (due === undefined) break
    await moveTo(parts, Math.max(due, clock.now()))
  }
  if (untilMs > clock.now()) await moveTo(parts, untilMs)
  await work.settled()
}

/** The chains first: who is woken by the clock must find the new time there. */
async function moveTo({ clock, nodes }: TimekeeperParts, ms: number): Promise<void> {
  await setChainTimes(nodes, { mode: clock.mode, ms })
  clock.set(
    clock.mode === 'frozen'
      ? { mode: 'frozen', atMs: ms }
      : { mode: 'real', offsetMs: ms - Date.now() },
  )
}

/** A node that does not answer would be left behind by the others. */
async function expectAlive(nodes: Nodes): Promise<void> {
  const { networks } = await readiness(nodes)
  const problems = Object.entries(networks).flatMap(([name, { error }]) =>
    error === undefined ? [] : [`${name}: ${error}`],
  )
  if (problems.length > 0)
    throw new ServiceError('internal_error', `The clock was not moved: ${problems.join('; ')}`, {
      hint: 'all five nodes must answer, or they would be of different times; remove what keeps them from it',
    })
}

function milliseconds(seconds: number): number {
  const ms = seconds * 1000
  if (
    Number.isFinite(ms) &&
    ms >= 0 &&
    ms <= longestAdvance &&
    Math.abs(ms - Math.round(ms)) < 1e-6
  )
    return Math.round(ms)
  throw new ServiceError(
    'invalid_params',
    `seconds must be a number from 0 to ${longestAdvance / 1000} (a hundred years) with at most three decimals; received ${seconds}`,
  )
}
