import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { recoverStore } from '../../src/service/store/recoverStore.js'
import type { StoreState } from '../../src/service/store/state.js'
import { frame, link, unframe } from '../../src/wal/frames.js'
import { readAnyManifest } from '../../src/wal/manifest.js'
import { type LogRecord, recover } from '../../src/wal/recover.js'

/** Data folders as a sudden end leaves them. */

/** A copy of the folder of a running simulator: what is on the disk now. The caller removes it. */
export async function imageOf(dir: string): Promise<string> {
  const image = await mkdtemp(join(tmpdir(), 'svc-sim-image-'))
  await cp(dir, image, { recursive: true })
  await rm(join(image, 'svc-sim.lock'))
  return image
}

/** The store as a start from the folder would find it; the folder may be in use. */
export async function storeIn(dir: string): Promise<StoreState> {
  const manifest = await readAnyManifest(dir)
  const { recovered } = await recover(dir, manifest!, false)
  return (await recoverStore(recovered)).data
}

/** The records of the last log, without its first line. */
export async function logOf(dir: string): Promise<LogRecord[]> {
  const { records } = unframe(await readFile(await lastLog(dir)))
  return records.slice(1) as LogRecord[]
}

/** Ends the last log after so many records, as if nothing else had been written. */
export async function cutLog(dir: string, length: number): Promise<void> {
  const path = await lastLog(dir)
  const [head, ...records] = unframe(await readFile(path)).records
  const kept = records.slice(0, length).map((record) => JSON.stringify(record))
  await writeFile(path, frame(head) + link(kept, 0).lines)
}

async function lastLog(dir: string): Promise<string> {
  const numbers = (await readdir(dir)).flatMap((name) => {
    const [, number] = /^log-(\d+)\.wal$/.exec(name) ?? []
    return number === undefined ? [] : [Number(number)]
  })
  return join(dir, `log-${Math.max(...numbers)}.wal`)
}
