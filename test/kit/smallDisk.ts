import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'

/** A disk that is soon full. */
export interface SmallDisk {
  folder: string
  /** Leaves not a byte of room. */
  fill(): Promise<void>
  /** Makes room again. */
  free(): Promise<void>
  /** Lets nobody write there any more. */
  protect(): Promise<void>
}

/** Mounts one of so many KiB for the time of this test; undefined where that is not allowed: it takes root on Linux. */
export async function smallDisk(kib = 256): Promise<SmallDisk | undefined> {
  const run = promisify(execFile)
  const folder = await mkdtemp(join(tmpdir(), 'svc-sim-disk-'))
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${kib}k`, 'tmpfs', folder])
  } catch {
    return undefined
  }
  onTestFinished(async () => {
    await run('umount', ['-l', folder])
  })
  const ballast = join(folder, 'ballast')
  return {
    folder,
    fill: () =>
      writeFile(ballast, Buffer.alloc(2 * kib * 1024)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOSPC') throw error
      }),
    free: () => rm(ballast),
    async protect() {
      await run('mount', ['-o', 'remount,ro', folder])
    },
  }
}
