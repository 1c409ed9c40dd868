import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { DurableFile } from '../lib/files/durableFile.js'
import type { Fingerprint } from './checkpointFile.js'
import { DataFolderError } from './dataFolderError.js'
import { checksum } from './frames.js'

/** The layout of a data folder. A change that older code would misread increments it. */
export const layoutVersion = 5
export const manifestFormat = 'svc-sim-data'
export const manifestName = 'manifest.json'

/** The world and anvil version that a data folder was created with. Both must match. */
export interface Origin {
  /** Content hash of the world that the chains started from. */
  worldHash: string
  anvilVersion: string
}

export interface ForkPin {
  block: number
  hash: string
}

/** The content of `manifest.json`: the files of the last checkpoint, and their origin. */
export interface Manifest extends Origin {
  format: string
  version: number
  /** A random id that distinguishes the files of this folder from those of others. */
  folder: string
  /** The forks, by network; absent when there are none. */
  forks?: Readonly<Partial<Record<string, ForkPin>>> | undefined
  /** The number of the first log that is needed; later ones continue it. */
  firstLog: number
  files: Record<string, WrittenFile>
  /** The end of the last log after a clean stop; absent during a run, and after a crash. */
  end?: { log: number; bytes: number } | undefined
}

export interface WrittenFile extends Fingerprint {
  name: string
  /** The number of the cut up to which it has all changes; the log of the same number begins just before that cut. */
  cut: number
}

export function newManifest(origin: Origin, forks?: Manifest['forks']): Manifest {
  return {
    format: manifestFormat,
    version: layoutVersion,
    folder: randomUUID(),
    ...origin,
    ...(forks && { forks }),
    firstLog: 0,
    files: {},
  }
}

function manifestFile(folder: string): DurableFile<Manifest> {
  return new DurableFile(join(folder, manifestName), {
    format(manifest) {
      const signed = { ...manifest, checksum: checksum(JSON.stringify(manifest, null, 2)) }
      return `${JSON.stringify(signed, null, 2)}\n`
    },
    parse: (text) => parse(folder, text),
  })
}

/** Replaces the manifest atomically and durably. */
export function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  return manifestFile(folder).write(manifest)
}

/**
 * Undefined when there is none.
 *
 * @throws `DataFolderError` when it is damaged, of another version, or of another world.
 */
export async function loadManifest(folder: string, origin: Origin): Promise<Manifest | undefined> {
  const manifest = await readAnyManifest(folder)
  if (manifest) expectOrigin(folder, manifest, origin)
  return manifest
}

/** The manifest, of any origin; undefined when there is none. Throws `DataFolderError` when it is damaged or of another version. */
export async function readAnyManifest(folder: string): Promise<Manifest | undefined> {
  return (await manifestFile(folder).read()) ?? undefined
}

/** Throws `DataFolderError` when the chains of the folder are not of this origin. */
export function expectOrigin(
  folder: string,
  manifest: Manifest,
  origin: Origin,
  cure = 'Start the version of svc-sim that made it; or run "svc-sim data export FILE" on the folder, and start this one with "--from-export FILE".',
): void {
  for (const [what, recorded, wanted] of [
    ['anvil', manifest.anvilVersion, origin.anvilVersion],
    ['world', manifest.worldHash, origin.worldHash],
  ] as const)
    if (recorded !== wanted)
      throw new DataFolderError(
        folder,
        `its chains were made with ${what} ${recorded}, and this is ${what} ${wanted}`,
        cure,
      )
}

function parse(folder: string, text: string): Manifest {
  const damaged = (why: string) =>
    new DataFolderError(
      folder,
      `${manifestName} ${why}`,
      'Put back a copy of the folder, or name another --data-dir.',
    )
  let signed: Manifest & { checksum: string }
  try {
    signed = JSON.parse(text)
  } catch {
    throw damaged('is not JSON')
  }
  if (signed?.format !== manifestFormat)
    throw damaged(`has the format ${JSON.stringify(signed?.format)}, not "${manifestFormat}"`)
  if (signed.version !== layoutVersion)
    throw new DataFolderError(
      folder,
      `it has version ${signed.version}, and this svc-sim reads version ${layoutVersion}`,
      'Start the version of svc-sim that made it, or name another --data-dir.',
    )
  const { checksum: sum, ...manifest } = signed
  if (checksum(JSON.stringify(manifest, null, 2)) !== sum)
    throw damaged('is not as it was written: its checksum differs')
  return manifest
}
