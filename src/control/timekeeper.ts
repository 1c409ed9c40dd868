import { expectAlive } from '../chain/process/health.js'
import type { Nodes } from '../chain/rpc/node.js'
import { latestChainTime, setChainTimes } from '../chain/transactions/time.js'
import { ServiceError } from '../lib/errors.js'
import { serialQueue } from '../lib/serialQueues.js'
import type { BackgroundTasks } from '../time/backgroundTasks.js'
import {
  type ClockMode,
  type ClockState,
  isoSeconds,
  latestMs,
  longestAdvance,
  type SettableClock,
  timeOf,
} from '../time/clock.js'
import type { SystemLock } from './systemLock.js'
import type { Time, Timekeeper } from './time.js'

const never = new AbortController().signal

export interface OwnTimekeeper extends Timekeeper {
  /**
   * Moves an `auto` clock to the moment that `nextMoment` returns when its turn has come; resolves to false without one. Rejects when a node
   * does not answer, or when work that is due hangs.
   */
  skip(nextMoment: () => number | undefined): Promise<boolean>
}

export function createTimekeeper(parts: TimekeeperParts): OwnTimekeeper {
  const { clock, nodes } = parts
  const queue = serialQueue()
  /** Runs one change at a time, and holds the clock meanwhile. */
  const inTurn = <T>(change: () => Promise<T>, prepare = async () => {}): Promise<T> =>
    queue(async () => {
      const end = clock.announce()
      try {
        await prepare()
        const release = clock.hold()
        return await change().finally(release)
      } finally {
        end()
      }
    })
  /** Waits for running work before the clock is held: under load that takes a while, in which a real clock must go on. */
  const rest = async (): Promise<void> => {
    await expectAlive(nodes, 'The clock was not moved')
    if (clock.mode === 'real') await expectRest(parts.tasks)
  }
  const time = (): Time => ({ now: isoSeconds(clock.now()), ms: clock.now(), mode: clock.mode })
  return {
    time,
    async advance(seconds) {
      const ms = milliseconds(seconds)
      refuseBeyond(clock.now() + ms)
      return inTurn(async () => {
        refuseBeyond(clock.now() + ms) // it may have moved while this call was queued
        const state = clock.state()
        const end: ClockState =
          state.mode === 'real'
            ? { mode: 'real', offsetMs: state.offsetMs + ms }
            : { mode: state.mode, atMs: state.atMs + ms }
        await moveOn(parts, () => end)
        return time()
      }, rest)
    },
    freeze: (atMs) =>
      inTurn(async () => {
        await standStill(parts, 'frozen', atMs)
        return time()
      }),
    auto: () =>
      inTurn(async () => {
        if (clock.mode !== 'auto') await standStill(parts, 'auto')
        return time()
      }),
    skip: (nextMoment) =>
      inTurn(async () => {
        const due = nextMoment()
        if (due === undefined) return false
        await expectAlive(nodes, 'The clock was not moved')
        await skipTo(parts, due)
        return true
      }),
    async wait(seconds, signal = never) {
      await clock.wait(milliseconds(seconds), signal)
      signal.throwIfAborted()
      return time()
    },
    resume: () =>
      inTurn(async () => {
        if (clock.mode !== 'real') {
          await expectAlive(nodes, 'The clock was not moved')
          // A whole number of seconds, so that the chains' seconds change with the clock's.
          const offsetMs = Math.ceil((clock.now() - Date.now()) / 1000) * 1000
          await moveTo(parts, { mode: 'real', offsetMs })
        }
        return time()
      }),
  }
}

/** Makes calls in this process wait for restores and for background work of earlier requests, as over HTTP. */
export function lockedTimekeeper(
  timekeeper: Timekeeper,
  lock: Pick<SystemLock, 'shared'>,
  settled: (how?: 'wholly') => Promise<unknown> | undefined,
): Timekeeper {
  const share = async <T>(work: () => Promise<T>, how?: 'wholly'): Promise<T> => {
    await settled(how)
    return lock.shared('the clock', work)
  }
  return {
    time: timekeeper.time,
    advance: (seconds) => share(() => timekeeper.advance(seconds)),
    freeze: (atMs) => share(() => timekeeper.freeze(atMs)),
    resume: () => share(() => timekeeper.resume()),
    auto: () => share(() => timekeeper.auto(), 'wholly'),
    wait: timekeeper.wait,
  }
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

interface TimekeeperParts {
  clock: SettableClock
  nodes: Nodes
  tasks: BackgroundTasks
  /** Whether the stream, which reports every block, has readers. */
  isFollowed(): boolean
  /** Resolves when the simulator has handled all logs of the chains. */
  catchUp(): Promise<void>
  /** Persists the new state before the move, so that a restart begins with it. */
  keep(state: ClockState, move: () => Promise<void>): Promise<void>
}

/**
 * Moves the clock to each due moment in turn, so that work sees the time at which it is due, and then to `end`, which is evaluated after
 * each step. On a frozen clock, waits of one moment end one after the other, so that the same moves give the same blocks. On a real clock,
 * waits of one second end together.
 */
async function moveOn(parts: TimekeeperParts, end: () => ClockState): Promise<void> {
  const { clock } = parts
  await expectRest(parts.tasks)
  await parts.catchUp()
  for (;;) {
    await wakeDue(parts)
    const endMs = timeOf(end())
    const due = clock.nextDue(endMs)
    if (due === undefined) break
    const { mode } = clock
    const lastOfSecond = Math.floor(due / 1000) * 1000 + 999
    await moveTo(
      parts,
      mode === 'real'
        ? { mode, offsetMs: Math.min(lastOfSecond, endMs) - Date.now() }
        : { mode, atMs: due },
    )
  }
  const last = end()
  if (isAt(clock, last)) return
  await moveTo(parts, last)
  await wakeDue(parts)
}

/** Whether a frozen clock has this state already, so that the chains need no block. */
function isAt(clock: SettableClock, state: ClockState): boolean {
  return state.mode !== 'real' && state.mode === clock.mode && state.atMs === clock.now()
}

async function wakeDue(parts: TimekeeperParts): Promise<void> {
  const { clock } = parts
  await expectEnd(parts)
  while (clock.wakeNext()) {
    if (clock.mode === 'real') while (clock.wakeNext());
    await expectEnd(parts)
  }
}

/** Moves an `auto` clock to a moment, and ends the waits that are due. */
async function skipTo(parts: TimekeeperParts, atMs: number): Promise<void> {
  await parts.catchUp()
  await wakeDue(parts)
  // `catchUp` may have added an earlier moment.
  const due = parts.clock.nextDue(atMs) ?? atMs
  if (due > parts.clock.now()) await moveTo(parts, { mode: 'auto', atMs: due })
  await wakeDue(parts)
}

/** Stops the clock, now or at an instant that no chain has passed. */
async function standStill(
  parts: TimekeeperParts,
  mode: Exclude<ClockMode, 'real'>,
  atMs?: number,
): Promise<void> {
  const { clock, nodes } = parts
  await expectAlive(nodes, 'The clock was not moved')
  const latestMs = async (): Promise<number> => (await latestChainTime(nodes)) * 1000
  const chainsMs = await latestMs()
  if (atMs !== undefined) {
    refuseBack(atMs, Math.max(clock.mode === 'real' ? 0 : clock.now(), chainsMs))
    refuseBeyond(atMs)
  }
  const wasAhead = chainsMs > clock.now()
  await moveOn(parts, () => ({ mode, atMs: atMs ?? clock.now() }))
  // A block mined during the change may be a second later. (A chain that was ahead before was moved ahead by a client.)
  const laterMs = await latestMs()
  if (!wasAhead && laterMs > clock.now()) await moveTo(parts, { mode, atMs: laterMs })
}

/** Moves the chains before the clock, because work that is then due must see the new time there. */
async function moveTo(
  { clock, nodes, keep, isFollowed }: TimekeeperParts,
  state: ClockState,
): Promise<void> {
  const before = { mode: clock.mode, ms: clock.now() }
  await keep(state, async () => {
    try {
      const time = { mode: state.mode, ms: timeOf(state) }
      await setChainTimes(nodes, time, before, isFollowed())
    } catch (cause) {
      await keep(clock.state(), async () => {}).catch(() => {}) // a restart takes the chains' time
      throw new ServiceError(
        'internal_error',
        `The clock was stopped at ${isoSeconds(clock.now())}: ${(cause as Error).message}`,
        {
          hint: 'all chains have that time; fix the node, then move the clock again',
          cause,
        },
      )
    }
    clock.set(state)
  })
}

/** Waits until running work ends. Rejects when work hangs. */
async function expectRest(tasks: BackgroundTasks): Promise<void> {
  const hanging = await tasks.settled()
  if (hanging.length === 0) return
  throw new ServiceError(
    'conflict',
    `The clock was not moved: ${hanging.slice(0, 5).join(', ')} does not end`,
    { hint: 'Remove the fault that holds it, and move the clock again.' },
  )
}

/** Waits until due work has ended. Rejects when work hangs. */
async function expectEnd({ clock, tasks }: TimekeeperParts): Promise<void> {
  const hanging = await tasks.settled()
  if (hanging.length === 0) return
  throw new ServiceError(
    'conflict',
    `The clock was stopped at ${isoSeconds(clock.now())}: ${hanging.slice(0, 5).join(', ')} does not end`,
    { hint: 'Remove the fault that holds it, and continue to move the clock.' },
  )
}

function refuseBack(atMs: number, nowMs: number): void {
  if (atMs >= nowMs) return
  throw new ServiceError(
    'invalid_params',
    `at must not be before ${isoSeconds(nowMs)}, received ${isoSeconds(atMs)}: chains cannot go back`,
    { hint: 'Restore a snapshot, or reset, to go back.' },
  )
}

function refuseBeyond(ms: number): void {
  if (ms <= latestMs) return
  throw new ServiceError(
    'invalid_params',
    `the latest possible time is ${isoSeconds(latestMs)}, because protocols store seconds in 32 bits; this would be ${isoSeconds(Math.min(ms, 8.64e15))}`,
  )
}
