import type { Worlds } from '../../worlds/pool.js'
import { answerRaw } from '../server/declineUpgrade.js'
import type { HttpHandler } from '../server/listen.js'
import type { Relay } from '../server/relay.js'
import { noWorld, worldAsked, worldLost } from './worldOf.js'

/** The handler of all worlds: what is for a leased one goes there, everything else to the first. */
export function withWorlds(
  first: HttpHandler,
  worlds: Pick<Worlds, 'ofId' | 'ofKey' | 'unreachable'>,
  relay: Relay,
): HttpHandler {
  const runningFor = (req: Parameters<HttpHandler['handle']>[0]) => {
    const { world, url } = worldAsked(req, worlds) ?? {}
    // The first one's app says what is wrong with others.
    return world && world.lost === undefined
      ? { id: world.id, address: { socketPath: world.socket }, url: url! }
      : undefined
  }
  return {
    requestId: first.requestId,
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
