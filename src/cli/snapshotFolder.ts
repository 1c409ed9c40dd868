import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startWatchdog } from '../chain/node/watchdog.js'
import { importFolder } from '../chain/persistence/importFolder.js'
import { ownOrigin } from './data.js'
import { say } from './output.js'

/** Where a simulator that starts from an export works. */
export interface SnapshotFolder {
  dataDir: string
  /** Removes it, unless it is to stay. */
  remove(): Promise<void>
}

/**
 * Unpacks the export of `--snapshot`: into the data folder, which must be new, or when none is given into one that goes with this
 * process, however that ends.
 */
export async function folderOfSnapshot(
  file: string,
  dataDir: string | undefined,
): Promise<SnapshotFolder> {
  if (dataDir !== undefined) {
    await unpack(file, dataDir)
    return { dataDir, remove: async () => {} }
  }
  const watchdog = startWatchdog()
  const temporary = await mkdtemp(join(tmpdir(), 'svc-sim-snapshot-'))
  watchdog.removeAtEnd(temporary)
  const remove = () => watchdog.close()
  try {
    await unpack(file, temporary)
    return { dataDir: temporary, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

async function unpack(file: string, dataDir: string): Promise<void> {
  const { madeBy, remarks } = await importFolder(dataDir, file, ownOrigin())
  say(`from ${file}, exported by svc-sim ${madeBy}`)
  for (const remark of remarks) say(`  ${remark}`)
}
