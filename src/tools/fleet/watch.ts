import type { FleetWorker } from './directory.js'

type Watched = Pick<FleetWorker, 'id' | 'url'>

/** Notices workers of which nothing is heard any more although their connections look open: their machine hangs, or the network is cut. */
export interface Watch {
  /** Something is asked of a worker. `silent` is called should nothing be heard of it, unless the function that is returned was called. */
  over(worker: Watched, silent: () => void): () => void
  close(): void
}

/** How often those of whom an answer is awaited are looked at. Milliseconds. */
const lookEveryMs = 1_000

/** Answers may take long, a sign of life may not. `isAlive` asks for one; it resolves to false when none comes. */
export function createWatch(isAlive: (worker: Watched) => Promise<boolean>): Watch {
  const asked = new Map<string, { worker: Watched; waiting: Set<() => void> }>()
  const seenBefore = new WeakSet<() => void>()
  const inDoubt = new Set<string>()
  const look = async (worker: Watched, waiting: Set<() => void>): Promise<void> => {
    const old = [...waiting].filter((silent) => seenBefore.has(silent))
    for (const silent of waiting) seenBefore.add(silent)
    if (old.length === 0 || inDoubt.has(worker.id)) return
    inDoubt.add(worker.id)
    const isSilent = !(await isAlive(worker))
    inDoubt.delete(worker.id)
    for (const silent of isSilent ? old : []) if (waiting.delete(silent)) silent()
  }
  const timer = setInterval(() => {
    for (const { worker, waiting } of asked.values()) void look(worker, waiting)
  }, lookEveryMs).unref()
  return {
    over(worker, silent) {
      const { waiting } = asked.get(worker.id) ?? { waiting: new Set<() => void>() }
      asked.set(worker.id, { worker, waiting })
      const mine = (): void => silent()
      waiting.add(mine)
      return () => {
        waiting.delete(mine)
        if (waiting.size === 0 && asked.get(worker.id)?.waiting === waiting) asked.delete(worker.id)
      }
    },
    close: () => clearInterval(timer),
  }
}
