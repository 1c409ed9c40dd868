import type { MetCell, World } from '../world/world.js'

export type WorldPool = ReturnType<typeof createWorldPool>

/**
 * The worlds of a search: each is used by one run at a time, and reset before the next. Worlds are opened on demand; beyond `most`, `take`
 * waits for one.
 */
export function createWorldPool(open: () => Promise<World>, most = Number.POSITIVE_INFINITY) {
  const free: World[] = []
  const waiting: (() => void)[] = []
  let inUse = 0
  const all = new Set<World>()
  const hitsByCell = new Map<string, number>()
  let closing = false
  const count = async (world: World): Promise<void> => {
    for (const { cell, hits } of await world.coverage().catch(() => []))
      hitsByCell.set(cell, (hitsByCell.get(cell) ?? 0) + hits)
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
    async take(): Promise<World> {
      while (inUse >= most) await new Promise<void>((resolve) => waiting.push(resolve))
      inUse++
      try {
        const idle = free.pop()
        if (idle) return idle
        const world = await open()
        all.add(world)
        if (closing) await drop(world)
        return world
      } catch (error) {
        leave()
        throw error
      }
    },
    /** A world that cannot be reset is ended. */
    async release(world: World): Promise<void> {
      try {
        await world.reset()
        free.push(world)
      } catch {
        await drop(world)
      }
      leave()
    },
    /** Ends the worlds, and returns how often each documented response was sent by all of them. */
    async coverage(): Promise<MetCell[]> {
      await Promise.all([...all].map(drop))
      return [...hitsByCell].map(([cell, hits]) => ({ cell, hits }))
    },
    async close(): Promise<void> {
      closing = true
      await Promise.all([...all].map(drop))
    },
  }
}
