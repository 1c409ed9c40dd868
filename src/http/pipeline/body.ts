import type { IncomingMessage } from 'node:http'
import { type Request, type Response, text } from 'express'
import { ServiceError } from '../../lib/errors.js'
import { JsonDepthError, parseJson } from '../../lib/json.js'
import { bodyLimit, declaredBytes } from '../core/request.js'

// Of any type: other than JSON is refused below, in our own words. Unpacks no more than the limit.
const parser = text({ limit: bodyLimit, type: () => true })

/**
 * Undefined when there is no body. If this app is mounted in another one that has parsed the body, its result is used; otherwise the text
 * stays in `req.body`. Rejects with 400 `invalid_params` or 413 `payload_too_large`.
 */
export async function readJson(req: Request, res: Response): Promise<unknown> {
  if (!hasBody(req)) return undefined
  refuseOtherTypes(req.headers['content-type'])
  refuseOtherEncodings(req.headers['content-encoding'])
  // Before it comes: a client that asked whether it may send it (Expect: 100-continue) never will.
  if (declaredBytes(req) > bodyLimit) throw tooLarge(declaredBytes(req))
  await new Promise<void>((resolve, reject) => {
    // The parser would answer only when a body that is too large has come to its end, which it may never do.
    let received = 0
    req.on('data', (chunk: Buffer) => {
      received += chunk.length
      if (received > bodyLimit) reject(tooLarge(declaredBytes(req)))
    })
    parser(req, res, (error?: unknown) => (error ? reject(bodyProblem(error)) : resolve()))
  })
  const { body } = req
  if (typeof body !== 'string' || body === '') return body || undefined
  try {
    return parseJson(body)
  } catch (cause) {
    const problem = cause instanceof JsonDepthError ? 'nested too deep' : 'not valid JSON'
    const message = `The request body is ${problem}: ${(cause as Error).message}`
    throw new ServiceError('invalid_params', message, { cause })
  }
}

/** `length` in bytes; NaN if unknown. */
function tooLarge(length: number, cause?: unknown): ServiceError {
  const size = Number.isNaN(length) ? 'larger' : `${length} bytes`
  return new ServiceError(
    'payload_too_large',
    `The request body must be at most ${bodyLimit} bytes, but is ${size}`,
    { cause },
  )
}

/** Whether a request has a body that says it is JSON. */
export function hasJson(req: IncomingMessage): boolean {
  return hasBody(req) && isJson(req.headers['content-type'])
}

function isJson(contentType = ''): boolean {
  return /^application\/json\s*(;|$)/i.test(contentType)
}

function hasBody(req: IncomingMessage): boolean {
  const length = req.headers['content-length']
  return req.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
}

function refuseOtherTypes(contentType: string | undefined): void {
  if (!contentType || !isJson(contentType)) {
    const got = contentType ? `is ${contentType.slice(0, 80)}` : 'is missing'
    throw new ServiceError('invalid_params', `Content-Type must be application/json, but ${got}`, {
      hint: 'Send the body as JSON with the header "Content-Type: application/json".',
    })
  }
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType)?.[1] ?? 'utf-8'
  if (!/^utf-/i.test(charset)) throw unreadable(`unsupported charset "${charset.slice(0, 80)}"`)
}

/** In words of our own, and the same under every Node: which encodings the parser could read depends on it. */
function refuseOtherEncodings(encoding = 'identity'): void {
  if (/^(identity|gzip|deflate|br)$/i.test(encoding)) return
  throw new ServiceError(
    'invalid_params',
    `Content-Encoding must be gzip, deflate, br or absent, but is ${encoding.slice(0, 80)}`,
    { hint: 'Send the body uncompressed or with gzip, deflate or br.' },
  )
}

function bodyProblem(error: unknown): unknown {
  const { type, message, status, length } = error as {
    type?: string
    message?: string
    status?: number
    length?: number
  }
  if (type === 'entity.too.large') return tooLarge(length ?? Number.NaN, error)
  // The other 4xx: an unknown charset, a broken compression stream, a wrong length, a connection that ended early.
  return status !== undefined && status < 500 ? unreadable(message, error) : error
}

function unreadable(why: string | undefined, cause?: unknown): ServiceError {
  return new ServiceError('invalid_params', `The request body cannot be read: ${why}`, {
    hint: 'Send the body in UTF-8, uncompressed or with gzip, deflate or br.',
    cause,
  })
}
