import { readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** Major versions of vitest that the fixtures are tested with. */
const testedMajors = [4, 5]

/**
 * The vitest of the user's project. Not a plain import: package managers with strict linkers hide from us what we do not depend on, and in a
 * monorepo such an import could find another vitest than the one that runs.
 */
export async function usersVitest(): Promise<typeof import('vitest')> {
  return import(pathToFileURL(vitestEntry(placesToLook())).href)
}

/** The module of vitest as the first of these files would import it. Throws with the cure when none finds it. */
export function vitestEntry(places: readonly string[]): string {
  for (const place of places) {
    const manifest = resolveFrom(place, 'vitest/package.json')
    if (manifest === undefined) continue
    const { exports, version } = JSON.parse(readFileSync(manifest, 'utf8'))
    const entry: unknown = exports?.['.']?.import?.default ?? exports?.['.']?.default
    if (typeof entry === 'string') return join(dirname(manifest), entry)
    throw new Error(
      `svc-sim/vitest cannot load vitest ${version} at ${dirname(manifest)}: it is tested with vitest ${testedMajors.join(' and ')}. Install one of these.`,
    )
  }
  throw new Error(
    `svc-sim/vitest needs vitest, but there is none for ${process.cwd()}. Install it in the project that runs the tests: npm install --save-dev vitest`,
  )
}

/** The program that runs comes first: in a worker process it is a file of vitest itself. */
function placesToLook(): string[] {
  const program = process.argv[1]
  const own = fileURLToPath(import.meta.url)
  return [...(program ? [realPath(program)] : []), join(process.cwd(), 'package.json'), own]
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

function resolveFrom(place: string, name: string): string | undefined {
  try {
    return createRequire(place).resolve(name)
  } catch {
    return undefined
  }
}
