import type { MetCell, World } from '../world/world.js'

/** The worlds of a search: each is used by one run at a time, and reset before the next. */
export interface WorldPool {
  /** A world at its start: one that is free, or a new one. */
  take(): Promise<World>
  /** Resets it for the next run; a world that cannot be reset is ended. */
  release(world: World): Promise<void>
  /** How often each documented answer was met, in all worlds together. */
  coverage(): Promise<MetCell[]>
  close(): Promise<void>
}

/** No world is opened before it is wanted, and none beyond `most`: who wants one more waits. */
export function createWorldPool(
  open: () => Promise<World>,
  most = Number.POSITIVE_INFINITY,
): WorldPool {
  const free: World[] = []
  const waiting: (() => void)[] = []
  let inUse = 0
  const all = new Set<World>()
  const met = new Map<string, number>()
  let closing = false
  const count = async (world: World): Promise<void> => {
    for (const { cell, hits } of await world.coverage().catch(() => []))
      met.set(cell, (met.get(cell) ?? 0) + hits)
  }
  const drop = async (world: World): Promise<void> => {
    if (!all.delete(world)) return
    await count(world)
    await world.close()
  }
  const leave = (): void => {
    inUse--
    waiting.shift()?.()
  }
  return {
    async take() {
      while (inUse >= most) await new Promise<void>((resolve) => waiting.push(resolve))
      inUse++
      try {
        const found = free.pop()
        if (found) return found
        const world = await open()
        all.add(world)
        if (closing) await drop(world)
        return world
      } catch (error) {
        leave()
        throw error
      }
    },
    async release(world) {
      try {
        await world.reset()
        free.push(world)
      } catch {
        await drop(world)
      }
      leave()
    },
    async coverage() {
      await Promise.all([...all].map(drop))
      return [...met].map(([cell, hits]) => ({ cell, hits }))
    },
    async close() {
      closing = true
      await Promise.all([...all].map(drop))
    },
  }
}
