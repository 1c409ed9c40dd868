import { existsSync } from 'node:fs'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { shellWord } from '../../lib/shellWord.js'
import { DataFolderError } from '../../wal/dataFolderError.js'
import { readContents, unpackExport } from '../../wal/exportFile.js'
import { clearDataFolder } from '../../wal/folderFiles.js'
import type { Origin } from '../../wal/manifest.js'
import { adoptOrigin } from './adoptOrigin.js'
import { lockName } from './dataDirErrors.js'
import { lockDataDir } from './dataDirLock.js'

/** A file with this name is in a folder while an import into it is running. */
const markName = 'svc-sim.import'

/** Throws `DataFolderError` when an import into the folder was killed: its remains are no data folder. */
export function expectImported(folder: string): void {
  if (!existsSync(join(folder, markName))) return
  throw new DataFolderError(
    folder,
    'an import into it did not come to its end',
    `Do it again: "svc-sim data import FILE --data-dir ${shellWord(folder)}" begins anew.`,
  )
}

/**
 * Creates a data folder from an export. The folder must be new or empty, or have only the remains of a killed import; when this rejects,
 * it is so again. Resolves to remarks for the user.
 */
export async function importFolder(
  folder: string,
  file: string,
  origin: Origin,
): Promise<{ madeBy: string; remarks: string[] }> {
  const isNew = !existsSync(folder)
  const lock = await lockDataDir(folder)
  const mark = join(folder, markName)
  try {
    if (existsSync(mark)) await clearDataFolder(folder) // the remains of a killed import
    // A new ext4 volume has a folder `lost+found`.
    const isOther = (name: string) =>
      name !== markName && name !== 'lost+found' && !name.startsWith(lockName)
    const other = (await readdir(folder)).find(isOther)
    if (other !== undefined)
      throw new Error(
        `${folder} is not empty (it has ${other}), and an import does not change existing data. Name a new --data-dir; to continue with ${folder}, start with --data-dir alone.`,
      )
    try {
      await writeFile(mark, 'An import goes on here.\n')
      const { madeBy } = await unpackExport(file, folder)
      const contents = await readContents(folder)
      const remarks = await adoptOrigin(folder, file, contents!, origin)
      await rm(mark)
      return { madeBy, remarks }
    } catch (error) {
      if (isNew) await rm(folder, { recursive: true, force: true })
      else {
        await clearDataFolder(folder)
        await rm(mark, { force: true })
      }
      throw error
    }
  } finally {
    await lock.release()
  }
}
