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

interface Entry {
  text: string
  undo: () => void
  resolve: () => void
  reject: (cause: unknown) => void
}

/** Combines the writes of many callers, in one order, into fewer disk writes. */
interface GroupWrites {
  /**
   * Writes after everything that was added before; resolves when it is on the disk. When a write fails, everything that is not on the disk
   * yet is undone, the last first, and then rejected.
   */
  add(text: string, undo?: () => void): Promise<void>
  /** True when nothing waits; otherwise resolves to whether everything waiting now has reached the disk. */
  settled(): true | Promise<boolean>
  /** Runs work between two writes: everything added before has been written or undone by then. */
  between(work: () => Promise<void>): Promise<void>
}

/** `write` appends texts durably, or not at all. Calls of it never overlap. */
export function createGroupWrites(write: (texts: readonly string[]) => Promise<void>): GroupWrites {
  let waiting: Entry[] = []
  let steps: (() => Promise<void>)[] = []
  /** Settles with the newest waiting text; undefined when nothing waits. */
  let last: Promise<void> | undefined
  let isBusy = false

  const writeWaiting = async (): Promise<void> => {
    const batch = waiting
    waiting = []
    try {
      await write(batch.map(({ text }) => text))
    } catch (error) {
      // Texts added meanwhile may build on what is undone now.
      const lost = [...batch, ...waiting]
      waiting = []
      last = undefined
      for (const { undo } of lost.toReversed()) undo()
      for (const { reject } of lost) reject(error)
      return
    }
    if (waiting.length === 0) last = undefined
    for (const { resolve } of batch) resolve()
  }
  const run = async (): Promise<void> => {
    if (isBusy) return
    isBusy = true
    while (waiting.length > 0 || steps.length > 0) {
      if (waiting.length > 0) await writeWaiting()
      const [step, ...later] = steps
      steps = later
      await step?.()
    }
    isBusy = false
  }

  return {
    add(text, undo = () => {}) {
      const written = new Promise<void>((resolve, reject) => {
        waiting.push({ text, undo, resolve, reject })
      })
      last = written
      void run()
      return written
    },
    settled() {
      if (!last) return true
      return last.then(
        () => true,
        () => false,
      )
    },
    between(work) {
      const done = new Promise<void>((resolve, reject) => {
        steps.push(() => work().then(resolve, reject))
      })
      void run()
      return done
    },
  }
}
