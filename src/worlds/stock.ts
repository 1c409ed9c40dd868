import { areForked } from '../chain/fork/upstream/target.js'
import type { WorldBeginning } from './messages.js'
import type { WorldSupply, WorldWishes } from './supply.js'

/** How many worlds there are, and for how long. */
export interface StockOptions {
  /** How many are kept ready beyond those that are leased. */
  keepWarm: number
  /** How many there may be. */
  most: number
  /** A world that is ready and nobody leases ends after this time, where more are ready than are kept; 60 s. */
  idleMs?: number
}

/** The worlds that are ready for whoever comes next. */
export interface Stock {
  /** A world for these wishes; undefined when there is room for none. */
  find(wishes: WorldWishes): Promise<WorldBeginning> | undefined
  /** Has a returned world ready for the next. */
  takeBack(id: string): void
  /** Has as many ready as are kept. */
  refill(): void
  forget(id: string): void
  size(): number
  clear(): void
}

/** `onChange` is called when there may be room or a world for somebody who waits. */
export function createStock(
  supply: WorldSupply,
  { keepWarm, most, idleMs = 60_000 }: StockOptions,
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
      // Tried again when the next one is leased or returned: what fails now would fail again at once.
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
      const hasRoom = supply.size() < most
      // Forked chains are always new ones.
      const found = areForked(wishes) && hasRoom ? undefined : take()
      if (found) return isPlain ? Promise.resolve(found) : supply.bring(wishes, found.id)
      return hasRoom ? supply.bring(wishes) : undefined
    },
    takeBack: (id) => void warm(id),
    refill() {
      while (ready.size + warming < keepWarm && supply.size() < most) void warm()
    },
    forget,
    size: () => ready.size,
    clear() {
      for (const id of [...ready.keys()]) forget(id)
    },
  }
}
