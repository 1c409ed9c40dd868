import { type DataFolder, openDataFolder } from '../wal/dataFolder.js'
import { clearDataFolder } from '../wal/folderFiles.js'
import { type Origin, readAnyManifest } from '../wal/manifest.js'
import { recover } from '../wal/recover.js'
import { areForked } from './fork/upstream/target.js'
import { type ForksOptions, noForks, openAll, type StartedForks } from './forks.js'

/** A data folder before its nodes are started. */
export interface ChainFolder {
  dataDir: string
  origin: Origin
  say: (remark: string) => void
  /** Rejects when the folder is not that of this process any more. */
  expectHeld(): Promise<void>
}

/**
 * Opens the folder, and what its networks are forked from. A folder that is new knows its forks before it is written; one that was begun
 * says itself where they are.
 */
export async function openChainFolder(
  options: ForksOptions,
  { dataDir, origin, say, expectHeld }: ChainFolder,
  ending: (() => Promise<void>)[],
): Promise<{ folder: DataFolder; forks: StartedForks }> {
  const { origins } = options
  const open = async (pins?: StartedForks['pins']): Promise<DataFolder> => {
    const onProblem = (cause: Error): void =>
      say(`checkpoint failed: ${cause.message}; the log continues`)
    const folder = await openDataFolder(dataDir, origin, { onProblem, forks: pins, expectHeld })
    ending.push(() => folder.close())
    return folder
  }
  await clearUnfinished(dataDir)
  const manifest = await readAnyManifest(dataDir)
  const early = manifest && (await open())
  if (!areForked(origins) && !manifest?.forks)
    return { folder: early ?? (await open()), forks: noForks }
  const { newForks, recoverForks } = await import('./fork/bundle/folder.js')
  const kept = early
    ? await recoverForks(dataDir, manifest?.forks, early.recovered)
    : newForks(dataDir)
  const forks = await openAll(options, kept)
  ending.push(() => forks.close())
  const folder = early ?? (await open(forks.pins))
  await forks.keepIn(folder)
  return { folder, forks }
}

/** A first start on forks that did not come to its end has told nobody anything. It begins anew, perhaps at another block. */
async function clearUnfinished(dataDir: string): Promise<void> {
  const manifest = await readAnyManifest(dataDir)
  if (!manifest?.forks) return
  const { files, changes } = (await recover(dataDir, manifest, false)).recovered
  if (!files.clock && !changes.clock) await clearDataFolder(dataDir)
}
