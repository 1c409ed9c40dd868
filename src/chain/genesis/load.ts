import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type NetworkName, networkNames } from '../../deployments/networks.js'
import { packageFile } from '../../lib/files/packageFile.js'

/** `dist/world/manifest.json`. */
export interface WorldManifest {
  /** Hash of all inputs: equal hash, equal world. */
  hash: string
  /** The version of anvil. */
  anvil: string
  /** File name per network. */
  files: Record<NetworkName, string>
}

export const worldDir = packageFile('dist/world')

/**
 * The built offline world: its hash, and per network the absolute path of a state file for `anvil --load-state`. Throws when the world is
 * not built or incomplete.
 */
export function worldFiles(dir = worldDir): { hash: string; files: Record<NetworkName, string> } {
  const manifest = readManifest(dir)
  if (!manifest) throw new Error(`The offline world is not built: ${dir} has no manifest. ${cure}`)
  const files = {} as Record<NetworkName, string>
  for (const network of networkNames) {
    files[network] = join(dir, manifest.files[network])
    if (!existsSync(files[network]))
      throw new Error(`The offline world is incomplete: ${files[network]} is missing. ${cure}`)
  }
  return { hash: manifest.hash, files }
}

/** Undefined when there is none or it cannot be read. */
export function readManifest(dir = worldDir): WorldManifest | undefined {
  try {
    return JSON.parse(readFileSync(`${dir}/manifest.json`, 'utf8')) as WorldManifest
  } catch {
    return undefined
  }
}

const cure = 'In a checkout, run "npm run build". Otherwise, install svc-sim again.'
