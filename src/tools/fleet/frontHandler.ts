import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Bind } from '../../http/core/types.js'
import { refusedAtFront } from '../../http/pipeline/guard.js'
import { answerRaw } from '../../http/server/declineUpgrade.js'
import type { HttpHandler } from '../../http/server/listen.js'
import type { Relay } from '../../http/server/relay.js'
import { noWorld, worldLost } from '../../http/worlds/worldRouter.js'
import { ServiceError } from '../../lib/errors.js'
import { addressOfWorker, frontHeaders, type WorkerLine } from './askWorker.js'
import {
  DirectoryError,
  type FleetDirectory,
  type FoundLease,
  fleetUnavailable,
} from './directory.js'
import { type Locator, type NamedWorld, namedIn } from './locator.js'
import { hashOfKey } from './membership.js'

/** What a front passes requests on with. */
export interface FrontHandlerOptions {
  directory: FleetDirectory
  locator: Locator
  relay: Relay
  line: Pick<WorkerLine, 'watch'>
  bind: Bind
  /** What workers know it by. */
  token: string | undefined
  requestId(): string
  /** Answers what is for no world; and a request that is refused, with the reason. */
  app(req: IncomingMessage, res: ServerResponse, refusal?: FrontRefusal): void
}

/** Why a request is passed on to nobody. */
export interface FrontRefusal {
  problem: ServiceError
  /** The lease that it is about, where there is one. */
  lease?: FoundLease
}

/** Passes on what is for a world to its worker, and everything else to the app of the front. */
export function frontHandler(options: FrontHandlerOptions): HttpHandler {
  const { locator, relay, line, bind, token, app, requestId } = options

  /** Why it is not passed on. */
  const refusalOf = (req: IncomingMessage, lease: FoundLease): FrontRefusal | undefined => {
    const problem = refusedAtFront(req, bind, (given) => hashOfKey(given) === lease.keyHash)
    if (problem) return { problem }
    return lease.lost === undefined ? undefined : { problem: worldLost(lease), lease }
  }
  const targetOf = ({ worker }: FoundLease, { url = '/' }: IncomingMessage) => {
    return { address: addressOfWorker(worker.url), url, headers: frontHeaders(worker.id, token) }
  }
  const pass = (req: IncomingMessage, res: ServerResponse, lease: FoundLease): void => {
    const refusal = refusalOf(req, lease)
    if (refusal) {
      app(req, res, refusal)
      return
    }
    const giveUp = relay.pass(req, res, targetOf(lease, req), (how) => {
      void whyUnreached(options, lease, how).then((problem) => app(req, res, { problem, lease }))
    })
    res.once('close', line.watch(lease.worker, giveUp))
  }
  const passSocket = (req: IncomingMessage, lease: FoundLease, ...[socket, head]: Ends): void => {
    const giveUp = relay.upgrade(req, socket, head, targetOf(lease, req), (how) => {
      void whyUnreached(options, lease, how).then((problem) =>
        answerRaw(socket, problem, requestId()),
      )
    })
    socket.once('close', line.watch(lease.worker, giveUp))
  }
  return {
    requestId,
    handle(req, res) {
      const named = namedIn(req)
      if (!named) return app(req, res)
      const known = locator.known(named)
      if (known) return pass(req, res, known)
      locator.find(named).then(
        (found) => {
          if (found) pass(req, res, found)
          else app(req, res, absent(named))
        },
        (error: unknown) => app(req, res, { problem: asProblem(error) }),
      )
    },
    upgrade(req, socket, head) {
      const named = namedIn(req)
      const known = named && locator.known(named)
      // Refused, it is answered as a plain request, and hears why.
      if (!named || (known && refusalOf(req, known))) return false
      if (known) passSocket(req, known, socket, head)
      else
        locator.find(named).then(
          (found) => {
            const refusal = found ? refusalOf(req, found) : (absent(named) ?? unknownKey)
            if (refusal) answerRaw(socket, refusal.problem, requestId())
            else passSocket(req, found!, socket, head)
          },
          (error: unknown) => answerRaw(socket, asProblem(error), requestId()),
        )
      return true
    },
  }
}

type Ends = [socket: Parameters<HttpHandler['upgrade']>[1], head: Buffer]

const unknownKey: FrontRefusal = { problem: new ServiceError('invalid_api_key', 'Invalid API key') }

/** What a path names has to be there; a bearer may be no key at all. */
function absent({ id }: NamedWorld): FrontRefusal | undefined {
  return id === undefined ? undefined : { problem: noWorld(id) }
}

function asProblem(error: unknown): ServiceError {
  if (error instanceof DirectoryError) return fleetUnavailable(error)
  return new ServiceError('internal_error', 'An unexpected error occurred', { cause: error })
}

/**
 * A worker that refuses connections has ended, and so have its worlds, whatever comes back at its place. One of which nothing is heard
 * may only be cut off from this front: it is lost when the directory does not hear of it either.
 */
async function whyUnreached(
  { directory, locator }: FrontHandlerOptions,
  { id, worker }: FoundLease,
  how: 'refused' | 'silent',
): Promise<ServiceError> {
  const known = how === 'silent' ? await directory.workers().catch(() => undefined) : []
  if (!known || known.some((other) => other.id === worker.id))
    return new ServiceError('fleet_unavailable', `The worker of the world ${id} is not heard of`, {
      hint: 'The network between the front and the worker may be cut. Try again in a moment.',
    })
  const reason =
    how === 'refused'
      ? `its worker takes no connections at ${worker.url} any more`
      : `nothing is heard of its worker at ${worker.url} any more`
  locator.lose(worker.id, reason)
  // Should the directory not hear of it: every front finds out by itself.
  await directory.giveUp(worker.id, reason).catch(() => {})
  return worldLost({ id, lost: reason })
}
