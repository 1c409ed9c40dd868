import { type FileHandle, open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { syncFolder } from '../lib/files/durableFile.js'

/** A file that only grows, and whose end is always that of a whole write. */
export interface LogFile {
  /** How long it is, without what a failed write has left. */
  readonly bytes: number
  /** Resolves when it is on the disk. Rejects with the system's error, and then the file is as it was. Not two at once. */
  append(text: string): Promise<void>
  /** Rejects when the file that has this name is another one, or there is none. */
  expectThere(): Promise<void>
  /** Takes away what a failed write has left, when that could not be done at once. */
  clean(): Promise<void>
  close(): Promise<void>
}

/** Opens the file, or makes it; what it has beyond `length` bytes goes. */
export async function openLogFile(path: string, length: number): Promise<LogFile> {
  const file = await open(path, length === 0 ? 'w' : 'r+')
  let end = length
  // What a failed write has left behind `end` goes before anything else is written.
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
        await clean().catch(() => {}) // then the next append does it
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

/** Writes all of it, however much one call takes. */
export async function writeAll(file: FileHandle, content: Buffer, position: number): Promise<void> {
  let done = 0
  while (done < content.length) {
    const { bytesWritten } = await file.write(content, done, content.length - done, position + done)
    done += bytesWritten
  }
}
