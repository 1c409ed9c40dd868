import { readdir } from 'node:fs/promises'
import { type Manifest, readAnyManifest } from './manifest.js'
import { expectUnused, logName, type Recovered, recover } from './recover.js'

/** The content of an intact data folder. */
export interface FolderContents {
  manifest: Manifest
  recovered: Recovered
  /** Its logs in order, with the length of the intact part of each. */
  logs: readonly { name: string; bytes: number }[]
}

/**
 * Reads a whole data folder, of any origin, without changing it. Undefined when there is none.
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
