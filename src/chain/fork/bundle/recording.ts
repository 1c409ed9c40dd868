import { readFile } from 'node:fs/promises'
import type { NetworkName } from '../../../deployments/networks.js'
import type { DataLog, LoggedPart } from '../../../wal/dataLog.js'
import type { Recovered } from '../../../wal/recover.js'
import type { AnswerCache } from '../upstream/answerCache.js'

/**
 * What was read of a forked network, as a part of a data folder. It is on the disk before the node gets it: a chain that is made again
 * never reads anything else.
 */
export interface ForkRecording extends AnswerCache {
  part: LoggedPart
  /** From now on what is read goes to this log; what was read before goes there now. */
  keepIn(log: DataLog): Promise<void>
}

type Entry = [key: string, value: unknown]

/** The name of the part. */
function partOf(network: NetworkName): string {
  return `${network}reads`
}

/** A recording that goes on from what a data folder has of it. */
export async function recoverRecording(
  network: NetworkName,
  { files, changes }: Pick<Recovered, 'files' | 'changes'>,
): Promise<ForkRecording> {
  const name = partOf(network)
  const path = files[name]
  const lines = path === undefined ? [] : (await readFile(path, 'utf8')).split('\n')
  const written = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Entry)
  return createRecording(network, [...written, ...((changes[name] ?? []) as Entry[])])
}

/** @param known What its folder has already. */
export function createRecording(network: NetworkName, known: Iterable<Entry> = []): ForkRecording {
  const name = partOf(network)
  const all = new Map(known)
  const early = new Set<string>()
  let log: DataLog | undefined

  const write = async (key: string): Promise<void> => {
    await log?.append(name, [key, all.get(key)], () => void all.delete(key))
  }
  return {
    isForReplay: true,
    get: (key) => all.get(key),
    add(key, value) {
      if (all.has(key)) return undefined
      all.set(key, value)
      if (!log) early.add(key)
      return write(key)
    },
    entries: () => all.entries(),
    close: async () => {},
    part: {
      name,
      startsQuickly: true,
      onlyGrows: true,
      async content(mark) {
        const marked = mark()
        const text = [...all].map((entry) => `${JSON.stringify(entry)}\n`)
        await marked
        return text
      },
    },
    async keepIn(given) {
      log = given
      await Promise.all([...early].map(write))
      early.clear()
    },
  }
}
