import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

let root: string | undefined

/** The absolute path of a file, given relative to package.json. Works from sources, compiled modules and bundles. */
export function packageFile(path: string): string {
  root ??= rootAbove(fileURLToPath(import.meta.url))
  return join(root, path)
}

/** The path of a package file as a user may type it: relative if it is below the working folder. */
export function shownPackageFile(path: string): string {
  const file = packageFile(path)
  const fromHere = relative(process.cwd(), file)
  return fromHere.startsWith('..') ? file : fromHere
}

function rootAbove(path: string): string {
  const folder = dirname(path)
  if (existsSync(join(folder, 'package.json'))) return folder
  if (folder === path) throw new Error('The package.json of svc-sim is missing. Install it again.')
  return rootAbove(folder)
}

let version: string | undefined

export function packageVersion(): string {
  version ??= (JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string })
    .version
  return version
}
