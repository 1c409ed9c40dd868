import { EventEmitter, once } from 'node:events'
import { areForked } from '../chain/fork/upstream/target.js'
import { type SocketPlace, socketPlace } from '../chain/process/unreachable.js'
import { drawKey } from '../lib/ids.js'
import {
  drawWorldId,
  type LeasedWorld,
  type LeaseRequest,
  NoWorldError,
  type PoolOptions,
  type WorldChange,
  type WorldWishes,
} from './lease.js'
import type { Workers, WorldBeginning, WorldFailures, WorldReport } from './workers.js'
import { createWorkers } from './workers.js'

interface Waiting {
  request: LeaseRequest
  /** Ends the wait; the caller's promise follows this one. */
  settle(lease: Promise<LeasedWorld>): void
}

/** How long after a refused connection the exit of the worker may still be reported. Milliseconds. */
const lossWithinMs = 1_000

/** The worlds of this machine, and their leases. No process is started before the first world is needed. */
export class Worlds {
  readonly #options: PoolOptions
  readonly #startWorkers: typeof createWorkers
  /** Of the worlds that run, including those being started. */
  readonly #alive = new Set<string>()
  readonly #ready = new Map<string, { world: WorldBeginning; timer: NodeJS.Timeout }>()
  readonly #leases = new Map<string, LeasedWorld>()
  readonly #leaseTimers = new Map<string, NodeJS.Timeout>()
  readonly #waiting: Waiting[] = []
  /** `change` after each change of a leased world, `lost-ID` when a world has ended by itself, `settled` when something has begun or ended. */
  readonly #events = new EventEmitter().setMaxListeners(0)
  #granted = 0
  #lost = 0
  #warming = 0
  #isDraining = false
  #hasEnded = false
  #processes: { workers: Workers; sockets: SocketPlace } | undefined

  constructor(options: PoolOptions, startWorkers = createWorkers) {
    this.#options = options
    this.#startWorkers = startWorkers
  }

  ofId(id: string): LeasedWorld | undefined {
    return this.#leases.get(id)
  }

  ofKey(apiKey: string): LeasedWorld | undefined {
    for (const world of this.#leases.values()) if (world.apiKey === apiKey) return world
    return undefined
  }

  /** In the order of their leases. */
  all(): LeasedWorld[] {
    return [...this.#leases.values()]
  }

  /**
   * Leases a warm world, or starts one. When there may be no more, waits for the next that is released. Rejects with `NoWorldError`
   * when too many requests wait already, the wait takes too long, or the simulator stops.
   */
  lease(request: LeaseRequest): Promise<LeasedWorld> {
    const { maxWorlds, maxWaiting = 256 } = this.#options
    const refused = (why: string) =>
      Promise.reject(new NoWorldError(why, request.isImmediate ? 'no_room' : 'rate_limited'))
    if (maxWorlds === 0) return refused('there can be none, for it was started with --max-worlds 0')
    if (this.#isDraining) return Promise.reject(stopping())
    const leased = this.#wait(request)
    this.#serve()
    const last = this.#waiting.at(-1)
    if (last?.request !== request) return leased
    if (request.isImmediate) last.settle(refused(`all ${maxWorlds} are in use`))
    else if (this.#waiting.length > maxWaiting)
      last.settle(refused(`${maxWaiting} requests wait for one already`))
    return leased
  }

  /** Restarts the time of a lease; undefined when there is no such world. */
  renew(id: string): LeasedWorld | undefined {
    return this.#extend(id, 'renewed')
  }

  /** Ends a lease, and resets or ends the world; undefined when there is no such world. */
  release(id: string): LeasedWorld | undefined {
    const world = this.#leases.get(id)
    if (!world) return undefined
    this.#leases.delete(id)
    clearTimeout(this.#leaseTimers.get(id))
    this.#leaseTimers.delete(id)
    this.publish({ change: 'ended', world })
    if (!this.#alive.has(id) || this.#hasEnded) return world
    const [next] = this.#waiting
    if (this.#isDraining) void this.#stop(id)
    else if (next) next.settle(this.#grant(next.request, this.#bring(next.request.wishes, id)))
    else void this.#warm(id)
    return world
  }

  counts() {
    const leased = this.#running().length
    const warm = this.#ready.size
    return {
      leased,
      warm,
      /** Being started, or restarted after a lease. */
      starting: this.#alive.size - leased - warm,
      /** Requests for a lease that wait for a world. */
      waiting: this.#waiting.length,
      /** How many worlds there may be. */
      most: this.#options.maxWorlds,
      granted: this.#granted,
      /** Worlds that ended by themselves since the start. */
      lost: this.#lost,
      isDraining: this.#isDraining,
    }
  }

  /**
   * How often worlds have given each answer since the start, by its key. What the worlds of a killed process have answered since they were
   * last asked is missing.
   */
  async answers(): Promise<ReadonlyMap<string, number>> {
    return (await this.#processes?.workers.answers()) ?? new Map()
  }

  /** The failures of each leased world by its id, or at least of this one; a world that does not respond is missing. */
  async failures(id?: string): Promise<ReadonlyMap<string, WorldFailures>> {
    return (await this.#processes?.workers.failures(id)) ?? new Map()
  }

  /** Changes what is known of the tests in a world; undefined when there is no such world. */
  mark(id: string, marked: (world: LeasedWorld) => LeasedWorld): LeasedWorld | undefined {
    const lease = this.#leases.get(id)
    if (lease) this.#leases.set(id, marked(lease))
    return this.#leases.get(id)
  }

  /** Calls back after each change of a leased world. */
  onChange(listener: (change: WorldChange) => void): void {
    this.#events.on('change', listener)
  }

  /** Makes resets of a world restore its present state. */
  async markStart(id: string): Promise<void> {
    await this.#processes?.workers.ask({ what: 'markStart', id })
  }

  /** Leaves what a world has done since this journal cursor in the trace folder, under the id `as`. */
  async leaveTrace(id: string, as: string, since: number): Promise<void> {
    await this.#processes?.workers.ask({ what: 'leaveTrace', id, as, since })
  }

  /** To be called when a world refuses connections. Resolves when it is known to be lost. */
  async unreachable(id: string): Promise<void> {
    // A process refuses connections a moment before its exit is reported.
    const signal = AbortSignal.timeout(lossWithinMs)
    if (this.#alive.has(id)) await succeeds(once(this.#events, `lost-${id}`, { signal }))
    if (!this.#alive.has(id)) return
    this.#lose(id, 'it does not take connections any more')
    void succeeds(this.#processes!.workers.ask({ what: 'stop', id }))
  }

  /** Starts the worlds that are kept warm. */
  warmUp(): void {
    this.#serve()
  }

  /** Refuses leases from now on; resolves when the last one has ended, or the signal is aborted. */
  async drain(signal: AbortSignal): Promise<void> {
    this.#isDraining = true
    for (const waiting of [...this.#waiting]) waiting.settle(Promise.reject(stopping()))
    const isBusy = () => this.#running().length > 0 || this.counts().starting > 0
    while (isBusy() && !signal.aborted) await succeeds(once(this.#events, 'settled', { signal }))
  }

  /** Ends all worlds within five seconds. */
  async end(): Promise<void> {
    this.#isDraining = true
    this.#hasEnded = true
    for (const waiting of [...this.#waiting]) waiting.settle(Promise.reject(stopping()))
    for (const id of [...this.#ready.keys()]) this.#takeReady(id)
    for (const timer of this.#leaseTimers.values()) clearTimeout(timer)
    await this.#processes?.workers.end()
    this.#processes?.sockets.remove()
  }

  /** Of the leased worlds that are not lost. */
  #running(): string[] {
    return this.all().flatMap(({ id, lost }) => (lost === undefined ? id : []))
  }

  /** Calls back those that `onChange` has taken. */
  publish(change: WorldChange): void {
    this.#events.emit('change', change)
    this.#events.emit('settled')
  }

  #extend(id: string, change: 'leased' | 'renewed'): LeasedWorld | undefined {
    const lease = this.#leases.get(id)
    if (!lease) return undefined
    const ms = lease.leaseSeconds * 1000
    const world = { ...lease, leaseUntilMs: Date.now() + ms }
    this.#leases.set(id, world)
    clearTimeout(this.#leaseTimers.get(id))
    this.#leaseTimers.set(id, setTimeout(() => this.release(id), ms).unref())
    this.publish({ change, world })
    return world
  }

  #wait(request: LeaseRequest): Promise<LeasedWorld> {
    const { waitMs = 30_000 } = this.#options
    const { signal } = request
    return new Promise((resolve) => {
      const refuse = (why: string) => waiting.settle(Promise.reject(new NoWorldError(why)))
      const onAbort = () => refuse('the caller has disconnected')
      const late = () => refuse(`none was released within ${waitMs / 1000} s`)
      const timer = setTimeout(late, waitMs).unref()
      const waiting: Waiting = {
        request,
        settle: (lease) => {
          clearTimeout(timer)
          signal?.removeEventListener('abort', onAbort)
          this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
          resolve(lease)
        },
      }
      signal?.addEventListener('abort', onAbort)
      this.#waiting.push(waiting)
      if (signal?.aborted) onAbort()
    })
  }

  /** Serves the requests that wait, as far as there are worlds or room, and starts those that are kept warm. */
  #serve(): void {
    const { keepWarm, maxWorlds } = this.#options
    this.#events.emit('settled')
    if (this.#isDraining) return
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      const beginning = this.#find(next.request.wishes)
      if (!beginning) return
      next.settle(this.#grant(next.request, beginning))
    }
    while (this.#ready.size + this.#warming < keepWarm && this.#alive.size < maxWorlds)
      void this.#warm()
  }

  /** Takes a ready world, or starts one. Undefined when there is no room for another one. */
  #find(wishes: WorldWishes): Promise<WorldBeginning> | undefined {
    const hasRoom = this.#alive.size < this.#options.maxWorlds
    // Forks need new nodes, so no ready world helps while there is room for another.
    const [id] = areForked(wishes) && hasRoom ? [] : this.#ready.keys()
    const ready = id === undefined ? undefined : this.#takeReady(id)
    if (ready && Object.keys(wishes).length === 0) return Promise.resolve(ready)
    return ready || hasRoom ? this.#bring(wishes, ready?.id) : undefined
  }

  async #grant(request: LeaseRequest, beginning: Promise<WorldBeginning>): Promise<LeasedWorld> {
    const { leaseSeconds, name, prepare } = request
    const { id, apiKey, socket } = await beginning.catch((error) => {
      this.#serve() // The failed world has left room for another one.
      throw error
    })
    if (!this.#alive.has(id)) throw new NoWorldError('it ended as soon as it had begun')
    const leasedMs = Date.now()
    const leaseUntilMs = leasedMs + leaseSeconds * 1000
    const times = { leasedMs, leaseSeconds, leaseUntilMs }
    const world: LeasedWorld = {
      id,
      apiKey,
      socket,
      ...times,
      failedTests: [],
      flakyTests: [],
      passedTests: [],
      ...(name && { name }),
    }
    this.#leases.set(id, world)
    try {
      await prepare?.(world)
    } catch (error) {
      this.release(id)
      throw error
    }
    this.#granted++
    return this.#extend(id, 'leased') ?? world
  }

  /** Makes a world ready for the next lease: a new one, or one that was released. */
  async #warm(from?: string): Promise<void> {
    this.#warming++
    try {
      const world = await this.#bring({}, from)
      if (this.#alive.has(world.id)) this.#keepReady(world)
      this.#warming--
      this.#serve()
    } catch (error) {
      this.#warming--
      // The next lease or return tries again; an immediate retry would fail for the same reason.
      if (!this.#hasEnded)
        this.#options.onError('(warm)', 'a world could not be made ready', error as Error)
    }
  }

  #keepReady(world: WorldBeginning): void {
    const { keepWarm, idleMs = 60_000 } = this.#options
    const onIdle = () => {
      if (this.#ready.size > keepWarm && this.#takeReady(world.id)) void this.#stop(world.id)
    }
    this.#ready.set(world.id, { world, timer: setTimeout(onIdle, idleMs).unref() })
  }

  #takeReady(id: string): WorldBeginning | undefined {
    const ready = this.#ready.get(id)
    clearTimeout(ready?.timer)
    this.#ready.delete(id)
    return ready?.world
  }

  /** A new world. It reuses the nodes of the world `from` if those can be reset; `from` itself ends in any case. */
  async #bring(wishes: WorldWishes, from?: string): Promise<WorldBeginning> {
    if (this.#hasEnded) throw stopping()
    this.#processes ??= {
      sockets: socketPlace(),
      workers: this.#startWorkers(this.#options, (report) => this.#onReport(report)),
    }
    const { workers, sockets } = this.#processes
    const id = drawWorldId()
    const { clock } = this.#options
    const place = { id, apiKey: drawKey(), socket: sockets.of(id) }
    const world = { ...(clock && { clock }), ...wishes, ...place }
    this.#alive.add(id)
    try {
      if (from !== undefined) {
        this.#alive.delete(from)
        if (await succeeds(workers.ask({ what: 'restart', id: from, world }))) return world
        this.#alive.add(id) // The failed restart may have reported it as lost.
      }
      await workers.ask({ what: 'start', world })
      return world
    } catch (error) {
      this.#alive.delete(id)
      // `end` has killed its process, which is no defect.
      throw this.#hasEnded ? stopping() : error
    }
  }

  /** Ends a world, which counts until it has ended. */
  async #stop(id: string): Promise<void> {
    await succeeds(this.#processes!.workers.ask({ what: 'stop', id }))
    this.#alive.delete(id)
    this.#serve()
  }

  #onReport(report: WorldReport): void {
    const { onError, onRequest } = this.#options
    if (report.type === 'lost') this.#lose(report.id, report.reason)
    else if (report.type === 'request') onRequest(report.id, report.line)
    else {
      const { id, message, stack } = report
      onError(id, message, Object.assign(new Error(), { stack }))
    }
  }

  #lose(id: string, reason: string): void {
    if (!this.#alive.delete(id) || this.#hasEnded) return
    this.#lost++
    this.#takeReady(id)
    const leased = this.#leases.get(id)
    if (leased) {
      const world = { ...leased, lost: reason }
      this.#leases.set(id, world)
      this.publish({ change: 'lost', world, reason })
    }
    this.#events.emit(`lost-${id}`)
    this.#serve()
  }
}

function stopping(): NoWorldError {
  return new NoWorldError('the simulator is being stopped', 'no_room')
}

function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  )
}
