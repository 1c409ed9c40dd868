import type { SimIndex } from '../../../http/routes/control/connect.js'

/** A simulator that already listens on a port. */
export interface Neighbour {
  /** A sentence about it, with its URL, version and folder. */
  text: string
}

/** How long to wait for what listens there. Milliseconds. */
const answerWithinMs = 2_000

/** The simulator that listens on this port; undefined when something else does. */
export async function findNeighbour(at: {
  host: string
  port: number
}): Promise<Neighbour | undefined> {
  const url = `http://${nameOf(at.host)}:${at.port}`
  try {
    const answer = await fetch(`${url}/_sim`, { signal: AbortSignal.timeout(answerWithinMs) })
    const body: unknown = await answer.json()
    if (!answer.headers.has('x-svc-sim-request-id')) return undefined
    return { text: isIndex(body) ? described(url, body) : `svc-sim already runs at ${url}.` }
  } catch {
    // Nobody answers, or not in JSON: it is none of ours.
    return undefined
  }
}

function described(url: string, { version, process, startedIn, dataDir }: SimIndex): string {
  const state = dataDir === null ? 'its state in memory' : `its state in ${dataDir}`
  return `svc-sim ${version} already runs at ${url} (process ${process}, started in ${startedIn}, ${state}).`
}

function isIndex(body: unknown): body is SimIndex {
  return (body as Partial<SimIndex> | null)?.name === 'svc-sim'
}

/** An address that stands for all of them cannot be asked. */
function nameOf(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}
