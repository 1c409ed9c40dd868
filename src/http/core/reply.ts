import { ServerResponse } from 'node:http'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Request, RequestHandler, Response } from 'express'
import type { ServiceError } from '../../lib/errors.js'
import type { Clock } from '../../time/clock.js'
import { addHint, realDateHeader } from './headers.js'

/** What an answer was, besides its head: for the journal and the coverage. */
interface Replied {
  text: string
  code?: string
}

/** The facts of a response are on the response itself: a map of all would outlive each, and be collected later. */
const known = Symbol('answer')
const isCut = Symbol('cut')
type Noted = { [known]?: Replied; [isCut]?: true }

/**
 * Sends JSON, or text of the given type. Every response of the service and of the control API goes through here, except streams, which their
 * handlers write.
 */
export function reply(res: ServerResponse, body: unknown, contentType?: string): void {
  const text = contentType === undefined ? JSON.stringify(body) : String(body)
  leave(res, { text }, contentType ?? json)
}

/** Sends an error: `{ error, message }`, with the status of the problems table. */
export function replyProblem(res: ServerResponse, problem: ServiceError): void {
  const { code, status, message, hint } = problem
  if (hint) addHint(res, hint)
  if (status === 401) res.setHeader('www-authenticate', 'Bearer')
  // Clients may take it for the end of an idle connection and send the request again (RFC 9110, 15.5.9): the connection does end.
  if (status === 408) res.setHeader('connection', 'close')
  res.statusCode = status
  leave(res, { text: JSON.stringify({ error: code, message }), code }, json)
}

/** Sends a response that a fault rule has changed. */
export function replyOther(res: ServerResponse, status: number, body: unknown): void {
  const { error } = body as { error?: unknown }
  res.statusCode = status
  leave(
    res,
    { text: JSON.stringify(body), ...(typeof error === 'string' && { code: error }) },
    json,
  )
}

/** Cuts the response in the middle of its body, although the head announces all of it. */
export function breakOff(res: ServerResponse): void {
  ;(res as Noted)[isCut] = true
}

/** The response that was sent; undefined for a stream, an empty body, and a response that was cut. */
export function repliedWith(res: ServerResponse): Replied | undefined {
  return (res as Noted)[known]
}

/**
 * `Date` is the clock's time when the response begins, so that a client that corrects its own clock by it agrees with the times in the bodies.
 * A header of its own has the machine's time.
 */
export function datedAnswers(clock: Clock): RequestHandler {
  const [simulated, real] = [httpDates(), httpDates()]
  const usual = ServerResponse.prototype.writeHead as (...args: unknown[]) => Response
  function writeHead(this: Response, ...args: unknown[]): Response {
    if (!this.req.endpoint?.isFile) {
      this.setHeader('date', simulated(clock.now()))
      this.setHeader(realDateHeader, real(Date.now()))
    }
    return usual.apply(this, args)
  }
  return (_req, res, next) => {
    res.writeHead = writeHead
    next()
  }
}

/** Writes times as HTTP dates; those within one second have one text. */
function httpDates(): (ms: number) => string {
  let second = Number.NaN
  let text = ''
  return (ms) => {
    if (Math.floor(ms / 1000) === second) return text
    second = Math.floor(ms / 1000)
    text = new Date(ms).toUTCString()
    return text
  }
}

const json = 'application/json'

function leave(res: ServerResponse, answer: Replied, type: string): void {
  // Not by Express: finding out the type and whether the client has the answer already takes longer than to make it.
  res.setHeader('content-type', type.includes('charset=') ? type : `${type}; charset=utf-8`)
  if ((res as Noted)[isCut]) {
    const bytes = Buffer.from(answer.text)
    res.setHeader('content-length', bytes.length)
    res.write(bytes.subarray(0, bytes.length >> 1), () => res.destroy())
    return
  }
  ;(res as Noted)[known] = answer
  const length = Buffer.byteLength(answer.text)
  // As text, so that Node sends it in one piece with its head.
  const sent = length <= compressFrom ? answer.text : packed(res, Buffer.from(answer.text))
  res.setHeader('content-length', typeof sent === 'string' ? length : sent.length)
  res.end(sent)
}

/** Larger answers are compressed for clients that ask for it. Bytes. */
const compressFrom = 8 * 1024

/** Fast rather than small: clients are mostly on this machine. */
const compressions = {
  gzip: (bytes: Buffer) => gzipSync(bytes, { level: constants.Z_BEST_SPEED }),
  br: (bytes: Buffer) =>
    brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
} as const

/** Compresses the bytes if the client accepts it, and sets the headers. */
function packed(res: ServerResponse, bytes: Buffer): Buffer {
  res.appendHeader('vary', 'Accept-Encoding')
  const encoding = (res.req as Request).acceptsEncodings('gzip', 'br')
  if (encoding !== 'gzip' && encoding !== 'br') return bytes
  res.setHeader('content-encoding', encoding)
  return compressions[encoding](bytes)
}

export const eventStreamHead = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' }

/** A message of such a stream. With an `id`, a client that comes back names it in `Last-Event-ID`. */
export function eventMessage(event: string, data: unknown, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

/** Writes a part of such a stream. Resolves when a slow reader has taken the pending bytes, or at the end of `signal`. */
export async function writePart(
  res: ServerResponse,
  text: string,
  signal: AbortSignal,
): Promise<void> {
  if (res.write(text) || signal.aborted) return
  await new Promise<void>((resolve) => {
    const go = (): void => {
      res.removeListener('drain', go)
      signal.removeEventListener('abort', go)
      resolve()
    }
    res.on('drain', go)
    signal.addEventListener('abort', go)
  })
}
