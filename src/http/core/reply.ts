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
  res.setHeader('content-length', Buffer.byteLength(answer.text))
  res.end(answer.text)
}
