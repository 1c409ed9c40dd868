import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

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
  const found = await stat(path).catch(() => undefined)
  if (!found?.isDirectory()) throw error
}
