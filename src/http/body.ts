import express, { type Request, type Response } from 'express'
import { ServiceError } from '../errors.js'

/** The largest request body, in bytes. */
export const bodyLimit = 1024 * 1024

// Not strict and of any type: what is not a JSON object is refused below and by the schema, in our own words.
const parser = express.json({ limit: bodyLimit, strict: false, type: () => true })

/** Reads the request's JSON body; undefined when there is none. Rejects with 400 `invalid_params` or 413 `payload_too_large`. */
export async function readJson(req: Request, res: Response): Promise<unknown> {
  if (!hasBody(req)) return undefined
  refuseOtherTypes(req.headers['content-type'])
  refuseOtherEncodings(req.headers['content-encoding'])
  await new Promise<void>((resolve, reject) => {
    // The parser would answer only when a body that is too large has come to its end, which it may never do.
    let received = 0
    req.on('data', (chunk: Buffer) => {
      received += chunk.length
      if (received > bodyLimit) reject(tooLarge(Number(req.headers['content-length'])))
    })
    parser(req, res, (error?: unknown) => (error ? reject(bodyProblem(error)) : resolve()))
  })
  return req.body
}

/** `length` in bytes; NaN when it is not known. */
function tooLarge(length: number, cause?: unknown): ServiceError {
  const size = Number.isNaN(length) ? 'larger' : `${length} bytes`
  return new ServiceError(
    'payload_too_large',
    `The request body must be at most ${bodyLimit} bytes, but is ${size}`,
    { cause },
  )
}

function hasBody(req: Request): boolean {
  const length = req.headers['content-length']
  return req.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
}

function refuseOtherTypes(contentType: string | undefined): void {
  if (contentType && /^application\/json\s*(;|$)/i.test(contentType)) return
  const got = contentType ? `is ${contentType.slice(0, 80)}` : 'is missing'
  throw new ServiceError('invalid_params', `Content-Type must be application/json, but ${got}`, {
    hint: 'Send the body as JSON with the header "Content-Type: application/json".',
  })
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

/** Translates the body parser's errors. */
function bodyProblem(error: unknown): unknown {
  const { type, message, status, length } = error as {
    type?: string
    message?: string
    status?: number
    length?: number
  }
  if (type === 'entity.too.large') return tooLarge(length ?? Number.NaN, error)
  if (type === 'entity.parse.failed') {
    return new ServiceError('invalid_params', `The request body is not valid JSON: ${message}`, {
      cause: error,
    })
  }
  if (type === 'charset.unsupported') {
    return new ServiceError('invalid_params', `The request body cannot be read: ${message}`, {
      hint: 'Send the body in UTF-8.',
      cause: error,
    })
  }
  // What is left of the 4xx: a broken compression stream, a length that does not agree, a connection that ended early.
  if (status !== undefined && status < 500) {
    return new ServiceError('invalid_params', `The request body cannot be read: ${message}`, {
      cause: error,
    })
  }
  return error
}
