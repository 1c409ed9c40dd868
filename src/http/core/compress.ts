import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Request, Response } from 'express'

/** Shorter answers are sent as they are: they fit into a few packets. Bytes. */
const compressFrom = 8 * 1024

/** Fast ones: most clients are on this machine, where time is dearer than bytes. */
const packers = {
  br: (bytes: Buffer) =>
    brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } }),
  gzip: (bytes: Buffer) => gzipSync(bytes, { level: 2 }),
}

/**
 * The bytes of an answer as the client wants them: a long one is compressed for a client that names br or gzip in `Accept-Encoding`, and the
 * head says so. Streams never come here.
 */
export function compressed(res: Response, text: string): Buffer {
  const bytes = Buffer.from(text)
  if (bytes.length < compressFrom) return bytes
  res.vary('accept-encoding')
  const req = res.req as Request
  const encoding = req.acceptsEncodings(['br', 'gzip', 'identity'])
  if (encoding !== 'br' && encoding !== 'gzip') return bytes
  res.setHeader('content-encoding', encoding)
  return packers[encoding](bytes)
}
