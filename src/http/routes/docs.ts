import { type RequestHandler, Router } from 'express'
import { z } from 'zod'
import { actors } from '../../deployments/actors.js'
import { ServiceError } from '../../lib/errors.js'
import type { AccountRecord } from '../../service/store/store.js'
import { controlRoute, defineRoute, type Route } from '../core/route.js'
import type { AppDeps } from '../core/types.js'
import type { DocumentOptions } from '../openapi/operations.js'
import { methodNotAllowed } from '../pipeline/problems.js'
import { createAccount } from './accounts.js'
import { beInFolder } from './pages.js'

/** The emitter is loaded by the first request for a document: it would cost the start of the server tens of milliseconds. */
async function documentOf(routes: readonly Route[], options?: DocumentOptions) {
  const { emitOpenApi } = await import('../openapi/openapi.js')
  return { ...emitOpenApi(routes, options) }
}

const where = { api: '/', docs: '/docs', openapi: '/openapi.json', health: '/health/ready' }

const documentAnswer = {
  description: 'The OpenAPI 3.1 document.',
  schema: z.looseObject({ openapi: z.enum(['3.1.0', '3.0.3']) }),
}

export const docsRoutes: readonly Route[] = [
  defineRoute({
    operationId: 'getEntryPoints',
    method: 'get',
    path: '/',
    tag: 'Simulator',
    summary: 'Where to look',
    description: 'The paths to start with.',
    access: 'open',
    answer: {
      description: 'The paths.',
      schema: z.strictObject({
        api: z.string(),
        docs: z.string(),
        openapi: z.string(),
        health: z.string(),
      }),
    },
    handler: () => where,
  }),
  defineRoute({
    operationId: 'getOpenapi',
    method: 'get',
    path: '/openapi.json',
    isUnjournaled: true,
    tag: 'Simulator',
    summary: 'The OpenAPI document as JSON',
    description: 'This document. `/docs` shows it in a browser.',
    access: 'open',
    answer: documentAnswer,
    handler: ({ routes }) => documentOf(routes.service),
  }),
  defineRoute({
    operationId: 'getOpenapi30',
    method: 'get',
    path: '/openapi-3.0.json',
    isUnjournaled: true,
    tag: 'Simulator',
    summary: 'The OpenAPI 3.0 document as JSON',
    description: 'The same in OpenAPI 3.0, for tools that do not read 3.1.',
    access: 'open',
    answer: {
      ...documentAnswer,
      description: 'The OpenAPI 3.0 document.',
    },
    handler: ({ routes }) => documentOf(routes.service, { oas: '3.0' }),
  }),
  defineRoute({
    operationId: 'getOpenapiYaml',
    method: 'get',
    path: '/openapi.yaml',
    isUnjournaled: true,
    tag: 'Simulator',
    summary: 'The OpenAPI document as YAML',
    description: 'The same document as `/openapi.json`.',
    access: 'open',
    answer: {
      description: 'The OpenAPI 3.1 document.',
      contentType: 'application/yaml',
      schema: z.string(),
    },
    async handler({ routes }) {
      const { emitOpenApi, documentToYaml } = await import('../openapi/openapi.js')
      return documentToYaml(emitOpenApi(routes.service))
    },
  }),
]

export const controlDocsRoutes: readonly Route[] = [
  controlRoute({
    operationId: 'getControlOpenapi',
    method: 'get',
    path: '/_sim/openapi.json',
    isUnjournaled: true,
    summary: 'The OpenAPI document of the control API',
    description: 'This document.',
    answer: documentAnswer,
    handler: ({ routes }) => documentOf(routes.control, { control: true }),
  }),
]

const refuseMethod = methodNotAllowed(['GET'])

/** Which document a page shows, and what it fills in. */
interface SwaggerPage {
  routes: readonly Route[]
  control?: boolean
  filledIn?: FilledIn | undefined
}

export interface FilledIn {
  apiKey: string
  /** The account that stands in the examples of requests; the recorded one when undefined. */
  account(): Promise<AccountRecord | undefined>
}

/** A page that shows an API and tries it out. The first request loads everything it needs, from this package alone. */
export function swaggerUi(shown: SwaggerPage): RequestHandler {
  let ui: Promise<Router> | undefined
  return async (req, res, next) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') refuseMethod(req, res)
    ui ??= load(shown)
    const router = await ui
    router(req, res, next)
  }
}

async function load({ routes, control = false, filledIn }: SwaggerPage): Promise<Router> {
  const [{ default: swagger }, { emitOpenApi }] = await Promise.all([
    import('swagger-ui-express'),
    import('../openapi/openapi.js'),
  ])
  const router = Router()
  const document = emitOpenApi(routes, { control, faultHeader: !control })
  const title = { customSiteTitle: control ? 'svc-sim control API' : 'svc-sim' }
  // The interface would otherwise ask a public validator about the document.
  const plain = { ...title, swaggerOptions: { validatorUrl: null, requestInterceptor } }
  router.get(['/', '/index.html'], beInFolder(301), swagger.setup(document, plain))
  if (filledIn) {
    const { apiKey, account } = filledIn
    const swaggerOptions = { ...plain.swaggerOptions, authAction: { apiKey: bearer(apiKey) } }
    const withAccount: RequestHandler = async (req, _res, next) => {
      const shown = req.method === 'GET' ? await account() : undefined
      Object.assign(req, { swaggerDoc: shown ? withId(document, shown.accountId) : document })
      next()
    }
    const filled = swagger.serveFiles(document, { ...title, swaggerOptions })
    router.get('/swagger-ui-init.js', onlyOwnPage, withAccount, ...filled)
  }
  router.get(parts, ...swagger.serveFiles(document, plain))
  return router
}

/**
 * The account in the examples, which can therefore be tried out: the newest of the key. Creates one when there is none, except in a trace.
 * Its signer is one of the simulator's own accounts that no other example names.
 */
export function shownAccount(deps: AppDeps, primeId: string): Promise<AccountRecord | undefined> {
  return deps.timing.lock.shared('an account for the examples of /docs', async () => {
    const newest = async () => (await deps.service.store.accounts(primeId)).at(-1)
    const known = await newest()
    if (known || deps.trace) return known
    try {
      return await createAccount(deps, primeId, actors.lender)
    } catch (error) {
      // A page that was opened at the same time has created it.
      if (error instanceof ServiceError && error.code === 'account_already_exists') return newest()
      throw error
    }
  })
}

/** The document with this account in each path of its requests. */
function withId(document: object, accountId: string): object {
  return JSON.parse(JSON.stringify(document), (name, value: unknown) =>
    name === 'parameters' && Array.isArray(value)
      ? value.map((each: { name?: string; schema?: object }) =>
          each.name === 'account_id'
            ? { ...each, schema: { ...each.schema, example: accountId } }
            : each,
        )
      : value,
  )
}

/**
 * Shows what a stream sends in its first three seconds: the page shows an answer when it has ended, and a stream does not end.
 *
 * The browser gets this function as text, so it uses nothing from outside, and reaches `fetch` through `globalThis`: the bundler would put
 * that of a package in its place.
 */
const requestInterceptor = (request: { userFetch?: typeof fetch }) => {
  const browser = globalThis
  request.userFetch = async (...asked) => {
    const answer = await browser.fetch(...asked)
    const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream')
    if (!isStream || !answer.body) return answer
    const reader = answer.body.getReader()
    browser.setTimeout(() => reader.cancel(), 3000)
    const decoder = new browser.TextDecoder()
    let text = ''
    for (let part = await reader.read(); !part.done; part = await reader.read())
      text += decoder.decode(part.value, { stream: true })
    text +=
      ': These were the first 3 seconds. To follow the stream, run the curl command above with -N.\n'
    const { status, headers, url } = answer
    return Object.defineProperty(new browser.Response(text, { status, headers }), 'url', {
      value: url,
    })
  }
  return request
}

const bearer = (value: string) => ({
  name: 'apiKey',
  schema: { type: 'http', scheme: 'bearer' },
  value,
})

/** The key is in a script, which a page from anywhere could run: such a page gets the script without the key, and creates no account. */
const onlyOwnPage: RequestHandler = (req, _res, next) => {
  const from = req.headers['sec-fetch-site'] ?? 'none'
  next(from === 'same-origin' || from === 'none' ? undefined : 'route')
}

/** What the page names. The package has more, among it a page of its own that shows somebody else's service. */
const parts = [
  '/swagger-ui-init.js',
  '/swagger-ui.css',
  '/swagger-ui-bundle.js',
  '/swagger-ui-standalone-preset.js',
  '/favicon-32x32.png',
  '/favicon-16x16.png',
]
