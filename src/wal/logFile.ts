import { type FileHandle, open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { syncFolder } from '../lib/files/durableFile.js'

/** A file that only grows, and always ends with a complete write. */
export interface LogFile {
  /** Its length, without the remains of a failed write. */
  readonly bytes: number
  /** Resolves when it is on the disk. Rejects with the system's error, with the file unchanged. Calls must not overlap. */
  append(text: string): Promise<void>
  /** Rejects when the file was removed or replaced. */
  expectThere(): Promise<void>
  /** Removes the remains of a failed write, if that was not possible at once. */
  clean(): Promise<void>
  close(): Promise<void>
}

/** Opens or creates the file, and cuts it off after `length` bytes. */
export async function openLogFile(path: string, length: number): Promise<LogFile> {
  const file = await open(path, length === 0 ? 'w' : 'r+')
  let end = length
  // The remains of a failed write after `end` are removed before anything else is written.
  let isClean = false
  const clean = async (): Promise<void> => {
    if (isClean) return
    await file.truncate(end)
    isClean = true
  }
  try {
    await clean()
    await file.sync()
    await syncFolder(dirname(path))
  } catch (error) {
    await file.close()
    throw error
  }
  return {
    get bytes() {
      return end
    },
    async append(text) {
      await clean()
      const content = Buffer.from(text)
      isClean = false
      try {
        await writeAll(file, content, end)
        await file.datasync()
      } catch (error) {
        await clean().catch(() => {}) // otherwise the next append does it
        throw error
      }
      end += content.length
      isClean = true
    },
    clean,
    async expectThere() {
      const [own, there] = await Promise.all([file.stat(), stat(path)])
      if (own.ino !== there.ino)
        throw Object.assign(new Error(`${path} was replaced by another file`), { code: 'LOST' })
    },
    async close() {
      await clean().catch(() => {})
      await file.close()
    },
  }
}

/** Writes the whole content, in as many system calls as that takes. */
export async function writeAll(file: FileHandle, content: Buffer, position: number): Promise<void> {
  let done = 0
  while (done < content.length) {
    const { bytesWritten } = await file.write(content, done, content.length - done, position + done)
    done += bytesWritten
  }
}
