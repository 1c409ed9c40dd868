import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { readContents } from '../../wal/contents.js'
import { clearDataFolder } from '../../wal/dataFolder.js'
import { unpackExport } from '../../wal/exportFile.js'
import type { Origin } from '../../wal/manifest.js'
import { lockName } from './dataDirErrors.js'
import { lockDataDir } from './dataDirLock.js'
import { adoptOrigin } from './keptChains.js'

/**
 * Makes a data folder of an export. It must be new or empty; when this rejects, it is again. Resolves to what people should know
 * of it.
 */
export async function importFolder(
  folder: string,
  file: string,
  origin: Origin,
): Promise<{ madeBy: string; remarks: string[] }> {
  const isNew = !existsSync(folder)
  const lock = await lockDataDir(folder)
  try {
    const other = (await readdir(folder)).find((name) => !name.startsWith(lockName))
    if (other !== undefined)
      throw new Error(
        `${folder} is not empty (it has ${other}), and an import changes nothing that is there. Name a new --data-dir; to go on with what is in ${folder}, start with --data-dir alone.`,
      )
    try {
      const { madeBy } = await unpackExport(file, folder)
      const contents = await readContents(folder)
      return { madeBy, remarks: await adoptOrigin(folder, file, contents!, origin) }
    } catch (error) {
      if (isNew) await rm(folder, { recursive: true, force: true })
      else await clearDataFolder(folder)
      throw error
    }
  } finally {
    await lock.release()
  }
}
