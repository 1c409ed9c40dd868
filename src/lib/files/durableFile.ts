import { open, readFile, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Adapter } from 'lowdb'

/** How a value becomes the text of a file, and comes back. `parse` throws when the text is not such a value. */
interface TextFormat<T> {
  format(data: T): string
  parse(text: string): T
}

/** Plain JSON. */
function jsonFormat<T>(): TextFormat<T> {
  return { format: (data) => JSON.stringify(data), parse: (text) => JSON.parse(text) as T }
}

/**
 * A file as lowdb reads and writes it, for files that people may look at. A write replaces the file in one step and resolves when the
 * disk has it; after a sudden end there is either the old content or the new one.
 */
export class DurableFile<T> implements Adapter<T> {
  private readonly path: string
  private readonly text: TextFormat<T>

  constructor(path: string, text: TextFormat<T> = jsonFormat()) {
    this.path = path
    this.text = text
  }

  /** Null when there is no file. Rejects with the format's error when it cannot be understood. */
  async read(): Promise<T | null> {
    const text = await readFile(this.path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
    return text === undefined ? null : this.text.parse(text)
  }

  async write(data: T): Promise<void> {
    await replaceFile(this.path, this.text.format(data))
    await syncFolder(dirname(this.path))
  }
}

/** Makes what was created or renamed in a folder last. Windows cannot, and does not need it. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Writes beside the file, waits until it is on the disk, and puts it in place in one step. */
export async function replaceFile(path: string, content: string | Buffer): Promise<void> {
  const temporary = `${path}.tmp`
  const file = await open(temporary, 'w')
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(temporary, path)
}
