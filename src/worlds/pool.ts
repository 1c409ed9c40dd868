import { createDirectory, type Directory, type LeasedWorld } from './directory.js'
import type { WorldBeginning } from './messages.js'
import { createQueue, NoWorldError } from './queue.js'
import { createStock, type StockOptions } from './stock.js'
import { createSupply, type WorldSupply, type WorldWishes } from './supply.js'
import type { WorkerOptions } from './workers.js'

/** A lease that is asked for. */
export interface LeaseRequest {
  wishes: WorldWishes
  leaseSeconds: number
  /** Readies the world before anybody hears of it; when it rejects, the world goes back and so does the lease. */
  prepare?: (world: LeasedWorld) => Promise<void>
  /** Whoever asked is gone, and need not wait any longer. */
  signal?: AbortSignal
}

/** How many worlds there are. */
export interface WorldCounts {
  leased: number
  /** Ready for the next lease. */
  warm: number
  /** On their way: being started, or begun anew after a lease. */
  starting: number
  /** Requests for a lease that wait for a world. */
  waiting: number
  /** How many worlds there may be. */
  most: number
  /** Leases since the start. */
  granted: number
  /** Worlds that ended by themselves since the start. */
  lost: number
}

/** What has become of a world. */
export interface WorldChange {
  /** `ended`: given back, or not renewed. */
  change: 'leased' | 'renewed' | 'ended' | 'lost'
  world: LeasedWorld
  /** Why it is lost. */
  reason?: string
}

/** Leases worlds. */
export interface Worlds
  extends Pick<Directory, 'ofId' | 'ofKey' | 'all'>,
    Pick<WorldSupply, 'unreachable' | 'markStart'> {
  /**
   * Leases a world to one caller: a warm one, or one that is started for it; where there may be no more, the next that comes back.
   * Rejects with `NoWorldError` when too many wait already, or it takes too long.
   */
  lease(request: LeaseRequest): Promise<LeasedWorld>
  /** The lease begins anew; undefined when there is no such world. */
  renew(id: string): LeasedWorld | undefined
  /** Ends a lease; undefined when there is no such world. What was in the world is gone. */
  giveBack(id: string): LeasedWorld | undefined
  counts(): WorldCounts
  /** Calls back after each change of a leased world. */
  onChange(listener: (change: WorldChange) => void): void
  /** Starts the worlds that are kept warm. */
  warmUp(): void
  /** Ends all worlds within five seconds. */
  end(): Promise<void>
}

/** What a pool is made of. */
export interface PoolOptions extends Omit<WorkerOptions, 'onLost'>, StockOptions {
  /** How long a request for a lease waits for a world; 30 s. */
  waitMs?: number
  /** How many requests for a lease may wait for a world; 256. */
  mostWaiting?: number
}

/** Keeps the worlds of this machine. No process is started before the first is wanted. */
export function createPool(options: PoolOptions): Worlds {
  const { most, waitMs = 30_000, mostWaiting = 256, onError } = options
  const directory = createDirectory()
  const queue = createQueue<LeaseRequest, LeasedWorld>({ most: mostWaiting, waitMs })
  const { publish, onChange } = createTelling()
  let granted = 0
  const supply = createSupply(options, (id, reason) => {
    stock.forget(id)
    directory.lose(id, reason)
    publish('lost', directory.ofId(id), reason)
    pump()
  })
  const stock = createStock(supply, options, {
    onChange: () => pump(),
    onError: (error) => onError('(warm)', 'a world could not be made ready', error),
  })
  const leases = createLeaseTimes(directory, (id) => giveBack(id))

  const grant = async (request: LeaseRequest, found: Promise<WorldBeginning>) => {
    const { id, apiKey, socket } = await found.catch((error) => {
      pump() // There is room for the next one.
      throw error
    })
    if (!supply.has(id)) throw new NoWorldError('it ended as soon as it had begun')
    const { leaseSeconds, prepare } = request
    const leaseUntilMs = Date.now() + leaseSeconds * 1000
    const world = { id, apiKey, socket, leaseSeconds, leaseUntilMs }
    directory.add(world)
    try {
      await prepare?.(world)
    } catch (error) {
      giveBack(id)
      throw error
    }
    granted++
    return publish('leased', leases.renew(id) ?? world)
  }
  const giveBack = (id: string): LeasedWorld | undefined => {
    const world = publish('ended', leases.end(id))
    if (!world || !supply.has(id) || supply.hasEnded()) return world
    const next = queue.first()
    if (next) next.settle(grant(next.request, supply.bring(next.request.wishes, id)))
    else stock.takeBack(id)
    return world
  }
  const pump = (): void => {
    if (supply.hasEnded()) return
    for (let next = queue.first(); next; next = queue.first()) {
      const found = stock.find(next.request.wishes)
      if (!found) return
      next.settle(grant(next.request, found))
    }
    stock.refill()
  }

  return {
    ofId: directory.ofId,
    ofKey: directory.ofKey,
    all: directory.all,
    unreachable: supply.unreachable,
    markStart: supply.markStart,
    lease(request) {
      const leased = most === 0 ? Promise.reject(noneEver()) : queue.wait(request)
      pump()
      queue.shorten()
      return leased
    },
    renew: (id) => publish('renewed', leases.renew(id)),
    giveBack,
    counts() {
      const leased = directory.all().filter(({ lost }) => lost === undefined).length
      const warm = stock.size()
      const starting = supply.size() - leased - warm
      return { leased, warm, starting, waiting: queue.length(), most, granted, lost: supply.lost() }
    },
    onChange,
    warmUp: pump,
    async end() {
      queue.refuseAll(new NoWorldError('the simulator is being stopped'))
      stock.clear()
      leases.clear()
      await supply.end()
    },
  }
}

function noneEver(): NoWorldError {
  return new NoWorldError('there can be none, for it was started with --max-worlds 0')
}

/** Who hears of the changes of worlds. */
function createTelling() {
  const listeners: ((change: WorldChange) => void)[] = []
  return {
    /** Returns the world. */
    publish<T extends LeasedWorld | undefined>(
      change: WorldChange['change'],
      world: T,
      reason?: string,
    ): T {
      for (const listener of world ? listeners : [])
        listener({ change, world: world!, ...(reason !== undefined && { reason }) })
      return world
    },
    onChange: (listener: (change: WorldChange) => void): void => void listeners.push(listener),
  }
}

/** When leases end, by the machine's clock. */
function createLeaseTimes(directory: Directory, onEnd: (id: string) => void) {
  const timers = new Map<string, NodeJS.Timeout>()
  return {
    renew(id: string): LeasedWorld | undefined {
      const world = directory.ofId(id)
      if (!world) return undefined
      const ms = world.leaseSeconds * 1000
      clearTimeout(timers.get(id))
      timers.set(id, setTimeout(() => onEnd(id), ms).unref())
      return directory.renew(id, Date.now() + ms)
    },
    end(id: string): LeasedWorld | undefined {
      clearTimeout(timers.get(id))
      timers.delete(id)
      return directory.remove(id)
    },
    clear(): void {
      for (const timer of timers.values()) clearTimeout(timer)
    },
  }
}
