import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Gives a run of the tests a temporary folder of its own, which goes with it: whatever tests put there needs no removing. */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'svc-sim-tests-'))
  process.env.TMPDIR = folder
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}
