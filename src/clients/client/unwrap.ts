import { callOf } from './sending.js'
import { SvcError } from './svcError.js'

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
