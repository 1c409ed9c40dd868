import type { IncomingMessage, ServerResponse } from 'node:http'
import { notReadyYet } from '../chain/process/health.js'
import { type HttpLog, stackOf } from '../http/core/log.js'
import { allowedHost, defaultCorsOrigins } from '../http/core/originPolicy.js'
import type { Bind, WorldLeases } from '../http/core/types.js'
import type { TraceSources } from '../observe/trace/content.js'
import { advertisedUrl } from './options/optionSpec.js'
import type { SimulatorOptions } from './options/options.js'
import type { Parts } from './stop.js'

/** The data folder, or the folder that an export is unpacked to. */
export async function dataDirOf(
  parts: Parts,
  { snapshot, fromExport = snapshot, dataDir }: SimulatorOptions,
  progress: (step: string) => void,
): Promise<string | undefined> {
  if (fromExport === undefined) return dataDir
  const { folderOfExport } = await import('./options/exportFolder.js')
  const unpacked = await folderOfExport(fromExport, dataDir, progress)
  parts.unpacked = unpacked
  return unpacked.dataDir
}

/** Loads the trace writer on demand, because most starts need none. */
export async function tracingTo(file: string) {
  const { folderForWorlds, createTraceWriter } = await import('../observe/trace/traceWriter.js')
  const folder = folderForWorlds()
  return {
    folder,
    keep: (
      sources: TraceSources,
      onError: (error: Error) => void,
      leaseOf: WorldLeases['known'] = () => undefined,
    ) => createTraceWriter({ file, folder, leaseOf }, sources, onError),
  }
}

export function bindOf(host: string, options: SimulatorOptions): Bind {
  const { controlToken, allowedHosts = [], corsOrigins = defaultCorsOrigins } = options
  const advertise =
    options.advertise === undefined ? undefined : advertisedUrl.parse(options.advertise)
  const names = advertise === undefined ? [] : [new URL(advertise).hostname]
  return {
    host,
    advertise,
    controlToken,
    allowedHosts: [...allowedHosts, ...names].map(allowedHost),
    corsOrigins,
  }
}

/** Removes the path of the advertised URL from requests that a proxy passes on unchanged. */
export function withoutPathOf(advertise: string | undefined): (url: string) => string {
  const prefix = advertise === undefined ? '' : new URL(advertise).pathname.replace(/\/+$/, '')
  if (prefix === '') return (url) => url
  return (url) => {
    const rest = url.startsWith(prefix) ? url.slice(prefix.length) : url
    if (rest === '' || rest.startsWith('?')) return `/${rest}`
    return rest.startsWith('/') ? rest : url
  }
}

/** Answers the health routes until the nodes are up: live, not ready. Other requests wait. */
export function answerWhileStarting(req: IncomingMessage, res: ServerResponse): boolean {
  const path = req.url?.split('?')[0]
  if (req.method !== 'GET' || (path !== '/health/live' && path !== '/health/ready')) return false
  const live = path === '/health/live'
  res.writeHead(live ? 200 : 503, { 'content-type': 'application/json; charset=utf-8' })
  res.end(JSON.stringify(live ? { status: 'live' } : notReadyYet()))
  return true
}

/** The log. The built-in JSON log masks all keys and tokens. */
export async function logOf(
  { log = 'pretty', revokedApiKeys = [], controlToken }: SimulatorOptions,
  apiKeys: readonly string[],
): Promise<HttpLog> {
  if (typeof log === 'object') return log
  if (log === 'pretty')
    return {
      debug() {},
      error: (message, cause) => void process.stderr.write(`${message}: ${stackOf(cause)}\n`),
    }
  const { jsonLog } = await import('../http/core/jsonLog.js')
  const secrets = [...apiKeys, ...revokedApiKeys, controlToken ?? []].flat()
  return jsonLog(secrets, (line) => void process.stderr.write(line))
}
