import { createDirectory, type Directory, type LeasedWorld } from './directory.js'
import type { WorldBeginning } from './messages.js'
import { createQueue, NoWorldError } from './queue.js'
import { createStock, type StockOptions } from './stock.js'
import { createSupply, type SupplyOptions, type WorldSupply, type WorldWishes } from './supply.js'

/** A request for a lease. */
export interface LeaseRequest {
  wishes: WorldWishes
  leaseSeconds: number
  /** Prepares the world before the lease is announced. When it rejects, the world is released again and the request fails. */
  prepare?: (world: LeasedWorld) => Promise<void>
  /** Aborted when the caller has disconnected. */
  signal?: AbortSignal
}

/** How many worlds there are. */
export interface WorldCounts {
  leased: number
  /** Ready for the next lease. */
  warm: number
  /** Being started, or restarted after a lease. */
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

/** A change of a leased world. */
export interface WorldChange {
  /** `ended`: the lease was released, or has expired. */
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
   * Leases a warm world, or starts one. When there may be no more, waits for the next that is released. Rejects with `NoWorldError`
   * when too many requests wait already, or the wait takes too long.
   */
  lease(request: LeaseRequest): Promise<LeasedWorld>
  /** Restarts the time of a lease; undefined when there is no such world. */
  renew(id: string): LeasedWorld | undefined
  /** Ends a lease, and resets or ends the world; undefined when there is no such world. */
  release(id: string): LeasedWorld | undefined
  counts(): WorldCounts
  /**
   * How often leased worlds have given each answer since the start, by its key. What a lost world has answered since it was last asked is
   * missing.
   */
  answers(): Promise<ReadonlyMap<string, number>>
  /** Calls back after each change of a leased world. */
  onChange(listener: (change: WorldChange) => void): void
  /** Starts the worlds that are kept warm. */
  warmUp(): void
  /** Ends all worlds within five seconds. */
  end(): Promise<void>
}

/** How a pool of worlds is made. */
export interface PoolOptions extends SupplyOptions, StockOptions {
  /** How long a request for a lease waits for a world; 30 s. */
  waitMs?: number
  /** How many requests for a lease may wait for a world; 256. */
  maxWaiting?: number
}

/** The worlds of this machine. No process is started before the first world is needed. */
export function createPool(options: PoolOptions): Worlds {
  const { maxWorlds, waitMs = 30_000, maxWaiting = 256, onError } = options
  const directory = createDirectory()
  const queue = createQueue<LeaseRequest, LeasedWorld>({ max: maxWaiting, waitMs })
  const { publish, onChange } = createWorldEvents()
  let granted = 0
  const supply = createSupply(options, (id, reason) => {
    stock.forget(id)
    directory.lose(id, reason)
    publish('lost', directory.ofId(id), reason)
    serveQueue()
  })
  const stock = createStock(supply, options, {
    onChange: () => serveQueue(),
    onError: (error) => onError('(warm)', 'a world could not be made ready', error),
  })
  const leases = createLeaseTimes(directory, (id) => release(id))

  const grant = async (request: LeaseRequest, found: Promise<WorldBeginning>) => {
    const { id, apiKey, socket } = await found.catch((error) => {
      serveQueue() // The failed world has left room for another one.
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
      release(id)
      throw error
    }
    granted++
    return publish('leased', leases.renew(id) ?? world)
  }
  const release = (id: string): LeasedWorld | undefined => {
    const world = publish('ended', leases.end(id))
    if (!world || !supply.has(id) || supply.hasEnded()) return world
    const next = queue.first()
    if (next) next.settle(grant(next.request, supply.bring(next.request.wishes, id)))
    else stock.takeBack(id)
    return world
  }
  const serveQueue = (): void => {
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
      const leased = maxWorlds === 0 ? Promise.reject(noneEver()) : queue.wait(request)
      serveQueue()
      queue.shorten()
      return leased
    },
    renew: (id) => publish('renewed', leases.renew(id)),
    release,
    counts() {
      const [leased, warm] = [idsIn(directory).length, stock.size()]
      const [starting, waiting] = [supply.size() - leased - warm, queue.length()]
      return { leased, warm, starting, waiting, most: maxWorlds, granted, lost: supply.lost() }
    },
    answers: () => supply.answers(idsIn(directory)),
    onChange,
    warmUp: serveQueue,
    async end() {
      queue.refuseAll(new NoWorldError('the simulator is being stopped'))
      stock.clear()
      leases.clear()
      await supply.end()
    },
  }
}

/** Of the leased worlds that are not lost. */
const idsIn = (directory: Directory): string[] =>
  directory.all().flatMap(({ id, lost }) => (lost === undefined ? id : []))

function noneEver(): NoWorldError {
  return new NoWorldError('there can be none, for it was started with --max-worlds 0')
}

/** Listeners for world changes. */
function createWorldEvents() {
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

/** Ends leases when their time is over, by the machine's clock. */
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
