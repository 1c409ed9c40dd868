import { crc32 } from 'node:zlib'

/**
 * A record as a line of text: the CRC-32 of the JSON in eight hex digits, a space, the JSON, a line feed. So people can read such a file,
 * and damage of any line is detected.
 */
export function frame(record: unknown): string {
  const text = JSON.stringify(record)
  return `${checksum(text)} ${text}\n`
}

/**
 * JSON texts as chained lines: each checksum continues from that of the previous line, so that a lost, doubled or moved line is detected
 * at the next one. The first line of a file is not part of the chain: it names the file, and an export renames it.
 *
 * @param before Checksum of the previous link; 0 for the first.
 */
export function link(texts: readonly string[], before: number): { lines: string; last: number } {
  let last = before
  const lines = texts.map((text) => {
    last = crc32(text, last)
    return `${hex(last)} ${text}\n`
  })
  return { lines: lines.join(''), last }
}

export interface Frames {
  /** The records before the first broken line. */
  records: unknown[]
  /** The length of these records in the file. */
  wholeBytes: number
  /** Checksum of the last link, from which the next one continues; 0 when there is none. */
  last: number
  /**
   * What follows the records: `nothing`; `torn`, an interrupted last write without its line feed or with a hole of zeros before it; or
   * `damaged`.
   */
  rest: 'nothing' | 'torn' | 'damaged'
}

/** Reads a file of records: a first line by itself, then links (see `link`). */
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
  // A file system may extend a file before it writes the data, so that a power failure leaves zeros.
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
