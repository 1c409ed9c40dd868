import { readFileSync } from 'node:fs'
import { packageFile } from '../lib/packageFile.js'
import { replaceFile } from '../lib/replaceFile.js'
import { contentOf, type TraceSources } from './content.js'
import { traceBytes } from './traceFile.js'

/** A trace that is being kept. */
export interface KeptTrace {
  /** Writes it a last time. */
  finish(): Promise<void>
}

/** So long it may lag behind, for a sudden end; longer where writing takes long. Milliseconds. */
const lagMs = 5_000
/** Of the time, writing may take one part in so many. */
const share = 50

/**
 * Writes the trace now, so that a place where none can be written is known at once; then again while something happens, each time in
 * one step; and at the end.
 */
export async function keepTrace(
  file: string,
  sources: TraceSources,
  onError: (error: Error) => void,
): Promise<KeptTrace> {
  const { version: madeBy } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as {
    version: string
  }
  let timer: NodeJS.Timeout | undefined
  let written = ''
  const write = async (): Promise<void> => {
    written = stateOf(sources)
    const { secrets } = sources
    await replaceFile(file, await traceBytes(contentOf(sources), { madeBy, secrets }))
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
      writing = (stateOf(sources) === written ? Promise.resolve() : write()).catch(onError)
      void writing.then(() => {
        if (timer) later(Math.max(lagMs, (performance.now() - begun) * share))
      })
    }, delayMs).unref()
  }
  later(lagMs)
  return {
    async finish() {
      clearTimeout(timer)
      timer = undefined
      await writing
      await write().catch(onError)
    },
  }
}

/** What is another one when the journal has gone on; all else follows from what was asked. */
function stateOf({ journal }: TraceSources): string {
  const last = journal.all().at(-1)
  return [journal.dropped, journal.bytes, last?.order, journal.marks().at(-1)?.order].join(' ')
}
