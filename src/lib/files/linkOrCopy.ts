import { constants } from 'node:fs'
import { copyFile, link } from 'node:fs/promises'

/** Error codes of file systems without hard links: exFAT, SMB, virtiofs. */
const withoutLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])

/**
 * Gives a file a second name, which must be free: rejects with `EEXIST` when it is not. Where there are no hard links the second name gets a
 * copy, which for a moment is there without its content.
 */
export async function linkOrCopy(from: string, to: string, linkFile = link): Promise<void> {
  try {
    await linkFile(from, to)
  } catch (error) {
    if (!withoutLinks.has((error as NodeJS.ErrnoException).code ?? '')) throw error
    await copyFile(from, to, constants.COPYFILE_EXCL)
  }
}
