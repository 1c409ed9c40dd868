import { areForked } from '../chain/fork/upstream/target.js'
import type { WorldBeginning } from './messages.js'
import type { WorldSupply, WorldWishes } from './supply.js'

/** How many worlds are kept, and for how long. */
export interface StockOptions {
  /** How many worlds are kept ready besides those that are leased. */
  keepWarm: number
  /** How many worlds there may be, leased ones included. */
  maxWorlds: number
  /** After this time without a lease a ready world is stopped, if more than `keepWarm` are ready; 60 s. */
  idleMs?: number
}

/** The worlds that are ready for the next lease. */
export interface Stock {
  /** Takes a ready world, or starts one. Undefined when there is no room for another one. */
  find(wishes: WorldWishes): Promise<WorldBeginning> | undefined
  /** Restarts a returned world for the next lease. */
  takeBack(id: string): void
  /** Starts worlds until `keepWarm` are ready. */
  refill(): void
  forget(id: string): void
  /** How many are ready. */
  size(): number
  clear(): void
}

/** `onChange` is called when a waiting request may now find a world, or room for one. */
export function createStock(
  supply: WorldSupply,
  { keepWarm, maxWorlds, idleMs = 60_000 }: StockOptions,
  { onChange, onError }: { onChange(): void; onError(error: Error): void },
): Stock {
  const ready = new Map<string, { world: WorldBeginning; timer: NodeJS.Timeout }>()
  let warming = 0

  const forget = (id: string): WorldBeginning | undefined => {
    const one = ready.get(id)
    clearTimeout(one?.timer)
    ready.delete(id)
    return one?.world
  }
  const keep = (world: WorldBeginning): void => {
    const timer = setTimeout(() => {
      if (ready.size <= keepWarm) return
      forget(world.id)
      void supply.stop(world.id).then(onChange)
    }, idleMs).unref()
    ready.set(world.id, { world, timer })
  }
  const warm = async (from?: string): Promise<void> => {
    warming++
    try {
      const world = await supply.bring({}, from)
      if (supply.has(world.id)) keep(world)
      warming--
      onChange()
    } catch (error) {
      warming--
      // The next lease or return tries again; an immediate retry would fail for the same reason.
      if (!supply.hasEnded()) onError(error as Error)
    }
  }
  const take = (): WorldBeginning | undefined => {
    const [id] = ready.keys()
    return id === undefined ? undefined : forget(id)
  }
  return {
    find(wishes) {
      const isPlain = Object.keys(wishes).length === 0
      const hasRoom = supply.size() < maxWorlds
      // Forks need new nodes, so no ready world helps while there is room for another.
      const found = areForked(wishes) && hasRoom ? undefined : take()
      if (found) return isPlain ? Promise.resolve(found) : supply.bring(wishes, found.id)
      return hasRoom ? supply.bring(wishes) : undefined
    },
    takeBack: (id) => void warm(id),
    refill() {
      while (ready.size + warming < keepWarm && supply.size() < maxWorlds) void warm()
    },
    forget,
    size: () => ready.size,
    clear() {
      for (const id of [...ready.keys()]) forget(id)
    },
  }
}
