/** What came back. `body` is parsed JSON, or the text of anything else. */
export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: what comes over the wire
  body: any
}

/** What goes out besides the address. */
export interface Asking {
  /** GET without a body and POST with one, unless it says so. */
  method?: string
  /** Sent as JSON. */
  body?: unknown
  apiKey?: string
  headers?: Record<string, string>
  signal?: AbortSignal
}

/** Asks as any program would, and checks nothing. `createClient` holds every answer against the OpenAPI documents. */
export async function ask(url: string, asking: Asking = {}): Promise<Answer> {
  const { body, apiKey, signal } = asking
  const headers = {
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
    ...asking.headers,
  }
  const response = await fetch(url, {
    method: asking.method ?? (body === undefined ? 'GET' : 'POST'),
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
  return {
    status: response.status,
    headers: response.headers,
    body: isJson && text !== '' ? JSON.parse(text) : text,
  }
}

/** A simulator or world, as far as a request of its service needs it. */
type Place = { url: string; apiKey: string }

/** Asks the service with the key of the place. */
export const askService = (
  { url, apiKey }: Place,
  path: string,
  asking?: Asking,
): Promise<Answer> => ask(url + path, { apiKey, ...asking })

/** Asks the control API of a simulator or world. */
export const askControl = (
  { controlUrl }: { controlUrl: string },
  method: string,
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<Answer> =>
  ask(controlUrl + path, { method, ...(body !== undefined && { body }), ...(signal && { signal }) })

/** A JSON-RPC request. */
export const rpcRequest = (method: string, params: unknown[] = [], id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
})

let lastId = 0

/** The result of a JSON-RPC request. Rejects with the node's message, and when the answer is another request's. */
export async function rpc<T = unknown>(
  url: string,
  method: string,
  params: unknown[] = [],
  signal?: AbortSignal,
): Promise<T> {
  const id = `request ${++lastId}`
  const sent = rpcRequest(method, params, id)
  const { body } = await ask(url, { body: sent, ...(signal && { signal }) })
  if (body.id !== id) throw new Error(`${method}: asked as ${id}, got ${JSON.stringify(body)}`)
  if (body.error) throw new Error(`${method}: ${body.error.message}`)
  return body.result
}
