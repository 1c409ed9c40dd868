import { mkdtempSync } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/**
 * Makes a folder and those above it; one that is there is left as it is. Rejects with the system's error when it cannot be made.
 *
 * Not by `mkdir` with `recursive`: where a folder can never be made (below /proc) that tries for ever, in a thread that even
 * `process.exit` waits for.
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' && dirname(path) !== path) {
      await makeFolder(dirname(path))
      await mkdir(path).catch(async (again) => expectFolder(path, again))
    } else await expectFolder(path, error)
  }
}

/** Rejects with the error unless there is a folder all the same: it was there, or somebody else has just made it. */
async function expectFolder(path: string, error: unknown): Promise<void> {
  const stats = await stat(path).catch(() => undefined)
  if (!stats?.isDirectory()) throw error
}

/** Makes a folder of a new name among the temporary files of the system. Throws with the cure when it cannot. */
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
