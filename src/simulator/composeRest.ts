import { createAutoClock } from '../control/autoClock.js'
import { patienceMs, type SystemLock } from '../control/systemLock.js'
import type { OwnTimekeeper } from '../control/timekeeper.js'
import type { Base, PartsOptions } from './composeBase.js'

/** What `composeRest` has made. */
export type Rest = ReturnType<typeof composeRest>

/** How requests find what earlier ones left behind at rest, and an `auto` clock that is moved by that. */
export function composeRest(
  { nodes, log }: PartsOptions,
  { tasks, world: { clock } }: Base,
  { timekeeper, lock }: { timekeeper: OwnTimekeeper; lock: SystemLock },
) {
  const { skip } = timekeeper
  const auto = createAutoClock({ clock, nodes, tasks, lock, skip, onError: log.error })
  const settled = async (how?: 'briefly'): Promise<void> => {
    const atMostMs = how && patienceMs
    if (clock.mode === 'auto') await auto.rest(atMostMs)
    else if (clock.mode === 'frozen') await tasks.settled(undefined, atMostMs)
  }
  return { settled, counted: auto.counted, stop: auto.stop }
}
