import type { IncomingMessage } from 'node:http'
import type { RequestHandler } from 'express'
import { networkOfRpcPath, type RpcProxy } from '../../chain/proxy/proxy.js'
import { ServiceError } from '../../lib/errors.js'
import { type Ids, isDrawnKey } from '../../lib/ids.js'
import type { LeasedWorld } from '../../worlds/lease.js'
import type { Worlds } from '../../worlds/pool.js'
import { type ApiKey, ownSecrets } from '../core/apiKeys.js'
import { requestIdHeader } from '../core/headers.js'
import { requestUrl } from '../core/request.js'
import type { Bind } from '../core/types.js'
import { unknownKey } from '../pipeline/auth.js'
import { foreignRpc, refusedAtFront, socketHasToken } from '../pipeline/guard.js'
import { answerRaw } from '../server/declineUpgrade.js'
import type { HttpHandler } from '../server/listen.js'
import type { Relay } from './relay.js'

export type WorldLookup = Pick<Worlds, 'ofId' | 'ofKey'>

/** The world that a request addresses. */
export interface AddressedWorld {
  /** Undefined when no world has the id in the path. */
  world: LeasedWorld | undefined
  id: string | undefined
  /** Path and query as the world itself knows them. */
  url: string
}

/**
 * `/_sim/worlds/ID/...` and `/worlds/ID/rpc/...`. The rest of the path begins with the slash after the id and is passed on unchanged, `..`
 * unresolved. Requests about the lease itself have no rest, `/renew` or `/failures`.
 */
const pathOfWorld =
  /^(?:(\/_sim)\/worlds\/([\w-]+)(?!\/(?:renew|failures)(?:[?#]|$))|\/worlds\/([\w-]+)(?=\/rpc\/))(\/.*)$/

/** For which world a request is, by its path or else by its key; undefined when it is for the first, or for the leases themselves. */
export function addressedWorld(
  req: Pick<IncomingMessage, 'url' | 'headers'>,
  worlds: WorldLookup,
): AddressedWorld | undefined {
  const { id, key, url } = worldNamed(req)
  if (id !== undefined) return { world: worlds.ofId(id), id, url }
  const world = key === undefined ? undefined : worlds.ofKey(key)
  return world && { world, id, url }
}

/** The world that a request names, by path or by bearer. */
interface WorldNamed {
  id?: string
  /** The bearer token, which may be a world's key. */
  key?: string
  /** Path and query as the world itself knows them. */
  url: string
}

/** The world that a request names. It may not exist. */
function worldNamed({ url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>): WorldNamed {
  const [, control = '', ofControl, ofRpc, rest] = pathOfWorld.exec(url) ?? []
  const id = ofControl ?? ofRpc
  if (id !== undefined) return { id, url: `${control}${rest}` }
  const key = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1]
  if (key === undefined || /^\/_sim\/worlds(?:[/?#]|$)/.test(url)) return { url }
  return { key, url }
}

/**
 * Refuses requests for worlds that do not run here. Beyond loopback, only a caller with a token learns which worlds exist. `own` are the keys
 * and tokens of this world.
 */
export function refuseOtherWorlds(
  worlds: WorldLookup,
  { bind, own }: { bind: Bind; own: readonly string[] },
): RequestHandler {
  const refuseLost = refuseLostWorlds(worlds)
  const isKey = (key: string): boolean => worlds.ofKey(key) !== undefined
  return (req, _res, next) => {
    const request = { url: requestUrl(req), headers: req.headers }
    const { id, key } = worldNamed(request)
    if (id === undefined && (key === undefined || own.includes(key))) return next()
    const refusal = id === undefined ? undefined : refusedAtFront(request, bind, isKey)
    if (refusal) throw refusal
    refuseLost(request)
    if (req.endpoint?.access !== undefined && isKeyOfOver(request, worlds, own))
      throw unknownKey(key!)
    next()
  }
}

/** Answers for worlds that there are not, or not any more: 404 for an id, 503 while the lease of a lost one lasts. */
function refuseLostWorlds(
  worlds: WorldLookup,
): (req: Pick<IncomingMessage, 'url' | 'headers'>) => void {
  return (req) => {
    const wanted = addressedWorld(req, worlds)
    if (!wanted) return
    if (wanted.world) throw worldLost(wanted.world)
    throw noWorld(wanted.id!)
  }
}

/**
 * Whether the bearer is the key of a world that has ended. Where no token is required, the control API and JSON-RPC would treat it as no key,
 * and a late client would change the default world.
 */
function isKeyOfOver(
  { url, headers }: Pick<IncomingMessage, 'url' | 'headers'>,
  worlds: WorldLookup,
  own: readonly string[],
): boolean {
  const { key } = worldNamed({ url, headers })
  return key !== undefined && isDrawnKey(key) && !own.includes(key) && !worlds.ofKey(key)
}

export function noWorld(id: string): ServiceError {
  return new ServiceError('not_found', `There is no world ${id.slice(0, 40)}`, {
    hint: 'It was released, its lease has expired, or it never existed. POST /_sim/worlds leases another.',
  })
}

/** The error for a world that ended while its client used it. */
export function worldLost({ id, lost }: Pick<LeasedWorld, 'id' | 'lost'>): ServiceError {
  return new ServiceError(
    'world_lost',
    `The world ${id} is lost: ${lost ?? 'its connection broke'}`,
    { hint: 'Lease another one with POST /_sim/worlds, and restart the test.' },
  )
}

/** The handler of all worlds: requests for a leased one go there, all others to the default world. */
export function withWorlds(
  first: HttpHandler,
  worlds: Pick<Worlds, 'ofId' | 'ofKey' | 'unreachable'>,
  relay: Relay,
): HttpHandler {
  const runningFor = (req: Parameters<HttpHandler['handle']>[0]) => {
    const { world, url } = addressedWorld(req, worlds) ?? {}
    // The default world's app refuses the others.
    return world && world.lost === undefined
      ? { id: world.id, socketPath: world.socket, url: url! }
      : undefined
  }
  return {
    requestId: first.requestId,
    app: first.app,
    handle(req, res) {
      const to = runningFor(req)
      if (!to) return first.handle(req, res)
      relay.pass(req, res, to, () => {
        void worlds.unreachable(to.id).then(() => first.handle(req, res))
      })
    },
    upgrade(req, socket, head) {
      const to = runningFor(req)
      if (!to) return first.upgrade(req, socket, head)
      relay.upgrade(req, socket, head, to, async () => {
        await worlds.unreachable(to.id)
        const world = worlds.ofId(to.id)
        answerRaw(socket, world ? worldLost(world) : noWorld(to.id), first.requestId())
      })
      return true
    },
  }
}

/** Passes WebSocket connections on to the network's node, under the same access rules as JSON-RPC over HTTP. */
export function rpcUpgrade(
  rpc: Pick<RpcProxy, 'handleUpgrade'>,
  { bind, worlds }: { bind: Bind; worlds?: WorldLookup },
  ids: Pick<Ids, 'request'>,
  keys: readonly ApiKey[] = [],
): HttpHandler['upgrade'] {
  const own = ownSecrets(keys, bind)
  return (req, socket, head) => {
    const network = networkOfRpcPath(req.url)
    // Answered as a plain request, it gets the reason.
    if (!network || foreignRpc(req.headers, bind) || !socketHasToken(req, bind)) return false
    if (worlds && isKeyOfOver(req, worlds, own)) return false
    rpc.handleUpgrade(network, req, socket, head, [`${requestIdHeader}: ${ids.request()}`])
    return true
  }
}
