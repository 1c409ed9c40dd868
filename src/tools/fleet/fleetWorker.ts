import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { HttpLog } from '../../http/core/log.js'
import { defaultCorsOrigins } from '../../http/core/originPolicy.js'
import { listen } from '../../http/server/listen.js'
import { fleetHeaders } from '../../http/server/relay.js'
import { worldLost } from '../../http/worlds/worldRouter.js'
import { createIds } from '../../lib/ids.js'
import { keepProcessAlive } from '../../lib/keepProcessAlive.js'
import { composeWorlds } from '../../simulator/composeWorlds.js'
import type { WorldSettings } from '../../simulator/worldHost.js'
import { joinFleet } from './membership.js'
import { redisDirectory } from './redisDirectory.js'
import { workerHandler } from './workerHandler.js'

/** What a worker of a fleet is started with. */
export interface FleetWorkerOptions {
  /** URL of the Redis of the fleet. */
  directoryUrl: string
  host: string
  port: number
  /** Where fronts reach it; where it listens when absent. */
  advertise?: string | undefined
  token?: string | undefined
  worlds?: number | undefined
  maxWorlds?: number | undefined
  corsOrigins?: readonly string[]
  rpcUnsafe?: boolean
  /** Where forks keep what they read, and how often they may ask. */
  forkLimits?: WorldSettings['forkLimits']
  log: HttpLog
  say(line: string): void
}

/** A worker that runs. */
export interface RunningWorker {
  id: string
  url: string
  /** Takes no more leases, waits until all have ended or for so long, and ends. */
  leave(drainSeconds: number): Promise<void>
  /** Resolves when the fleet has given it up: its worlds count as lost, and it has to be started anew. */
  givenUp: Promise<void>
}

const lost = 'its worker has left the fleet'

/** Starts a worker: worlds of this machine, for the fronts of a fleet. */
export async function startFleetWorker(options: FleetWorkerOptions): Promise<RunningWorker> {
  const { host, port, token, worlds, maxWorlds, log, say } = options
  const listening = await listen({ host, port }, () => false)
  const release = keepProcessAlive()
  const url = options.advertise ?? listening.url
  const id = `wrk_${randomBytes(9).toString('base64url')}`
  let onGivenUp = (): void => {}
  const givenUp = new Promise<void>((resolve) => {
    onGivenUp = resolve
  })
  const directory = redisDirectory({
    url: options.directoryUrl,
    onReached() {
      say('the directory is reached')
      membership.sayAgain()
    },
    onUnreached: (reason) => say(`the directory cannot be reached (${reason}); trying on`),
  })
  const membership = joinFleet({ directory, worker: { id, url }, onGivenUp })
  const bind = {
    host: '127.0.0.1',
    allowedHosts: [],
    corsOrigins: options.corsOrigins ?? defaultCorsOrigins,
    isBehindFront: true,
  }
  const parts = composeWorlds(
    {
      ...(worlds === undefined ? {} : { worlds }),
      ...(maxWorlds === undefined ? {} : { maxWorlds }),
    },
    {
      settings: {
        bind,
        rpcUnsafe: options.rpcUnsafe ?? false,
        rpcTimeoutMs: undefined,
        readTimeoutMs: 30_000,
        longPollMs: undefined,
        bridgeDelayMs: 2_000,
        noUi: false,
        forkLimits: options.forkLimits ?? {},
        url: listening.url,
        ...(token === undefined ? {} : { ownHeaders: { [fleetHeaders.token]: token } }),
        scenarioFolder: undefined,
      },
      log,
      // Whoever waits, waits at a front: another worker may have room first.
      maxWaiting: 0,
      announced: membership.wrap,
    },
  )
  const ids = createIds(BigInt(`0x${randomBytes(8).toString('hex')}`))
  listening.serve(
    workerHandler({
      workerId: id,
      token,
      leases: parts.leases,
      bind,
      log,
      requestId: ids.request,
      wrap: parts.wrap,
    }),
  )
  parts.warmUp()
  membership.begin()
  return {
    id,
    url,
    givenUp,
    async leave(drainSeconds) {
      const waited = new AbortController()
      const late = sleep(drainSeconds * 1000, undefined, { signal: waited.signal }).catch(() => {})
      await Promise.race([membership.leave(), late])
      waited.abort()
      await membership.end(lost)
      const ending = parts.end()
      // A front that waits for a lease here asks elsewhere then.
      await listening.drain(1_000, worldLost({ id: 'of this request', lost }))
      await ending
      await listening.close()
      await directory.close()
      release()
    },
  }
}
