import type { ErrorObject, ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { oas31 } from 'openapi3-ts'
import { routesOf } from '../../src/http/allRoutes.js'
import type { PlanKindInfo } from '../../src/http/core/types.js'
import { emitOpenApi } from '../../src/http/openapi/openapi.js'
import { planKinds as allPlanKinds } from '../../src/service/plans/kinds/index.js'

/** An answer that agrees with the document. `body` is parsed JSON, or the text of anything else. */
export interface Reply {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies whose shape the document has already checked.
  body: any
}

/** What a test may set besides the body. */
export interface RequestOptions {
  headers?: Record<string, string>
  /** Null sends no Authorization header. */
  apiKey?: string | null
  signal?: AbortSignal
}

/** Calls the service, and throws on every answer that the OpenAPI document does not describe. */
export interface Client {
  url: string
  get(path: string, options?: RequestOptions): Promise<Reply>
  post(path: string, body?: unknown, options?: RequestOptions): Promise<Reply>
  put(path: string, body: unknown): Promise<Reply>
  /** Any method; `body` goes out as it is. */
  send(
    method: string,
    path: string,
    body?: string | Uint8Array<ArrayBuffer>,
    options?: RequestOptions,
  ): Promise<Reply>
}

/** A client of one server and key. `planKinds` is the list the server was made with, when it is not the shipped one. */
export function createClient(options: {
  url: string
  apiKey: string
  planKinds?: readonly PlanKindInfo[]
}): Client {
  const checkReply = replyChecker(options.planKinds)

  async function send(
    method: string,
    path: string,
    body?: string | Uint8Array<ArrayBuffer>,
    { headers = {}, apiKey = options.apiKey, signal }: RequestOptions = {},
  ): Promise<Reply> {
    const response = await fetch(new URL(path, options.url), {
      method,
      headers: {
        accept: 'application/json',
        ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
      ...(signal ? { signal } : {}),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
    const reply = {
      status: response.status,
      headers: response.headers,
      body: isJson && text !== '' ? JSON.parse(text) : text,
    }
    checkReply(method, new URL(path, options.url).pathname, reply)
    return reply
  }

  return {
    url: options.url,
    send,
    get: (path, more) => send('GET', path, undefined, more),
    put: (path, body) =>
      send('PUT', path, JSON.stringify(body), { headers: { 'content-type': 'application/json' } }),
    post: (path, body, more = {}) =>
      body === undefined
        ? send('POST', path, undefined, more)
        : send('POST', path, JSON.stringify(body), {
            ...more,
            headers: { 'content-type': 'application/json', ...more.headers },
          }),
  }
}

/** The documents of a list of plan kinds, compiled once: a client per user would spend most of its time on that. */
const compiled = new WeakMap<readonly PlanKindInfo[], Compiled[]>()

function documentsOf(planKinds: readonly PlanKindInfo[]): Compiled[] {
  const known = compiled.get(planKinds)
  if (known) return known
  const { service, control } = routesOf(planKinds)
  const documents = [
    emitOpenApi(service, { closed: true }),
    emitOpenApi(control, { control: true, closed: true }),
  ]
  const made = documents.map(compileDocument)
  compiled.set(planKinds, made)
  return made
}

/** A check of one answer against the documents of the service and the control API. Throws when it is not described there. */
export function replyChecker(
  planKinds: readonly PlanKindInfo[] = allPlanKinds,
): (method: string, path: string, reply: Reply) => void {
  const documents = documentsOf(planKinds)
  return (method, path, reply) => {
    const where = `${method} ${path} -> ${reply.status}`
    if (!reply.headers.get('x-svc-sim-request-id')) throw new Error(`${where}: no request id`)
    for (const document of documents) {
      const item = document.find(path)
      if (!item) continue
      const operation =
        item[method.toLowerCase() as 'get'] ?? (method === 'HEAD' ? item.get : undefined)
      if (!operation) return expectProblem(where, reply, 405, 'method_not_allowed')
      return checkOperation(where, operation, reply, document)
    }
    expectProblem(where, reply, 404, 'not_found')
  }
}

interface Compiled {
  find(path: string): oas31.PathItemObject | undefined
  validator(schema: object): ValidateFunction
}

/** Finds operations by concrete path, literal segments before parameters, and compiles each schema once. */
export function compileDocument(document: oas31.OpenAPIObject): Compiled {
  // Compiling takes longer than all that is checked afterwards, so it is kept short.
  const quick = { inlineRefs: false, code: { optimize: false } }
  const ajv = new Ajv2020({ strict: false, allErrors: true, ...quick })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'document', ...document } as object, 'document')
  const validators = new Map<string, ValidateFunction>()
  const paths = Object.entries(document.paths ?? {})
    .sort(([a], [b]) => parameters(a) - parameters(b))
    .map(([path, item]) => ({ item, pattern: patternOf(path) }))
  return {
    find: (path) => paths.find(({ pattern }) => pattern.test(path))?.item,
    validator(schema) {
      const text = absoluteRefs(schema)
      let validate = validators.get(text)
      if (!validate) {
        validate = ajv.compile(JSON.parse(text))
        validators.set(text, validate)
      }
      return validate
    },
  }
}

function checkOperation(
  where: string,
  operation: oas31.OperationObject,
  reply: Reply,
  document: Compiled,
): void {
  const documented = operation.responses?.[String(reply.status)] as oas31.ResponseObject | undefined
  if (!documented) throw new Error(`${where}: this status is not documented. ${brief(reply)}`)
  const type = reply.headers.get('content-type')?.split(';')[0] ?? 'none'
  const media = documented.content?.[type]
  if (!media) throw new Error(`${where}: content type ${type} is not documented`)
  if (reply.body === '' || media.schema === undefined) return
  const validate = document.validator(media.schema)
  if (!validate(reply.body)) {
    throw new Error(`${where}: ${problemsOf(validate.errors)}. ${brief(reply)}`)
  }
}

/** For what no operation describes: only the general problem will do. */
function expectProblem(where: string, reply: Reply, status: number, code: string): void {
  const { error, message, ...rest } = reply.body ?? {}
  const isProblem = typeof message === 'string' && Object.keys(rest).length === 0
  // A broken percent escape is refused before any route is known.
  if (isProblem && reply.status === 400 && error === 'invalid_params') return
  if (isProblem && reply.status === 403 && error === 'forbidden') return
  if (isProblem && reply.status === status && error === code) return
  throw new Error(
    `${where}: no operation describes this, so it should be ${status} ${code}. ${brief(reply)}`,
  )
}

function parameters(path: string): number {
  return path.split('{').length
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}/?$`)
}

/** A response's schema points into the document from outside of it. */
function absoluteRefs(schema: object): string {
  return JSON.stringify(schema).replaceAll('"#/', '"document#/')
}

function problemsOf(errors: ErrorObject[] | null | undefined): string {
  return (errors ?? [])
    .map((error) => `${error.instancePath || 'body'} ${error.message}`)
    .join('; ')
}

function brief(reply: Reply): string {
  return `Body: ${JSON.stringify(reply.body)?.slice(0, 500)}`
}
