import { mkdtempSync } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/**
 * Makes a folder and those above it; an existing one is fine. Rejects with the system's error.
 *
 * `mkdir` with `recursive` will not do: where no folder can be made (below /proc) it retries for ever, in a thread that `process.exit`
 * waits for.
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' && dirname(path) !== path) {
      await makeFolder(dirname(path))
      await mkdir(path).catch(async (secondError) => expectFolder(path, secondError))
    } else await expectFolder(path, error)
  }
}

/** Rejects with the error unless the folder exists: it was there before, or another process has just made it. */
async function expectFolder(path: string, error: unknown): Promise<void> {
  const stats = await stat(path).catch(() => undefined)
  if (!stats?.isDirectory()) throw error
}

/** Makes a new temporary folder. Throws with the cure when it cannot. */
export function makeTemporaryFolder(prefix: string, among = tmpdir()): string {
  try {
    return mkdtempSync(join(among, prefix))
  } catch (cause) {
    throw new Error(
      `The simulator cannot make a folder in ${among}, where it keeps the sockets of its nodes: ${(cause as Error).message}. ` +
        'Set TMPDIR to a folder that exists and that this user can write to.',
      { cause },
    )
  }
}
