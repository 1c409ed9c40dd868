/** The control API said no. `message` has its words, and its hint. */
export class RefusedError extends Error {
  override name = 'RefusedError'
  readonly status: number
  /** The code of its body, such as `world_lost`; undefined when it has none. */
  readonly code: string | undefined
  /** When it may be asked again, where it says so. */
  readonly retryAfterMs: number | undefined

  constructor(asked: string, response: Response, body: { error?: string; message?: string }) {
    const hint = response.headers.get('x-svc-sim-hint')
    super(`${asked}: ${body.message ?? `status ${response.status}`}${hint ? ` (${hint})` : ''}`)
    this.status = response.status
    this.code = body.error
    const after = response.headers.get('retry-after')
    this.retryAfterMs = after === null ? undefined : Number(after) * 1000
  }
}

/** Asks the control API for JSON; rejects with `RefusedError`. A `bigint` goes out as decimal text. */
export type ControlClient = <T>(method: string, path: string, body?: unknown) => Promise<T>

/** A client of a control API, by its URL and its bearer token. */
export function createControl(controlUrl: string, token: string | undefined): ControlClient {
  return async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await fetch(`${controlUrl}${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body, bigintAsText) }),
    }).catch((error: Error & { cause?: NodeJS.ErrnoException }) => {
      const why = error.cause?.message || error.cause?.code || error.message
      throw new Error(
        `No simulator answers at ${controlUrl} (${why}). Start one with "npx svc-sim start", or name the address of one that runs.`,
        { cause: error },
      )
    })
    const answer: unknown = await response.json()
    if (response.ok) return answer as T
    throw new RefusedError(`${method} ${path}`, response, answer as { message?: string })
  }
}

function bigintAsText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}` : value
}
