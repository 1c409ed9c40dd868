import { randomBytes } from 'node:crypto'
import type { HttpLog } from '../../http/core/log.js'
import type { Bind } from '../../http/core/types.js'
import { listen } from '../../http/server/listen.js'
import { createRelay } from '../../http/server/relay.js'
import { createIds } from '../../lib/ids.js'
import { keepProcessAlive } from '../../lib/keepProcessAlive.js'
import { createWorkerLine } from './askWorker.js'
import { announceEveryMs } from './directory.js'
import { createFrontApp } from './frontApp.js'
import { frontHandler } from './frontHandler.js'
import { createLocator } from './locator.js'
import { createPlacing } from './placing.js'
import { redisDirectory } from './redisDirectory.js'

/** What a front of a fleet is started with. */
export interface FleetFrontOptions {
  /** URL of the Redis of the fleet. */
  directoryUrl: string
  port: number
  /** The host to listen on, and who may call. */
  bind: Bind
  /** The token that the workers of the fleet ask for (`--fleet-token`); none when absent. */
  token?: string | undefined
  /** How long a request for a lease waits for room; 30 s. */
  waitMs?: number
  log: HttpLog
  say(line: string): void
}

/** A running front. */
export interface RunningFront {
  url: string
  /** Answers pending requests, for up to two seconds, and ends. */
  close(): Promise<void>
}

/** Starts a front, which relays to all worlds of a fleet and runs none itself. A fleet may have any number of fronts. */
export async function startFleetFront(options: FleetFrontOptions): Promise<RunningFront> {
  const { port, bind, token, waitMs, log, say } = options
  const listening = await listen({ host: bind.host, port }, () => false)
  const release = keepProcessAlive()
  /** After a reconnect, Redis may lack recent leases until workers announce them; until this `performance.now()` a miss is retried. */
  let announcedByMs = 0
  const directory = redisDirectory({
    url: options.directoryUrl,
    onReached() {
      say('the directory is reached')
      announcedByMs = performance.now() + announceEveryMs
    },
    onUnreached: (reason) => say(`the directory cannot be reached (${reason}); trying on`),
  })
  const locator = createLocator(directory, () => performance.now() < announcedByMs)
  const line = createWorkerLine(token)
  const placing = createPlacing({ directory, line, ...(waitMs === undefined ? {} : { waitMs }) })
  const relay = createRelay()
  const ids = createIds(BigInt(`0x${randomBytes(8).toString('hex')}`))
  const common = { directory, bind, requestId: ids.request }
  const app = createFrontApp({ ...common, placing, line, log, routes: loadRoutes })
  listening.serve(frontHandler({ ...common, token, relay, line, locator, app }))
  return {
    url: listening.url,
    async close() {
      placing.end()
      await listening.drain(2_000, {
        code: 'fleet_unavailable',
        message:
          'This front is being stopped; the request did not come to its end in time. Try again',
      })
      await listening.close()
      relay.close()
      line.close()
      await directory.close()
      release()
    },
  }
}

/** Loaded on demand: only the API documents need them. */
async function loadRoutes() {
  const [{ routesOf }, { planKinds }] = await Promise.all([
    import('../../http/allRoutes.js'),
    import('../../service/plans/kinds/index.js'),
  ])
  return routesOf(planKinds)
}
