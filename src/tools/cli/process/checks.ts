import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import type { Address } from 'viem'
import { readManifest, worldFiles } from '../../../chain/genesis/load.js'
import { runProblem } from '../../../chain/process/anvil.js'
import { socketPlace, socketProblem } from '../../../chain/process/unreachable.js'
import { networkNames } from '../../../deployments/networks.js'
import type { SimIndex } from '../../../http/routes/control/connect.js'
import { nodeProblem, oldestNode } from './nodeVersion.js'

export interface DoctorCheck {
  what: string
  found: string
  /** The remedy; absent when all is well. */
  cure?: string
}

/** Node is new enough. `version` as in `process.version`. */
export function checkNode(version: string): DoctorCheck {
  const check = { what: 'Node', found: version }
  if (nodeProblem(version) === undefined) return check
  return { ...check, cure: `Install Node ${oldestNode} or newer, from https://nodejs.org.` }
}

/** The anvil program is there, runs, and has the version that the simulator is made for. */
export async function checkAnvil(findBinary: () => string, pinned: string): Promise<DoctorCheck> {
  const what = 'anvil'
  let binary: string
  try {
    binary = findBinary()
  } catch (error) {
    return { what, found: 'not installed', cure: (error as Error).message }
  }
  try {
    const { stdout } = await promisify(execFile)(binary, ['--version'], { timeout: 30_000 })
    const version = /(\d+\.\d+\.\d+)/.exec(stdout)?.[1] ?? stdout.trim()
    if (version === pinned) return { what, found: `${version}, ${binary}` }
    return {
      what,
      found: `version ${version}, but ${pinned} is needed (${binary})`,
      cure: 'Remove node_modules and run "npm install" again.',
    }
  } catch (error) {
    return {
      what,
      found: `${binary} does not run: ${(error as Error).message.trim()}`,
      cure:
        runProblem((error as NodeJS.ErrnoException).code) ??
        'Run "npm install" again, on this machine: the program differs between systems and processors.',
    }
  }
}

/** Whether the temporary folder takes the nodes' sockets. */
export async function checkSockets(): Promise<DoctorCheck> {
  const what = 'temporary files'
  try {
    const place = socketPlace()
    const problem = await socketProblem(place.of('doctor'))
    place.remove()
    if (problem !== undefined) return { what, found: 'not usable', cure: problem }
    return { what, found: place.folder === undefined ? 'not needed' : dirname(place.folder) }
  } catch (error) {
    return { what, found: 'not usable', cure: (error as Error).message }
  }
}

/** Whether the API can listen there. A simulator may already do so. */
export async function checkPort(host: string, port: number): Promise<DoctorCheck> {
  const what = `port ${port} on ${host}`
  const problem = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    const server = createServer()
    server.once('error', resolve)
    server.listen(port, host, () => server.close(() => resolve(undefined)))
  })
  if (!problem) return { what, found: 'free' }
  if (problem.code === 'EADDRINUSE') {
    const neighbour = await findNeighbour({ host, port })
    if (neighbour) return { what, found: neighbour.text }
    return {
      what,
      found: 'in use',
      cure: 'Stop the program that uses it, or start with another --port (0 picks a free one).',
    }
  }
  return { what, found: problem.message, cure: 'Choose another --host or --port.' }
}

/**
 * The offline world is built, complete, written by the version of anvil that will read it, and has the simulator's
 * contracts where the program expects them. A world that was built before the contracts changed has not.
 */
export function checkWorld(dir: string, pinned: string, contract: Address): DoctorCheck {
  const what = 'offline world'
  const cure = 'In a checkout, run "npm run build". Otherwise, install svc-sim again.'
  try {
    const { hash, files } = worldFiles(dir)
    const { anvil } = readManifest(dir)!
    if (anvil !== pinned)
      return {
        what,
        found: `built by anvil ${anvil}, which ${pinned} may not be able to read`,
        cure,
      }
    const stale = networkNames.filter(
      (name) => !readFileSync(files[name], 'utf8').includes(contract),
    )
    if (stale.length > 0)
      return {
        what,
        found: `outdated: no contract at ${contract} on ${stale.join(', ')}`,
        cure,
      }
    return { what, found: `ready (build ${hash})` }
  } catch (error) {
    return { what, found: 'not usable', cure: (error as Error).message }
  }
}

/** A simulator that already listens on a port. */
export interface Neighbour {
  /** A sentence about it, with its URL, version and folder. */
  text: string
}

/** How long to wait for the listener's response. Milliseconds. */
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
    // No answer, or none in JSON: not a simulator.
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

/** Loopback instead of a wildcard address, which cannot be called. */
function nameOf(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}
