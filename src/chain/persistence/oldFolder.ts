import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type NetworkName, networkNames } from '../../deployments/networks.js'
import type { ClockState } from '../../time/clock.js'
import { DataFolderError } from '../../wal/dataFolderError.js'
import type { Origin } from '../../wal/manifest.js'

/** A data folder as versions before the log left it: saved chains, a store file, and a clock file. */
export interface OldFolder {
  /** State file of each chain; empty when the chains were never saved. */
  loadState: Partial<Record<NetworkName, string>>
  /** Path of the store file, and its text. */
  store: { path: string; text: string } | undefined
  clock: ClockState | undefined
}

/** What stood in `chains/manifest.json`. */
interface SavedChains {
  format: number
  anvilVersion: string
  worldHash: string
  chains: Partial<Record<NetworkName, { file: string }>>
}

const names = { chains: 'chains', store: 'store.json', clock: 'clock.json' } as const

/**
 * Finds what an older version left in this folder; undefined when there is nothing.
 *
 * @throws `DataFolderError` when it cannot be taken over: another anvil or world, a missing or damaged file.
 */
export async function findOldFolder(dir: string, origin: Origin): Promise<OldFolder | undefined> {
  const store = await readIfThere(join(dir, names.store))
  const manifest = await readIfThere(join(dir, names.chains, 'manifest.json'))
  if (store === undefined && manifest === undefined) return undefined
  const clock = await readIfThere(join(dir, names.clock))
  return {
    loadState: manifest === undefined ? {} : await savedStates(dir, manifest, origin),
    store: store === undefined ? undefined : { path: join(dir, names.store), text: store },
    clock: clock === undefined ? undefined : parsed<ClockState>(dir, names.clock, clock),
  }
}

/** Removes what an older version left; when it has been taken over. */
export async function removeOldFolder(dir: string): Promise<void> {
  // The store goes last: as long as it is there, the folder counts as not taken over.
  for (const name of [names.clock, names.chains, names.store])
    await rm(join(dir, name), { force: true, recursive: true })
}

async function savedStates(dir: string, text: string, origin: Origin) {
  const folder = join(dir, names.chains)
  const saved = parsed<SavedChains>(dir, 'chains/manifest.json', text)
  for (const [what, found, wanted] of [
    ['format', saved.format, 1],
    ['anvil', saved.anvilVersion, origin.anvilVersion],
    ['world', saved.worldHash, origin.worldHash],
  ] as const)
    if (found !== wanted)
      throw new DataFolderError(
        dir,
        `its chains were saved with ${what} ${found}, and this is ${what} ${wanted}`,
        'Start the version of svc-sim that made it, or name another --data-dir.',
      )
  const present = new Set(await readdir(folder))
  const states: Partial<Record<NetworkName, string>> = {}
  for (const network of networkNames) {
    const file = saved.chains[network]?.file
    if (file === undefined) continue
    if (!present.has(file)) throw damaged(dir, `chains/${file} is missing`)
    states[network] = join(folder, file)
  }
  return states
}

function parsed<T>(dir: string, name: string, text: string): T {
  try {
    return JSON.parse(text) as T
  } catch {
    throw damaged(dir, `${name} is not JSON`)
  }
}

function damaged(dir: string, why: string): DataFolderError {
  return new DataFolderError(dir, why, 'Put back a copy of the folder, or name another --data-dir.')
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
