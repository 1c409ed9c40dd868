import { randomBytes } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { replaceFile } from '../../lib/files/durableFile.js'
import { packageFile } from '../../lib/files/packageFile.js'
import type { LeasedWorld } from '../../worlds/lease.js'
import { askedNodes, contentOf, type TraceSources } from './content.js'
import { traceBytes } from './traceFile.js'
import { leavePart, namesLeft, tracesLeft } from './worldTraces.js'

/** So long it may lag behind, for a sudden end; longer where writing takes long. Milliseconds. */
const lagMs = 5_000
/** Writing may take one part in this many of the time. */
const share = 50

/** A folder in which leased worlds leave what they did; the first makes it, and `finish` of the trace removes it. */
export function folderForWorlds(): string {
  return join(tmpdir(), `svc-sim-trace-${randomBytes(8).toString('hex')}`)
}

/**
 * Writes the trace at once, so that a path that cannot be written fails early; again while something happens, each time atomically; and at the
 * end. Includes the traces of worlds in `folder`.
 */
export async function createTraceWriter(
  {
    file,
    folder,
    leaseOf,
  }: {
    file: string
    folder: string
    /** The lease of a world that has left its trace. */
    leaseOf?: ((id: string) => LeasedWorld | undefined) | undefined
  },
  sources: TraceSources,
  onError: (error: Error) => void,
) {
  const { version: madeBy } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as {
    version: string
  }
  let timer: NodeJS.Timeout | undefined
  let written = ''
  const nodes = askedNodes(sources)
  sources.watchValues()
  const write = async (): Promise<void> => {
    written = await stateOf(sources, folder)
    const { secrets } = sources
    const left = await tracesLeft(folder, { leaseOf, secrets })
    const content = { ...contentOf(sources, nodes.facts()), ...left }
    await replaceFile(file, await traceBytes(content, { madeBy, secrets }))
  }
  const writeChanges = async (): Promise<void> => {
    if ((await stateOf(sources, folder)) === written) return
    await nodes.ask()
    await write()
  }
  let writing = write().catch((error: Error) => {
    throw new Error(
      `The trace cannot be written to ${file}: ${error.message}. Name another file with --trace.`,
    )
  })
  await writing
  const later = (delayMs: number): void => {
    timer = setTimeout(() => {
      const begun = performance.now()
      writing = writeChanges().catch(onError)
      void writing.then(() => {
        if (timer) later(Math.max(lagMs, (performance.now() - begun) * share))
      })
    }, delayMs).unref()
  }
  later(lagMs)
  return {
    /** Asks the nodes for what they alone know, before they end. Never rejects. */
    askNodes: nodes.askAll,
    /** What a test that failed in the default world has done since a journal cursor; others may go on there. */
    leave: (as: string, since: number) =>
      leavePart(folder, as, since, sources, true).catch(onError),
    async finish() {
      clearTimeout(timer)
      timer = undefined
      await writing
      await write().catch(onError)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Changes when the journal has grown or a world has ended; all else follows from the requests. */
async function stateOf({ journal }: TraceSources, folder: string): Promise<string> {
  const last = journal.all().at(-1)
  const worlds = (await namesLeft(folder)).length
  return [journal.dropped, journal.bytes, last?.order, journal.marks().at(-1)?.order, worlds].join(
    ' ',
  )
}
