import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type NetworkName, networkNames } from '../../deployments/networks.js'
import { packageFile } from '../../lib/files/packageFile.js'

/** What `dist/world/manifest.json` says about the state files beside it. */
export interface WorldManifest {
  /** Hash over everything the world was built from: equal hash, equal world. */
  hash: string
  /** Version of anvil that wrote the state files. */
  anvil: string
  /** File name per network. */
  files: Record<NetworkName, string>
}

/** Where the built world stands. */
export const worldDir = packageFile('dist/world')

/**
 * The built offline world: its hash and, per network, the absolute path of a state file for `anvil --load-state`.
 * Throws, with the cure, when the world has not been built or is incomplete. `dir` is for tests.
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

/** The manifest in that folder; undefined when there is none or it cannot be read. */
export function readManifest(dir = worldDir): WorldManifest | undefined {
  try {
    return JSON.parse(readFileSync(`${dir}/manifest.json`, 'utf8')) as WorldManifest
  } catch {
    return undefined
  }
}

const cure = 'In a checkout, run "npm run build". Otherwise, install svc-sim again.'
