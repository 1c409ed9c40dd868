import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { withVariable } from './processes.js'

const counter = fileURLToPath(new URL('countStarts.cjs', import.meta.url))

/**
 * Called once for each tier of a run. Gives the run a temporary folder, which is removed at its end, so tests need not clean up there.
 * Every Node process of the run counts what it starts, for `suiteReport.ts`.
 */
export default function setup(): (() => Promise<void>) | undefined {
  if (process.env.TEST_STARTS_FILE !== undefined) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'svc-sim-tests-'))
  const starts = join(folder, 'starts')
  writeFileSync(starts, '')
  process.env.TMPDIR = folder
  process.env.TEST_STARTS_FILE = starts
  process.env.NODE_OPTIONS = [process.env.NODE_OPTIONS, `--require=${counter}`].join(' ').trim()
  return async () => {
    await untilAlone(starts)
    if (!process.env.KEEP_STARTS) rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** Resolves when nothing that the run has started is alive; rejects, naming what is, after ten seconds. (`vi.waitFor` works in tests only.) */
async function untilAlone(starts: string): Promise<void> {
  if (process.platform !== 'linux') return
  const look = (): number[] =>
    withVariable('TEST_STARTS_FILE', starts).filter((pid) => pid !== process.pid)
  const until = performance.now() + 10_000
  let left = look()
  for (; left.length > 0 && performance.now() < until; left = look()) await wait(50)
  if (left.length === 0) return
  const named = left.map((pid) => `${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8')}`)
  process.exitCode = 1 // vitest itself only prints what a teardown throws
  throw new Error(`the tests have left running: ${named.join('; ').replaceAll('\0', ' ')}`)
}
