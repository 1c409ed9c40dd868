import { readFile } from 'node:fs/promises'
import { networkNames } from '../../deployments/networks.js'
import { svcAddresses } from '../../generated/svc.js'
import { ExportFileError, type FolderContents } from '../../wal/exportFile.js'
import { type Origin, writeManifest } from '../../wal/manifest.js'
import type { NodeCommand } from '../rpc/commandLog.js'
import { methodEffect } from '../rpc/methods.js'

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
export async function adoptOrigin(
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
