import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile } from '../lib/replaceFile.js'
import type { ClockState } from '../time/clock.js'

const fileName = 'clock.json'

/** The clock that a data folder was left with; undefined for a new folder. Throws when the file is not one of ours. */
export function loadClock(dataDir: string): ClockState | undefined {
  const path = join(dataDir, fileName)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    // No such folder yet; who makes it says what stands in the way.
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code!)) return undefined
    throw error
  }
  const state = parse(text)
  if (state) return state
  throw new Error(
    `${path} does not hold the state of a clock. Delete it to begin with the machine's time, or name another --data-dir.`,
  )
}

/** Keeps the clock for the next start, in one step. */
export function saveClock(dataDir: string, state: ClockState): Promise<void> {
  return replaceFile(join(dataDir, fileName), `${JSON.stringify(state)}\n`)
}

function parse(text: string): ClockState | undefined {
  try {
    const { mode, atMs, offsetMs } = JSON.parse(text)
    if (mode === 'frozen' && Number.isSafeInteger(atMs)) return { mode, atMs }
    if (mode === 'real' && Number.isSafeInteger(offsetMs)) return { mode, offsetMs }
  } catch {}
  return undefined
}
