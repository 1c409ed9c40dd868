import { crc32 } from 'node:zlib'

/**
 * Records as lines of text: the CRC-32 of the JSON in eight hex digits, a space, the JSON, a line feed. So a file of them can be
 * read by people, and whoever reads it knows for each line whether it is as it was written.
 */
export function frame(record: unknown): string {
  const text = JSON.stringify(record)
  return `${checksum(text)} ${text}\n`
}

/**
 * JSON texts as lines that hang together: the checksum of each goes on from that of the line before it, so that a line which was
 * lost, doubled or moved is noticed at the next one. The first line of a file is no link: it names the file, and an export renames it.
 *
 * @param before Checksum of the last link; 0 when there is none yet.
 */
export function link(texts: readonly string[], before: number): { lines: string; last: number } {
  let last = before
  const lines = texts.map((text) => {
    last = crc32(text, last)
    return `${hex(last)} ${text}\n`
  })
  return { lines: lines.join(''), last }
}

/** What a file of records holds. */
export interface Frames {
  /** Up to the first line that is not whole. */
  records: unknown[]
  /** Length of the part that they take up. */
  wholeBytes: number
  /** Checksum of the last link, to go on from; 0 when there is none. */
  last: number
  /**
   * What comes after: `nothing`; `torn`, a last write that did not end, so that its line feed is missing or there is a hole before
   * it; or `damaged`.
   */
  rest: 'nothing' | 'torn' | 'damaged'
}

/** Reads a file of records: a first line that stands alone, and links after it (see `link`). */
export function unframe(content: Buffer): Frames {
  const records: unknown[] = []
  let [wholeBytes, last] = [0, 0]
  for (;;) {
    const end = content.indexOf(lineFeed, wholeBytes)
    const line = content.subarray(wholeBytes, end < 0 ? content.length : end)
    const record = end < 0 ? undefined : parse(line, last)
    if (record === undefined) break
    if (records.length > 0) last = record.sum
    records.push(record.value)
    wholeBytes = end + 1
  }
  return { records, wholeBytes, last, rest: restOf(content.subarray(wholeBytes)) }
}

function restOf(content: Buffer): Frames['rest'] {
  if (content.length === 0) return 'nothing'
  const end = content.indexOf(lineFeed)
  // A file system may make a file longer before it has what goes there, so that power which fails leaves zeros.
  const isTorn = end < 0 || (end === content.length - 1 && content.includes(0))
  return isTorn ? 'torn' : 'damaged'
}

/** CRC-32 in eight hex digits. */
export function checksum(content: string | Buffer, before = 0): string {
  return hex(crc32(content, before))
}

function hex(value: number): string {
  return value.toString(16).padStart(8, '0')
}

const lineFeed = 10
const headLength = 'xxxxxxxx '.length

function parse(line: Buffer, before: number): { value: unknown; sum: number } | undefined {
  const text = line.subarray(headLength)
  const sum = crc32(text, before)
  if (text.length === 0 || line.toString('latin1', 0, headLength) !== `${hex(sum)} `)
    return undefined
  try {
    return { value: JSON.parse(text.toString('utf8')), sum }
  } catch {
    return undefined
  }
}
