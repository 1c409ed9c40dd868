import { randomBytes } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { type SocketPlace, socketPlace } from '../chain/process/unreachable.js'
import { drawKey } from '../lib/drawKey.js'
import type { ClockStart } from '../time/clock.js'
import { createAnswerTotals } from './answerTotals.js'
import type { WorldBeginning } from './messages.js'
import { NoWorldError } from './queue.js'
import { createWorkers, type WorkerOptions, type Workers } from './workers.js'

/** What the caller wants a world to begin with; absent fields take the default. */
export type WorldWishes = Pick<WorldBeginning, 'seed' | 'clock' | 'fork' | 'bundle'>

/** Starts and ends worlds, and knows which are running. */
export interface WorldSupply {
  /** A new world. It reuses the nodes of the world `from` if those can be reset; `from` itself ends in any case. */
  bring(wishes: WorldWishes, from?: string): Promise<WorldBeginning>
  has(id: string): boolean
  /** How many there are, including those being started. */
  size(): number
  /** How many have ended by themselves. */
  lost(): number
  /** Ends a world, which counts until it has ended. */
  stop(id: string): Promise<void>
  /** To be called when a world refuses connections. Resolves when it is known to be lost. */
  unreachable(id: string): Promise<void>
  /** Makes the present state of a world the one that its resets restore. */
  markStart(id: string): Promise<void>
  /** How often each answer was given, by its key: by these worlds so far, and by all whose place another one has taken. */
  answers(ids: readonly string[]): Promise<ReadonlyMap<string, number>>
  hasEnded(): boolean
  /** Ends everything within five seconds. */
  end(): Promise<void>
}

/** How worlds are started. */
export interface SupplyOptions extends Omit<WorkerOptions, 'onLost' | 'onAnswers'> {
  /** The clock of worlds for which nobody wishes another one; the machine's when absent. */
  clock?: ClockStart
}

/** How long after a refused connection the exit of the worker may still be reported. Milliseconds. */
const lossWithinMs = 1_000

/** No process is started before the first world is needed. `onLost` is called for worlds that ended by themselves. */
export function createSupply(
  { clock, ...options }: SupplyOptions,
  onLost: WorkerOptions['onLost'],
): WorldSupply {
  const totals = createAnswerTotals()
  const alive = new Set<string>()
  const losses = new EventEmitter()
  let lostCount = 0
  let hasEnded = false
  let ground: { workers: Workers; sockets: SocketPlace } | undefined

  const lose = (id: string, reason: string): void => {
    if (!alive.delete(id) || hasEnded) return
    totals.over(id)
    lostCount++
    onLost(id, reason)
    losses.emit(id)
  }
  const stopped = () => new NoWorldError('the simulator is being stopped')
  const grounded = () => {
    if (hasEnded) throw stopped()
    ground ??= {
      sockets: socketPlace(),
      workers: createWorkers({ ...options, onLost: lose, onAnswers: totals.report }),
    }
    return ground
  }
  return {
    async bring(wishes, from) {
      const { workers, sockets } = grounded()
      const id = drawId()
      const world = {
        ...(clock && { clock }),
        ...wishes,
        id,
        apiKey: drawKey(),
        socket: sockets.of(id),
      }
      alive.add(id)
      if (from !== undefined) alive.delete(from)
      try {
        if (from !== undefined) {
          totals.awaitLast(from)
          const isThere = await succeeds(workers.again(from, world))
          totals.over(from)
          if (isThere) return world
        }
        alive.add(id) // The failed restart may have reported it as lost.
        await workers.start(world)
        return world
      } catch (error) {
        alive.delete(id)
        // `end` has killed its process, which is no defect.
        throw hasEnded ? stopped() : error
      }
    },
    has: (id) => alive.has(id),
    size: () => alive.size,
    lost: () => lostCount,
    async stop(id) {
      await succeeds(grounded().workers.stop(id))
      alive.delete(id)
    },
    async unreachable(id) {
      // A process refuses connections a moment before its exit is reported.
      const signal = AbortSignal.timeout(lossWithinMs)
      if (alive.has(id)) await succeeds(once(losses, id, { signal }))
      if (!alive.has(id)) return
      lose(id, 'it does not take connections any more')
      void succeeds(grounded().workers.stop(id))
    },
    markStart: (id) => grounded().workers.markStart(id),
    async answers(ids) {
      // None that ends meanwhile is asked in vain: its last report comes.
      if (ids.length > 0)
        await Promise.all(ids.map((id) => succeeds(grounded().workers.report(id))))
      return totals.sums()
    },
    hasEnded: () => hasEnded,
    async end() {
      hasEnded = true
      await ground?.workers.end()
      ground?.sockets.remove()
    },
  }
}

function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  )
}

/** A random id that cannot be guessed. */
function drawId(): string {
  const digits = BigInt(`0x${randomBytes(12).toString('hex')}`).toString(36)
  return `wld_${digits.padStart(12, '0').slice(-12)}`
}
