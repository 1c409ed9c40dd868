import { createReadStream } from 'node:fs'
import { access, open } from 'node:fs/promises'
import type { Adapter } from 'lowdb'
import { checksum } from './frames.js'
import { writeAll } from './logFile.js'

/** The content of a part, in pieces: a chain is too long for one string. */
export type Pieces = Iterable<string | Buffer> | AsyncIterable<string | Buffer>

/** Identifies the content of a file, to detect damage later. */
export interface Fingerprint {
  bytes: number
  checksum: string
}

const pieceLength = 1 << 20

/** How a part becomes the pieces of a file, and comes back. */
export interface PiecesFormat<T> {
  format(data: T): Pieces
  parse(pieces: AsyncIterable<Buffer>): T | Promise<T>
}

const asTheyAre: PiecesFormat<Pieces> = { format: (pieces) => pieces, parse: (pieces) => pieces }

/** A checkpoint file, as a lowdb adapter. A write resolves when the disk has it; the file counts once the manifest names it. */
export class CheckpointFile<T> implements Adapter<T> {
  written: Fingerprint | undefined
  private readonly path: string
  private readonly pieces: PiecesFormat<T>

  constructor(path: string, pieces: PiecesFormat<T>) {
    this.path = path
    this.pieces = pieces
  }

  /** Null when there is no file. */
  async read(): Promise<T | null> {
    try {
      await access(this.path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
      throw error
    }
    return this.pieces.parse(createReadStream(this.path, { highWaterMark: pieceLength }))
  }

  async write(data: T): Promise<void> {
    this.written = undefined
    const file = await open(this.path, 'w')
    try {
      let bytes = 0
      let sum = checksum('')
      for await (const piece of this.pieces.format(data)) {
        const buffer = Buffer.from(piece as string)
        await writeAll(file, buffer, bytes)
        bytes += buffer.length
        sum = checksum(buffer, Number.parseInt(sum, 16))
      }
      await file.sync()
      this.written = { bytes, checksum: sum }
    } finally {
      await file.close()
    }
  }
}

/** The pieces of a file; null when there is none. */
export function piecesOf(path: string): Promise<Pieces | null> {
  return new CheckpointFile(path, asTheyAre).read()
}

/** Writes a file from its pieces, durably. */
export async function writePieces(path: string, content: Pieces): Promise<Fingerprint> {
  const file = new CheckpointFile(path, asTheyAre)
  await file.write(content)
  return file.written!
}
