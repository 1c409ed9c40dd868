import { existsSync } from 'node:fs'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { networkNames } from '../../deployments/networks.js'
import { svcAddresses } from '../../generated/svc.js'
import { shellWord } from '../../lib/shellWord.js'
import { DataFolderError } from '../../wal/dataFolderError.js'
import {
  ExportFileError,
  type FolderContents,
  readContents,
  unpackExport,
} from '../../wal/exportFile.js'
import { clearDataFolder } from '../../wal/folderFiles.js'
import { type Origin, writeManifest } from '../../wal/manifest.js'
import type { NodeCommand } from '../rpc/commandLog.js'
import { methodEffect } from '../rpc/methods.js'
import { lockDataDir, lockName } from './dataDirLock.js'

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

/**
 * Whether a checkpoint has all blocks of a folder. Otherwise some have to be mined again, which needs the same version of everything that
 * made them.
 */
export function areWrittenDown({ manifest, recovered }: FolderContents): boolean {
  return networkNames.every((network) => {
    const commands = (recovered.changes[network] ?? []) as NodeCommand[]
    return manifest.files[network] !== undefined && commands.every(isSetting)
  })
}

/** Whether a command only changes settings or the pool, which any version can repeat. */
function isSetting({ method, params, at }: NodeCommand): boolean {
  const effect = methodEffect(method, params)
  return effect === 'settings' || (effect === 'send' && at === undefined)
}

/**
 * Lets this version continue chains that another version of svc-sim has exported. They keep the world that they were made with.
 * Resolves to remarks for the user.
 *
 * @throws `ExportFileError` when this version cannot go on with them.
 */
async function adoptOrigin(
  folder: string,
  file: string,
  contents: FolderContents,
  origin: Origin,
): Promise<string[]> {
  const { manifest } = contents
  const remarks: string[] = []
  if (manifest.anvilVersion !== origin.anvilVersion) {
    if (isOlder(origin.anvilVersion, manifest.anvilVersion))
      throw new ExportFileError(
        file,
        `its chains were written with anvil ${manifest.anvilVersion}, and this is anvil ${origin.anvilVersion}, which is older`,
        'Use the version of svc-sim that made it, or a newer one.',
      )
    remarks.push(`its chains were made with anvil ${manifest.anvilVersion}`)
  }
  if (manifest.worldHash !== origin.worldHash) {
    await expectContracts(file, contents)
    remarks.push('its chains were made with another world, which they keep')
  }
  if (remarks.length === 0) return []
  if (!areWrittenDown(contents))
    throw new ExportFileError(
      file,
      `its chains were made with another version of svc-sim, and are not written down whole`,
      'Have that version export it again ("svc-sim data export").',
    )
  await writeManifest(folder, { ...manifest, ...origin })
  return remarks
}

/** Rejects unless the chains have the service's own contracts, whose addresses follow from their code. */
async function expectContracts(file: string, { recovered }: FolderContents): Promise<void> {
  const { scripts, ...contracts } = svcAddresses
  const needed = Object.entries({ ...contracts, ...scripts })
  for (const network of networkNames) {
    const path = recovered.files[network]
    if (path === undefined) continue
    const { accounts } = JSON.parse(await readFile(path, 'utf8')) as SavedState
    const missing = needed.find(([, address]) => (accounts[address]?.code ?? '0x') === '0x')
    if (missing)
      throw new ExportFileError(
        file,
        `its ${network} chain has other contracts than this version of svc-sim needs (no ${missing[0]})`,
        'Use the version of svc-sim that made it.',
      )
  }
}

/** The part of a saved state that is read here. */
interface SavedState {
  accounts: Record<string, { code?: string } | undefined>
}

function isOlder(version: string, than: string): boolean {
  return version.localeCompare(than, 'en', { numeric: true }) < 0
}
