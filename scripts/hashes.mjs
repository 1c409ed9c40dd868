import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The files below a folder, as sorted paths relative to `root`, with `/`; none when the folder is not there. */
export function filesIn(root, folder) {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length).replaceAll('\\', '/'))
    .map((path) => path.replace(/^\//, ''))
    .sort()
}

/** Over names and contents. */
export function hashOfContents(root, files) {
  const hash = createHash('sha256')
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

/** Over names and sizes: enough to see that something is missing or broken off. */
export function hashOfSizes(root, files) {
  const hash = createHash('sha256')
  for (const file of files) hash.update(`${file} ${statSync(join(root, file)).size}\n`)
  return hash.digest('hex')
}
