import openapiFetch from 'openapi-fetch'
import { SvcError } from './svcError.js'

/** Makes a client of `openapi-fetch`. In CommonJS, as the command line is bundled, the function is in `default` of the module. */
export const createFetchClient =
  (openapiFetch as typeof openapiFetch & { default?: typeof openapiFetch }).default ?? openapiFetch

/** How a client retries temporary failures. */
export interface Patience {
  /** How often a call is sent in all while it returns 429. */
  attempts: number
  /** How long to wait after so many failures in a row, in milliseconds; a `retry-after` of the server takes precedence. */
  delayMs: (failures: number) => number
  /** Waits this many milliseconds between calls; rejects with the signal's reason when it aborts. */
  pause: (ms: number, signal?: AbortSignal) => Promise<unknown>
}

/** Twice as long after each failure, from 100 ms up to 5 s: six attempts ride out an outage of 3 s. */
export const defaultPatience: Patience = {
  attempts: 6,
  delayMs: (failures) => Math.min(100 * 2 ** (failures - 1), 5_000),
  pause: realPause,
}

/**
 * Sends requests. Only a request that returned 429 is sent again, because it was not processed. Without a complete response it throws a
 * `SvcError` with the code `unreachable`, or the reason of the caller's signal.
 */
export function patientFetch(
  send: (request: Request) => Promise<Response>,
  { attempts, delayMs, pause }: Patience,
): (request: Request) => Promise<Response> {
  return async (request) => {
    for (let failures = 1; ; failures++) {
      const response = await answerTo(request, send)
      if (response.status !== 429 || failures >= attempts) return response
      await pause(retryAfterMs(response) ?? delayMs(failures), request.signal)
    }
  }
}

const calls = new WeakMap<Response, string>()

/** The request of a response of `patientFetch`, such as `GET /networks`. */
function callOf(response: Response): string {
  return calls.get(response) ?? 'a call'
}

async function answerTo(
  request: Request,
  send: (request: Request) => Promise<Response>,
): Promise<Response> {
  const { origin, pathname } = new URL(request.url)
  const call = `${request.method} ${pathname}`
  try {
    // The body of a request can be sent once.
    const response = await send(request.clone())
    // Streams are for their readers; everything else is only an answer when all of it is there.
    const type = response.headers.get('content-type') ?? ''
    if (!type.startsWith('text/event-stream')) await response.clone().arrayBuffer()
    calls.set(response, call)
    return response
  } catch (error) {
    request.signal.throwIfAborted()
    const { message, cause } = error as Error & { cause?: Error & { code?: string } }
    const why = cause?.message || cause?.code || message
    const next =
      cause?.code === 'ECONNREFUSED' || request.method === 'GET'
        ? 'Is the service running?'
        : 'The service may have carried the request out: look before you send it again.'
    throw new SvcError(`${call}: no answer from ${origin} (${why}). ${next}`, {
      status: 0,
      code: 'unreachable',
      call,
      cause: error,
    })
  }
}

function retryAfterMs(response: Response): number | undefined {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined
}

/** Resolves after this long; rejects with the signal's reason when it aborts before. */
function realPause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const onAbort = (): void => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}

interface Settled<Data> {
  data?: Data
  error?: unknown
  response: Response
}

/**
 * The data of a call of `client.api`; throws a `SvcError` when the service refused:
 * `const { networks } = await unwrap(client.api.GET('/networks'))`.
 */
export async function unwrap<Data>(call: Promise<Settled<Data>>): Promise<NonNullable<Data>> {
  const { data, error, response } = await call.catch(notJson)
  if (data !== undefined && data !== null && response.ok) return data
  throw refusal(response, error)
}

/** A success whose body is something else: it comes from another server. */
function notJson(error: unknown): never {
  if (!(error instanceof SyntaxError)) throw error
  throw new SvcError(
    `the answer is not JSON (${error.message}). Is the base URL that of the service?`,
    { status: 200, call: 'a call', code: 'unreadable', cause: error },
  )
}

function refusal(response: Response, body: unknown): SvcError {
  const { status, headers } = response
  const call = callOf(response)
  if (isProblem(body))
    return new SvcError(body.message ?? `${call} was refused: ${status} ${body.error}`, {
      status,
      headers,
      call,
      code: body.error,
    })
  const text = typeof body === 'string' ? body : JSON.stringify(body ?? null)
  return new SvcError(
    `${call} was answered by ${status} with a body that is not of the service: ${text.slice(0, 200)}. Is the base URL that of the service?`,
    { status, headers, call, code: 'unreadable' },
  )
}

/** The interface shows a message at the creation of accounts, and nowhere else. */
function isProblem(body: unknown): body is { error: string; message?: string } {
  if (typeof body !== 'object' || body === null) return false
  const { error, message } = body as { error?: unknown; message?: unknown }
  return typeof error === 'string' && ['string', 'undefined'].includes(typeof message)
}
