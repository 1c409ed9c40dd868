import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { frame, unframe } from '../../src/wal/frames.js'
import type { LogRecord } from '../../src/wal/recover.js'

/** Data folders as a sudden end leaves them. */

/** A copy of the folder of a running simulator: what is on the disk now. The caller removes it. */
export async function imageOf(dir: string): Promise<string> {
  const image = await mkdtemp(join(tmpdir(), 'svc-sim-image-'))
  await cp(dir, image, { recursive: true })
  await rm(join(image, 'svc-sim.lock'))
  return image
}

/** The records of the last log, without its first line. */
export async function logOf(dir: string): Promise<LogRecord[]> {
  const { records } = unframe(await readFile(await lastLog(dir)))
  return records.slice(1) as LogRecord[]
}

/** Ends the last log after so many records, as if nothing else had been written. */
export async function cutLog(dir: string, length: number): Promise<void> {
  const path = await lastLog(dir)
  const { records } = unframe(await readFile(path))
  await writeFile(
    path,
    records
      .slice(0, length + 1)
      .map(frame)
      .join(''),
  )
}

async function lastLog(dir: string): Promise<string> {
  const numbers = (await readdir(dir)).flatMap((name) => {
    const [, number] = /^log-(\d+)\.wal$/.exec(name) ?? []
    return number === undefined ? [] : [Number(number)]
  })
  return join(dir, `log-${Math.max(...numbers)}.wal`)
}
