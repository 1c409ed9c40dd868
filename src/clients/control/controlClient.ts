import type { Client } from 'openapi-fetch'
import { problems } from '../../lib/errors.js'
import { createFetchClient } from '../client/sending.js'
import type { components, paths } from './controlApi.js'

/** The body of a refusal. */
interface Problem {
  error?: string
  message?: string
}

/** The control API refused a call. `message` has the code and the words of its answer, followed by the hint. */
export class RefusedError extends Error {
  override name = 'RefusedError'
  readonly status: number
  /** The code of its body, such as `world_lost`; undefined when it has none. */
  readonly code: string | undefined
  /** What was wrong and what to do next; undefined when the simulator sent none. */
  readonly hint: string | undefined
  /** When it may be asked again, where it says so. */
  readonly retryAfterMs: number | undefined

  constructor(call: string, response: Response, body: Problem) {
    const hint = response.headers.get('x-svc-sim-hint')
    const why =
      body.message === undefined ? `status ${response.status}` : `${body.error}: ${body.message}`
    super(`${call}: ${why}${hint ? ` (${hint})` : ''}`)
    this.status = response.status
    this.hint = hint ?? undefined
    this.code = body.error
    const after = response.headers.get('retry-after')
    this.retryAfterMs = after === null ? undefined : Number(after) * 1000
  }
}

/** The routes as the OpenAPI document has them, without the `/_sim` that a control URL ends with. */
type ControlPaths = {
  [Path in keyof paths as Path extends `/_sim/${infer Rest}` ? `/${Rest}` : never]: paths[Path]
}

/** The schemas of the document. */
export type ControlSchemas = components['schemas']

/**
 * A client of a control API, typed by its OpenAPI document. Calls reject with `RefusedError` when the simulator refuses. A `bigint` in a
 * body goes out as decimal text.
 */
export type ControlClient = Client<ControlPaths>

/** What to do when nothing answers. */
const startOne =
  'Start one with "npx svc-sim start", or name the address of one that runs, as with --base-url.'

/**
 * Makes a client of a control API from its URL and its bearer token; nothing is sent yet. `headers` go with each request. `next` says what
 * to do when nothing answers.
 */
export function createControl(
  controlUrl: string,
  token: string | undefined,
  headers: Readonly<Record<string, string>> = {},
  next = startOne,
): ControlClient {
  return createFetchClient<ControlPaths>({
    baseUrl: controlUrl,
    headers: { ...headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    bodySerializer: (body) => JSON.stringify(body, bigintAsText),
    async fetch(request) {
      const response = await fetch(request).catch(
        (error: Error & { cause?: NodeJS.ErrnoException }) => {
          const why = error.cause?.message || error.cause?.code || error.message
          throw new Error(`No simulator answers at ${controlUrl} (${why}). ${next}`, {
            cause: error,
          })
        },
      )
      const isOurs = response.headers.has('x-svc-sim-request-id')
      if (response.ok && isOurs) return asReached(response, request.url)
      const problem = (response.ok ? {} : await response.json().catch(() => ({}))) as Problem
      // A simulator that stops may answer without an id.
      if (!isOurs && !Object.hasOwn(problems, String(problem.error)))
        throw new Error(
          `The server at ${controlUrl} is not a simulator (status ${response.status}). Name the address of one, as with --base-url.`,
        )
      throw new RefusedError(
        `${request.method} ${request.url.slice(controlUrl.length)}`,
        response,
        problem,
      )
    },
  })
}

/**
 * Puts the scheme of the request into the URLs of a world: behind a proxy that ends TLS, the simulator does not know of it.
 */
async function asReached(response: Response, requestUrl: string): Promise<Response> {
  const { protocol, host, pathname } = new URL(requestUrl)
  if (protocol !== 'https:' || !/\/(connect|worlds(\/[^/]+)?)$/.test(pathname)) return response
  const text = (await response.text()).replaceAll(`http://${host}`, `https://${host}`)
  const { status, headers } = response
  return new Response(text, { status, headers })
}

export async function answerOf<Data>(call: Promise<{ data?: Data }>): Promise<NonNullable<Data>> {
  return (await call).data!
}

/** The most requests on a page of the journal. */
const pageSize = 1_000

/** The requests after a cursor, oldest first, and the cursor of the last. */
export async function journalSince(
  control: ControlClient,
  since: number,
  more: { durations?: boolean } = {},
): Promise<{ exchanges: ControlSchemas['Exchange'][]; cursor: number }> {
  const exchanges: ControlSchemas['Exchange'][] = []
  for (let cursor = since; ; ) {
    const query = { ...more, since: cursor, limit: pageSize }
    const page = await answerOf(control.GET('/journal', { params: { query } }))
    exchanges.push(...page.exchanges)
    cursor = page.cursor
    if (page.exchanges.length < pageSize) return { exchanges, cursor }
  }
}

function bigintAsText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}` : value
}
