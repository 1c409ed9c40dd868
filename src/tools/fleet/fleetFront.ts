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
  /** The Redis of the fleet. */
  directory: string
  port: number
  /** Its host, and who may call. */
  bind: Bind
  token?: string | undefined
  /** How long a request for a lease waits for room. */
  waitMs?: number
  log: HttpLog
  say(line: string): void
}

/** A front that runs. */
export interface RunningFront {
  url: string
  /** Answers what is under way, within two seconds, and ends. */
  close(): Promise<void>
}

/** Starts a front: it relays to all worlds of a fleet, with none of its own. There may be any number. */
export async function startFleetFront(options: FleetFrontOptions): Promise<RunningFront> {
  const { port, bind, token, waitMs, log, say } = options
  const listening = await listen({ host: bind.host, port }, () => false)
  const release = keepProcessAlive()
  /** One that is reached may just have gone back to what it once had. */
  let announcedByMs = 0
  const directory = redisDirectory({
    url: options.directory,
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

/** Only the documents need them. */
async function loadRoutes() {
  const [{ routesOf }, { planKinds }] = await Promise.all([
    import('../../http/allRoutes.js'),
    import('../../service/plans/kinds/index.js'),
  ])
  return routesOf(planKinds)
}
