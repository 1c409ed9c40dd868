import { open, rename } from 'node:fs/promises'

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
