import { mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DurableFile } from '../../lib/files/durableFile.js'
import type { LeasedWorld } from '../../worlds/lease.js'
import { redactJson } from '../journal/redact.js'
import { askedNodes, contentOf, type TraceContent, type TraceSources } from './content.js'

export interface WorldTrace {
  id: string
  /** Absent in older traces. */
  lease?: TracedLease
  content: TraceContent
}

/** What the main simulator knows of a world. */
export type TracedLease = Pick<LeasedWorld, 'name' | 'leasedMs' | 'failedTests' | 'lost'>

/** Characters of JSON that all worlds together may take. */
const worldsBound = 32 * 1024 * 1024

/** What a world leaves behind when it ends: a file in a folder, from which the simulator in front takes it into its trace. */
export function leaveTrace(folder: string, id: string, sources: TraceSources) {
  const nodes = askedNodes(sources)
  sources.watchValues()
  return {
    askNodes: nodes.askAll,
    /** Writes it. Of a world in which nothing was asked there is nothing to tell. */
    async finish(): Promise<void> {
      if (sources.journal.all().length === 0) return
      const content = redactJson(contentOf(sources, nodes.facts()), sources.secrets)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await new DurableFile(join(folder, `${id}.json`)).write(content)
    },
  }
}

/** What worlds have left there: those that ended last, as many as there is room for, in the order of their ends. */
export async function tracesLeft(
  folder: string,
  leaseOf: (id: string) => TracedLease | undefined = () => undefined,
  bound = worldsBound,
): Promise<{ worlds: WorldTrace[]; worldsLeftOut: number }> {
  const names = await namesLeft(folder)
  const files = await Promise.all(
    names.map(async (name) => ({ name, ...(await stat(join(folder, name))) })),
  )
  const worlds: WorldTrace[] = []
  let room = bound
  for (const { name, size } of files.sort((one, other) => other.mtimeMs - one.mtimeMs)) {
    room -= size
    if (room < 0) break
    const content = JSON.parse(await readFile(join(folder, name), 'utf8')) as TraceContent
    const id = name.slice(0, -'.json'.length)
    const { leasedMs, failedTests, name: called, lost } = leaseOf(id) ?? {}
    const lease = leasedMs !== undefined &&
      failedTests && {
        leasedMs,
        failedTests,
        ...(called && { name: called }),
        ...(lost && { lost }),
      }
    worlds.unshift({ id, content, ...(lease && { lease }) })
  }
  return { worlds, worldsLeftOut: names.length - worlds.length }
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
