import { availableParallelism } from 'node:os'
import type { HttpLog, LogEvent, RequestLine } from '../http/core/log.js'
import type { WorldLeases } from '../http/core/types.js'
import type { HttpHandler } from '../http/server/listen.js'
import { createRelay } from '../http/server/relay.js'
import { withWorlds } from '../http/worlds/worldRouter.js'
import { packageFile } from '../lib/files/packageFile.js'
import { createPool, type Worlds } from '../worlds/pool.js'
import { createLeases } from './leases.js'
import { defaultMostWorlds } from './options/options.js'
import type { WorldSettings } from './worldHost.js'

/** The worlds beside the first one. */
export interface WorldParts {
  leases: WorldLeases
  /** Sends what is for a leased world there, and everything else to this handler. */
  wrap(handler: HttpHandler): HttpHandler
  /** Starts the worlds that are kept ready. */
  warmUp(): void
  /** Ends all of them within five seconds. */
  end(): Promise<void>
}

/** The program of a worker: the built one. */
const workerFile = packageFile('dist/worker.js')

/** What is said of how many worlds there are. */
interface WorldCountOptions {
  worlds?: number
  maxWorlds?: number
}

/** What worlds are made with besides. */
interface WorldContextParts {
  settings: Omit<WorldSettings, 'logsRequests'>
  log: HttpLog
  /** How many requests for a lease may wait for a world. */
  mostWaiting?: number
  /** What else is done when worlds are leased. */
  announced?(worlds: Worlds): Worlds
}

/** What the log of a world was told, on its way from there. */
type WorldLine = { request: RequestLine } | { event: LogEvent }

function pass(log: HttpLog, world: string, line: WorldLine): void {
  if ('request' in line) log.request?.({ ...line.request, world })
  else log.happened?.({ ...line.event, world })
}

/** Puts together what leases worlds. Nothing is started. */
export function composeWorlds(
  { worlds: keepWarm = 0, maxWorlds: most = defaultMostWorlds }: WorldCountOptions,
  { settings, log, mostWaiting, announced = (worlds) => worlds }: WorldContextParts,
): WorldParts {
  const own: WorldSettings = { ...settings, logsRequests: log.request !== undefined }
  const pool = createPool({
    file: workerFile,
    settings: own,
    workers: availableParallelism(),
    keepWarm,
    most,
    ...(mostWaiting === undefined ? {} : { mostWaiting }),
    onError: (id, message, cause) => log.error(`world ${id}: ${message}`, cause),
    onRequest: (id, line) => pass(log, id, line as WorldLine),
  })
  const relay = createRelay()
  return {
    leases: createLeases(announced(pool), {
      url: settings.url,
      headers: settings.ownHeaders ?? {},
    }),
    wrap: (handler) => withWorlds(handler, pool, relay),
    warmUp: pool.warmUp,
    async end() {
      await pool.end()
      relay.close()
    },
  }
}
