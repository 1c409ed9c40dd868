import { mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DurableFile } from '../../lib/files/durableFile.js'
import type { LeasedWorld } from '../../worlds/lease.js'
import { createRedactor, redactJson } from '../journal/redact.js'
import { askedNodes, contentOf, type TraceContent, type TraceSources } from './content.js'

export interface WorldTrace {
  id: string
  /** Absent in older traces. */
  lease?: TracedLease
  content: TraceContent
}

/** What the main simulator knows of a world. Older traces do not say how long it was leased. */
export type TracedLease = Omit<
  LeasedWorld,
  'id' | 'apiKey' | 'socket' | 'leaseSeconds' | 'leaseUntilMs'
> &
  Partial<Pick<LeasedWorld, 'leaseSeconds' | 'leaseUntilMs'>>

/** Characters of JSON that all worlds together may take. */
const worldsBound = 32 * 1024 * 1024

/** What a world leaves behind when it ends: a file in a folder, from which the simulator in front takes it into its trace. */
export function leaveTrace(folder: string, id: string, sources: TraceSources) {
  const nodes = askedNodes(sources)
  sources.watchValues()
  return {
    askNodes: nodes.askAll,
    finish: () => write(folder, id, contentOf(sources, nodes.facts()), sources),
    leave: (as: string, since: number) => leavePart(folder, as, since, sources),
  }
}

/**
 * Writes what a world has done since a journal cursor, as it is now: a restore is going to undo it. In a world that tests share, it has the
 * accounts that its requests name, and no others.
 */
export async function leavePart(
  folder: string,
  as: string,
  since: number,
  sources: TraceSources,
  isShared = false,
): Promise<void> {
  const { journal } = sources
  const isSince = ({ order }: { order: number }): boolean => order > since
  const part = {
    all: () => journal.all().filter(isSince),
    marks: () => journal.marks().filter(isSince),
    dropped: journal.dropped,
    bytes: journal.bytes,
  }
  const own = { ...sources, journal: part }
  const now = askedNodes(own)
  await now.askAll()
  await write(folder, as, contentOf(own, now.facts(), { isNamedOnly: isShared }), own)
}

async function write(
  folder: string,
  id: string,
  content: TraceContent,
  { secrets }: TraceSources,
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await new DurableFile(join(folder, `${id}.json`)).write(
    redactJson(content, createRedactor(secrets)),
  )
}

/**
 * What worlds have left there, as many as there is room for: failed tests first, then those that ended last. In the order of their ends. A world
 * without a lease and without requests was only kept ready, and is no part of the run.
 */
export async function tracesLeft(
  folder: string,
  {
    leaseOf = () => undefined,
    secrets = [],
    bound = worldsBound,
  }: {
    leaseOf?: ((id: string) => LeasedWorld | undefined) | undefined
    secrets?: readonly string[]
    bound?: number
  } = {},
): Promise<{ worlds: WorldTrace[]; worldsLeftOut: number }> {
  const names = await namesLeft(folder)
  const files = await Promise.all(
    names.map(async (name) => {
      const { size, mtimeMs } = await stat(join(folder, name))
      const id = name.slice(0, -'.json'.length)
      const lease = leaseOf(id)
      const isOfTest = lease?.failedTests.includes(lease.name ?? '') === true
      return { name, size, mtimeMs, id, lease, isOfTest }
    }),
  )
  let room = bound
  const kept = files
    .sort((a, b) => Number(b.isOfTest) - Number(a.isOfTest) || b.mtimeMs - a.mtimeMs)
    .filter(({ size }) => {
      room -= size
      return room >= 0
    })
    .sort((a, b) => a.mtimeMs - b.mtimeMs)
  const all = await Promise.all(
    kept.map(async ({ id, name, lease }): Promise<WorldTrace> => {
      const content = JSON.parse(await readFile(join(folder, name), 'utf8')) as TraceContent
      return { id, content, ...(lease && { lease: tracedLease(lease, secrets) }) }
    }),
  )
  const worlds = all.filter(({ lease, content }) => lease || content.journal.exchanges.length > 0)
  return { worlds, worldsLeftOut: names.length - kept.length }
}

/** An error may quote a key. */
function tracedLease(
  { id: _id, apiKey, socket: _at, ...lease }: LeasedWorld,
  secrets: readonly string[],
): TracedLease {
  return redactJson(
    lease,
    createRedactor([...secrets, apiKey].filter((secret) => secret !== '')),
  ) as TracedLease
}

/** The files of worlds that have ended. */
export async function namesLeft(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => name.endsWith('.json'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
