import { constants } from 'node:fs'
import { copyFile, link } from 'node:fs/promises'

/** Error codes of file systems without hard links: exFAT, SMB, virtiofs. */
const withoutLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])

/**
 * Gives a file a second name; rejects with `EEXIST` when the name is taken. A file system without hard links gets a copy, which is visible
 * before it is complete.
 */
export async function linkOrCopy(from: string, to: string, linkFile = link): Promise<void> {
  try {
    await linkFile(from, to)
  } catch (error) {
    if (!withoutLinks.has((error as NodeJS.ErrnoException).code ?? '')) throw error
    await copyFile(from, to, constants.COPYFILE_EXCL)
  }
}
