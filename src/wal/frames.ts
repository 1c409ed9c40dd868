import { crc32 } from 'node:zlib'

/**
 * Records as lines of text: the CRC-32 of the JSON in eight hex digits, a space, the JSON, a line feed. So a file of them can be
 * read by people, and whoever reads it knows for each line whether it is as it was written.
 */
export function frame(record: unknown): string {
  const text = JSON.stringify(record)
  return `${checksum(text)} ${text}\n`
}

/** What a file of records holds. */
export interface Frames {
  /** Up to the first line that is not whole. */
  records: unknown[]
  /** Length of the part that they take up. */
  wholeBytes: number
  /**
   * What comes after: `nothing`; `torn`, a last write that did not end; or `damaged`, since records that are whole follow behind
   * it.
   */
  rest: 'nothing' | 'torn' | 'damaged'
}

/** Reads a file of records. */
export function unframe(content: Buffer): Frames {
  const records: unknown[] = []
  let wholeBytes = 0
  for (;;) {
    const end = content.indexOf(lineFeed, wholeBytes)
    const line = content.subarray(wholeBytes, end < 0 ? content.length : end)
    const record = end < 0 ? undefined : parse(line)
    if (record === undefined) break
    records.push(record.value)
    wholeBytes = end + 1
  }
  if (wholeBytes === content.length) return { records, wholeBytes, rest: 'nothing' }
  const isDamaged = content
    .subarray(wholeBytes)
    .toString('utf8')
    .split('\n')
    .slice(1, -1)
    .some((line) => parse(Buffer.from(line)) !== undefined)
  return { records, wholeBytes, rest: isDamaged ? 'damaged' : 'torn' }
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

function parse(line: Buffer): { value: unknown } | undefined {
  const text = line.subarray(headLength)
  if (text.length === 0 || line.toString('latin1', 0, headLength) !== `${checksum(text)} `)
    return undefined
  try {
    return { value: JSON.parse(text.toString('utf8')) }
  } catch {
    return undefined
  }
}
