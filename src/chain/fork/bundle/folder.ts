import { readFile } from 'node:fs/promises'
import { type NetworkName, networkNames } from '../../../deployments/networks.js'
import { DataFolderError } from '../../../wal/dataFolderError.js'
import { contentAt, type DataLog, type LoggedPart } from '../../../wal/dataLog.js'
import type { ForkPin, Manifest } from '../../../wal/manifest.js'
import type { Recovered } from '../../../wal/recover.js'
import type { AnswerCache } from '../upstream/answerCache.js'

export interface FolderPart {
  recording: ForkRecording
  /** Undefined in a new folder. */
  pin: ForkPin | undefined
}

/** The forked networks of a data folder. */
export interface FolderForks {
  folder: string
  isNew: boolean
  /** Undefined when the network is offline there. */
  of(network: NetworkName): FolderPart | undefined
  recordings(networks: readonly NetworkName[]): ForkRecording[]
}

/** For a new folder, in which any network can be forked. */
export function newForks(folder: string): FolderForks {
  const parts = new Map(
    networkNames.map((network) => [
      network,
      { recording: createRecording(network), pin: undefined },
    ]),
  )
  return forksOf(folder, true, parts)
}

/** For an existing folder, which keeps the forks of its first start. */
export async function recoverForks(
  folder: string,
  forks: Manifest['forks'],
  recovered: Recovered,
): Promise<FolderForks> {
  const parts = new Map<NetworkName, FolderPart>()
  for (const network of networkNames) {
    const pin = forks?.[network]
    if (pin) parts.set(network, { pin, recording: await recoverRecording(network, recovered) })
  }
  return forksOf(folder, false, parts)
}

function forksOf(
  folder: string,
  isNew: boolean,
  parts: ReadonlyMap<NetworkName, FolderPart>,
): FolderForks {
  return {
    folder,
    isNew,
    of: (network) => parts.get(network),
    recordings: (networks) => networks.map((network) => parts.get(network)!.recording),
  }
}

/**
 * Checks that a start requests the forks of the folder, or none, which means all of them from their recordings.
 *
 * @throws `DataFolderError` when it requests others.
 */
export function expectForks(
  { folder, isNew, of }: FolderForks,
  requested: readonly NetworkName[],
  bundle: ReadonlyMap<NetworkName, ForkPin> | undefined,
): void {
  if (isNew) return
  const refuse = (why: string, cure: string) => {
    throw new DataFolderError(folder, why, cure)
  }
  const added = requested.filter((network) => !of(network))
  if (added.length > 0)
    refuse(
      `${added.join(' and ')} ${added.length > 1 ? 'are' : 'is'} offline in it, and cannot be forked afterwards`,
      `Leave the fork of ${added.join(' and ')} out, or name another --data-dir.`,
    )
  const missing = networkNames.filter((network) => of(network) && !requested.includes(network))
  if (requested.length > 0 && missing.length > 0)
    refuse(
      `${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} forked in it too, and this start does not fork ${missing.length > 1 ? 'them' : 'it'}`,
      `Give ${missing.map((network) => `--fork ${network}=URL`).join(' and ')} too; or leave all --fork out, to run from the recorded state.`,
    )
  for (const [network, { block, hash }] of bundle ?? []) {
    const { pin } = of(network)!
    if (pin!.block !== block || pin!.hash !== hash)
      refuse(
        `it has ${network} at block ${pin!.block} (${pin!.hash}), and the bundle at block ${block} (${hash})`,
        'Leave --bundle out, or name another --data-dir.',
      )
  }
}

/**
 * The reads of a forked network, as a part of a data folder. Each answer is on the disk before the node gets it, so that a replayed chain
 * reads the same.
 */
export interface ForkRecording extends AnswerCache {
  part: LoggedPart
  /** Writes all reads to this log: earlier ones now, later ones as they come. */
  keepIn(log: DataLog): Promise<void>
}

type Entry = [key: string, value: unknown]

function partOf(network: NetworkName): string {
  return `${network}reads`
}

/** Continues the recording of a data folder. */
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

/** @param known The entries that its folder has already. */
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
      content: (mark) =>
        contentAt(mark, () => [...all].map((entry) => `${JSON.stringify(entry)}\n`)),
    },
    async keepIn(given) {
      log = given
      await Promise.all([...early].map(write))
      early.clear()
    },
  }
}
