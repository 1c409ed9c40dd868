import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'

const folder = fileURLToPath(new URL('defects', import.meta.url))

/**
 * The defects of `defects/*.yaml`, in order: `name`, the `file` in which it is made, the text to `find` there (it occurs once), what
 * `replace`s it, and the `tests` that are to catch it first.
 */
export function readDefects() {
  return readdirSync(folder)
    .sort()
    .flatMap((file) => parse(readFileSync(join(folder, file), 'utf8')))
}

/** The text with the defect in it. Throws where the text to find is not there exactly once. */
export function withDefect(text, { name, file, find, replace }) {
  const parts = text.split(find)
  if (parts.length !== 2)
    throw new Error(`${name}: its text occurs ${parts.length - 1} times in ${file}, not once`)
  return parts.join(replace)
}
