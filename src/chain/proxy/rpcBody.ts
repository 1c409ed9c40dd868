import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'

/** The limit of a message, both as sent and unpacked. */
export const maxMessageBytes = 16 * 1024 * 1024

const unpackers = {
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
}

/** The message says why. */
export class UnreadableBody extends Error {
  override name = 'UnreadableBody'
}

/** The body as text, from gzip, deflate or br too; undefined when it is too large, and then the rest is discarded. */
export async function readBody(request: IncomingMessage): Promise<string | undefined> {
  // Too large by its own header: do not read it.
  if (Number(request.headers['content-length']) > maxMessageBytes) return undefined
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxMessageBytes) return undefined
    chunks.push(chunk)
  }
  const unpacked = await unpack(Buffer.concat(chunks), request.headers['content-encoding'])
  return unpacked?.toString('utf8')
}

async function unpack(body: Buffer, encoding = 'identity'): Promise<Buffer | undefined> {
  const name = encoding.toLowerCase()
  if (name === 'identity') return body
  if (!Object.hasOwn(unpackers, name))
    throw new UnreadableBody(
      `Content-Encoding must be gzip, deflate, br or absent, but is ${encoding.slice(0, 80)}`,
    )
  try {
    return await unpackers[name as keyof typeof unpackers](body, {
      maxOutputLength: maxMessageBytes,
    })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ERR_BUFFER_TOO_LARGE') return undefined
    throw new UnreadableBody(`The message is not ${name}, as Content-Encoding says: ${message}`)
  }
}
