import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { worldFiles } from '../../chain/genesis/load.js'
import { importFolder } from '../../chain/persistence/importFolder.js'
import { anvilVersion } from '../../chain/process/anvil.js'
import { startWatchdog } from '../../chain/process/watchdog.js'
import type { Origin } from '../../wal/manifest.js'

export function ownOrigin(): Origin {
  return { worldHash: worldFiles().hash, anvilVersion: anvilVersion() }
}

/** Unpacks an export into the data folder, which must be new, or into a temporary folder that a watchdog removes with this process. */
export async function folderOfExport(
  file: string,
  dataDir: string | undefined,
  say: (line: string) => void,
) {
  if (dataDir !== undefined) {
    await unpack(file, dataDir, say)
    return { dataDir, remove: async () => {} }
  }
  const watchdog = startWatchdog()
  const temporary = await mkdtemp(join(tmpdir(), 'svc-sim-snapshot-'))
  watchdog.removeAtEnd(temporary)
  const remove = () => watchdog.close()
  try {
    await unpack(file, temporary, say)
    return { dataDir: temporary, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

async function unpack(file: string, dataDir: string, say: (line: string) => void): Promise<void> {
  const { madeBy, remarks } = await importFolder(dataDir, file, ownOrigin())
  say(`from ${file}, exported by svc-sim ${madeBy}`)
  for (const remark of remarks) say(`  ${remark}`)
}
