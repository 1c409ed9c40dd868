import { readdir } from 'node:fs/promises'
import { type Manifest, readAnyManifest } from './manifest.js'
import { expectUnused, logName, type Recovered, recover } from './recover.js'

/** What a data folder holds, as it was found whole. */
export interface FolderContents {
  manifest: Manifest
  recovered: Recovered
  /** Its logs in order, and how much of each is whole. */
  logs: readonly { name: string; bytes: number }[]
}

/**
 * Reads all of a data folder, of whatever origin, and changes nothing. Undefined when there is none.
 *
 * @throws `DataFolderError` when a file is missing, damaged, of another folder or of another version.
 */
export async function readContents(folder: string): Promise<FolderContents | undefined> {
  const manifest = await readAnyManifest(folder)
  if (!manifest) {
    await expectUnused(folder, await readdir(folder))
    return undefined
  }
  const { recovered, logs } = await recover(folder, manifest, false)
  const whole = [...logs!.bytes].map(([number, bytes]) => ({ name: logName(number), bytes }))
  return { manifest, recovered, logs: whole }
}
