import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const counter = fileURLToPath(new URL('countStarts.cjs', import.meta.url))

/**
 * Called once for each tier of a run. Gives the run a temporary folder, which is removed at its end, so tests need not clean up there.
 * Every Node process of the run counts what it starts, for `suiteReport.ts`.
 */
export default function setup(): (() => void) | undefined {
  if (process.env.TEST_STARTS_FILE !== undefined) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'svc-sim-tests-'))
  const starts = join(folder, 'starts')
  writeFileSync(starts, '')
  process.env.TMPDIR = folder
  process.env.TEST_STARTS_FILE = starts
  process.env.NODE_OPTIONS = [process.env.NODE_OPTIONS, `--require=${counter}`].join(' ').trim()
  return process.env.KEEP_STARTS
    ? undefined
    : () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}
