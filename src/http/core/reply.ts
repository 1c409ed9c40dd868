import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Response } from 'express'
import type { ServiceError } from '../../lib/errors.js'
import { addHint } from './headers.js'

/** What an answer was, besides its head: for the journal and the coverage. */
interface Replied {
  /** The text of its body. */
  text: string
  /** The code of an error. */
  code?: string
}

const replies = new WeakMap<Response, Replied>()
const toBreakOff = new WeakSet<Response>()

/**
 * Sends the answer to a request: JSON, or text of the given type. Every answer of the service and of the control API leaves
 * here, except streams, which their handlers write.
 */
export function reply(res: Response, body: unknown, contentType?: string): void {
  const text = contentType === undefined ? JSON.stringify(body) : String(body)
  leave(res, { text }, contentType ?? json)
}

/** Sends an error: `{ error, message }`, with the status of the problems table. */
export function replyProblem(res: Response, problem: ServiceError): void {
  const { code, status, message, hint } = problem
  if (hint) addHint(res, hint)
  if (status === 401) res.setHeader('www-authenticate', 'Bearer')
  // Clients may take it for the end of an idle connection and send the request again (RFC 9110, 15.5.9): the connection does end.
  if (status === 408) res.setHeader('connection', 'close')
  res.status(status)
  leave(res, { text: JSON.stringify({ error: code, message }), code }, json)
}

/** Sends an answer that a fault rule has made of the usual one. */
export function replyOther(res: Response, status: number, body: unknown): void {
  const { error } = body as { error?: unknown }
  res.status(status)
  leave(
    res,
    { text: JSON.stringify(body), ...(typeof error === 'string' && { code: error }) },
    json,
  )
}

/** From now on the answer's body breaks off in the middle, although its head announces all of it. */
export function breakOff(res: Response): void {
  toBreakOff.add(res)
}

/** What was answered; undefined for a stream, for an answer without a body, and for one that broke off. */
export function repliedWith(res: Response): Replied | undefined {
  return replies.get(res)
}

const json = 'application/json'

function leave(res: Response, answer: Replied, type: string): void {
  // Not by Express: finding out the type and whether the client has the answer already takes longer than to make it.
  res.setHeader('content-type', type.includes('charset=') ? type : `${type}; charset=utf-8`)
  if (toBreakOff.has(res)) {
    const bytes = Buffer.from(answer.text)
    res.setHeader('content-length', bytes.length)
    res.write(bytes.subarray(0, bytes.length >> 1), () => res.destroy())
    return
  }
  replies.set(res, answer)
  const bytes = packed(res, Buffer.from(answer.text))
  res.setHeader('content-length', bytes.length)
  res.end(bytes)
}

/** Larger answers are compressed for clients that ask for it. Bytes. */
const compressFrom = 8 * 1024

/** Fast rather than small: clients are mostly on this machine. */
const compressions = {
  gzip: (bytes: Buffer) => gzipSync(bytes, { level: constants.Z_BEST_SPEED }),
  br: (bytes: Buffer) =>
    brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
} as const

/** The bytes as they are sent, with the headers that say so. */
function packed(res: Response, bytes: Buffer): Buffer {
  if (bytes.length <= compressFrom) return bytes
  res.appendHeader('vary', 'Accept-Encoding')
  const encoding = res.req.acceptsEncodings('gzip', 'br')
  if (encoding !== 'gzip' && encoding !== 'br') return bytes
  res.setHeader('content-encoding', encoding)
  return compressions[encoding](bytes)
}
