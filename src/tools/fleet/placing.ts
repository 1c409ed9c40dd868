import { setTimeout as sleep } from 'node:timers/promises'
import { takesConnections } from '../../http/server/relay.js'
import { createQueue, NoWorldError } from '../../worlds/queue.js'
import {
  addressOfWorker,
  type WorkerAnswer,
  type WorkerLine,
  type WorkerQuestion,
} from './askWorker.js'
import { DirectoryError, type FleetDirectory, type FleetWorker } from './directory.js'

/** What a worker has answered to who asks for a lease. */
export interface PlacedLease extends WorkerAnswer {
  /** Gives the world back, where there is one. To be called when nobody was there to hear of it; does not fail. */
  release(): Promise<void>
}

/** Leases worlds where there is room. */
export interface Placing {
  /**
   * The answer of the worker that leases one. A worker that is asked is heard to the end, also when the question's signal is aborted: who
   * hangs up could not tell whether there is a world now. Rejects with `NoWorldError` when nobody has room in time or too many wait, with
   * `DirectoryError` when nobody can tell.
   */
  lease(question: WorkerQuestion): Promise<PlacedLease>
  /** How many requests wait. */
  waiting(): number
  /** Refuses those who wait. */
  end(): void
}

/** What leases are placed with, and how long and how many requests wait for room. */
export interface PlacingOptions {
  directory: FleetDirectory
  line: WorkerLine
  waitMs?: number
  maxWaiting?: number
}

type Place = Pick<FleetWorker, 'id' | 'url'>

/** A question that waits, until when it may. */
interface Waiting {
  question: WorkerQuestion
  untilMs: number
  signal?: AbortSignal
}

/** How long until it is asked again who has room, while requests wait. Milliseconds. */
const lookAgainMs = 100

/** Whoever comes first is placed first. */
export function createPlacing({
  directory,
  line,
  waitMs = 30_000,
  maxWaiting = 256,
}: PlacingOptions): Placing {
  const queue = createQueue<Waiting, PlacedLease>({ max: maxWaiting, waitMs })
  let isPlacing = false
  let trouble: DirectoryError | undefined

  /** Undefined while nobody has room. */
  const look = async (except: readonly string[] = []): Promise<Place | undefined> => {
    try {
      const place = await directory.place(except)
      trouble = undefined
      return place
    } catch (error) {
      if (!(error instanceof DirectoryError)) throw error
      trouble = error
      return undefined
    }
  }
  const begin = async (first: Place, request: Waiting): Promise<PlacedLease> => {
    const tried: string[] = []
    for (let place: Place | undefined = first; place; place = await look(tried)) {
      if (request.signal?.aborted) break // the queue says why
      const answer = await leaseAt(place, request.question)
      if (answer) return answer
      tried.push(place.id)
    }
    if (performance.now() < request.untilMs) return wait(request)
    throw new NoWorldError(`no worker had room within ${waitMs / 1000} s`)
  }
  /** Undefined when this worker has no room after all, is gone or another one by now, or cannot tell the directory of a lease. */
  const leaseAt = async (place: Place, { signal: _, ...question }: WorkerQuestion) => {
    try {
      const answer = await line.ask(place, question)
      if (answer.status === 429 || answer.status === 503) return undefined
      return { ...answer, release: () => release(place, question, answer) }
    } catch {
      if ((await takesConnections(addressOfWorker(place.url))) === 'refused')
        await directory
          .giveUp(place.id, `its worker takes no connections at ${place.url} any more`)
          .catch(() => {})
      return undefined
    }
  }
  /** If the worker does not hear of it, the lease expires by itself. */
  const release = async (place: Place, { headers }: WorkerQuestion, answer: WorkerAnswer) => {
    if (answer.status !== 201) return
    const { id } = JSON.parse(answer.text) as { id: string }
    const path = `/_sim/worlds/${id}`
    const { host = '' } = headers ?? {}
    await line.ask(place, { method: 'DELETE', path, headers: { host } }).catch(() => {})
  }
  const placeAll = async (): Promise<void> => {
    if (isPlacing) return
    isPlacing = true
    try {
      while (queue.first()) {
        const place = await look()
        const next = queue.first()
        if (place && next) next.settle(begin(place, next.request))
        else if (next) {
          queue.shorten()
          await sleep(lookAgainMs)
        }
      }
    } finally {
      isPlacing = false
    }
  }
  const wait = (request: Waiting): Promise<PlacedLease> => {
    const leased = queue.wait(request)
    void placeAll()
    return leased
  }
  return {
    async lease(question) {
      const { signal } = question
      const untilMs = performance.now() + waitMs
      return wait({ question, untilMs, ...(signal && { signal }) }).catch((error: unknown) => {
        throw error instanceof NoWorldError && trouble ? trouble : error
      })
    },
    waiting: queue.length,
    end: () => queue.refuseAll(new NoWorldError('the front is being stopped')),
  }
}
