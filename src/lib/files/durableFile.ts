import { open, readFile, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Adapter } from 'lowdb'

/** `parse` throws when the text is no such value. */
interface TextFormat<T> {
  format(data: T): string
  parse(text: string): T
}

function jsonFormat<T>(): TextFormat<T> {
  return { format: (data) => JSON.stringify(data), parse: (text) => JSON.parse(text) as T }
}

/** A text file as a lowdb adapter. A write replaces it atomically and durably: a crash leaves the old content or the new one. */
export class DurableFile<T> implements Adapter<T> {
  private readonly path: string
  private readonly text: TextFormat<T>

  constructor(path: string, text: TextFormat<T> = jsonFormat()) {
    this.path = path
    this.text = text
  }

  /** Null when there is no file. Rejects with the error of `parse`. */
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

/** Makes creations and renames in a folder durable. Windows cannot sync folders, and need not. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Writes a temporary file beside the path, syncs it, and renames it into place. */
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
