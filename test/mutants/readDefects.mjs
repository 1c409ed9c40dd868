import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'

const folder = fileURLToPath(new URL('defects', import.meta.url))

/**
 * Reads the defects of `defects/*.yaml`, in order. Each has a `name`, the `file` to change, the text to `find` there (exactly once), the
 * text to `replace` it with, and the `tests` that should catch it first.
 */
export function readDefects() {
  return readdirSync(folder)
    .sort()
    .flatMap((file) => parse(readFileSync(join(folder, file), 'utf8')))
}

/** Applies the defect to the text of its file. Throws unless the text to find occurs exactly once. */
export function withDefect(text, { name, file, find, replace }) {
  const parts = text.split(find)
  if (parts.length !== 2)
    throw new Error(`${name}: its text occurs ${parts.length - 1} times in ${file}, not once`)
  return parts.join(replace)
}
