import { expectAlive } from '../chain/process/health.js'
import { ServiceError } from '../lib/errors.js'
import { serialQueue } from '../lib/serialQueues.js'
import { type ClockState, isoSeconds, longestAdvance } from '../time/clock.js'
import {
  expectRest,
  moveOn,
  moveTo,
  refuseBeyond,
  skipTo,
  standStill,
  type TimekeeperParts,
} from './moves.js'
import type { SystemLock } from './systemLock.js'
import type { Time, Timekeeper } from './time.js'

const never = new AbortController().signal

/** The timekeeper as its owner holds it. */
export interface OwnTimekeeper extends Timekeeper {
  /**
   * Has an `auto` clock jump to the moment that `isWanted` names when it is its turn, and wakes who is due then; false when it names none.
   * Rejects when a node does not answer, or when what was woken hangs.
   */
  skip(isWanted: () => number | undefined): Promise<boolean>
}

/** Makes the timekeeper of one simulator. */
export function createTimekeeper(parts: TimekeeperParts): OwnTimekeeper {
  const { clock, nodes } = parts
  const queue = serialQueue()
  /** Nobody is woken by the clock itself during the change. */
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
  /** What runs ends first, and under load that takes a while: what comes due by itself meanwhile is not kept waiting. */
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
        refuseBeyond(clock.now() + ms) // others may have moved it
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
    skip: (isWanted) =>
      inTurn(async () => {
        const due = isWanted()
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
          // Whole seconds apart from the machine, so that the chains, which count seconds, tick with the clock.
          const offsetMs = Math.ceil((clock.now() - Date.now()) / 1000) * 1000
          await moveTo(parts, { mode: 'real', offsetMs })
        }
        return time()
      }),
  }
}

/** For callers in this process: they wait for a restore and for what earlier requests left behind, like those who come over HTTP. */
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
