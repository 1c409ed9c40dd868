import { type RequestHandler, Router } from 'express'
import type { Hex } from 'viem'
import { keccak256, toHex } from 'viem/utils'
import { z } from 'zod'
import { ServiceError } from '../../lib/errors.js'
import type { AccountRecord } from '../../service/store/store.js'
import { controlRoute, defineRoute, type Route } from '../core/route.js'
import type { AppDeps } from '../core/types.js'
import type { DocumentOptions } from '../openapi/operations.js'
import { methodNotAllowed } from '../pipeline/problems.js'
import { createAccount } from './accounts.js'
import { inFolder } from './pages.js'

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
  /** The recorded examples stay when undefined. */
  examples(): Promise<OwnExamples | undefined>
}

/** What can be tried out, in the examples of requests. Where a field is absent, the recorded example stays. */
interface OwnExamples {
  accountId: string
  activityId?: string | undefined
  execute?: { plan_id: string; signature?: Hex } | undefined
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
  router.get(['/', '/index.html'], inFolder, swagger.setup(document, plain))
  if (filledIn) {
    const { apiKey, examples } = filledIn
    const swaggerOptions = { ...plain.swaggerOptions, authAction: { apiKey: bearer(apiKey) } }
    const withExamples: RequestHandler = async (req, _res, next) => {
      const own = req.method === 'GET' ? await examples() : undefined
      Object.assign(req, { swaggerDoc: own ? filledWith(document, own) : document })
      next()
    }
    const filled = swagger.serveFiles(document, { ...title, swaggerOptions })
    router.get('/swagger-ui-init.js', onlyOwnPage, withExamples, ...filled)
  }
  router.get(parts, ...swagger.serveFiles(document, plain))
  return router
}

/** Examples for the page that can be tried out. The page loads without them when the world is in no state to give any. */
export async function ownExamples(
  deps: AppDeps,
  primeId: string,
): Promise<OwnExamples | undefined> {
  try {
    return await deps.timing.lock.shared('examples for /docs', async () => {
      const account = await shownAccount(deps, primeId)
      return account && (await examplesOf(deps, account))
    })
  } catch (error) {
    deps.records.log.error('/docs shows the recorded examples', error)
    return undefined
  }
}

/** The newest account of the key. Creates and funds one when there is none, except in a trace. */
async function shownAccount(deps: AppDeps, primeId: string): Promise<AccountRecord | undefined> {
  const newest = async () => (await deps.service.store.accounts(primeId)).at(-1)
  const known = await newest()
  if (known || deps.trace) return known
  try {
    const created = await createAccount(deps, primeId, await exampleSigner())
    await fundForExamples(deps, created)
    return created
  } catch (error) {
    // A page that was opened at the same time has created it.
    if (error instanceof ServiceError && error.code === 'account_already_exists') return newest()
    throw error
  }
}

/** A key that everybody can derive: the page signs for the account that it creates. */
const exampleKey = keccak256(toHex('the signer of the account of /docs'))

async function exampleSigner(): Promise<Hex> {
  const { privateKeyToAddress } = await import('viem/accounts')
  return privateKeyToAddress(exampleKey).toLowerCase() as Hex
}

/** What the recorded examples of plans spend, and more; in the smallest units. */
const gifts = [
  { asset: 'USDC', amount: 10_000_000_000n },
  { asset: 'WETH', amount: 10n ** 19n },
]

/** Without funds the account can still be read; so it is shown when the network gives none. */
async function fundForExamples(deps: AppDeps, { walletAddress }: AccountRecord): Promise<void> {
  try {
    for (const gift of gifts)
      await deps.control.faucet.fund({ address: walletAddress, network: 'base', ...gift })
  } catch (error) {
    deps.records.log.debug(`the account of /docs has no funds: ${error}`)
  }
}

async function examplesOf(deps: AppDeps, account: AccountRecord): Promise<OwnExamples> {
  const { accountId, signerAddress } = account
  const { store } = deps.service
  const plans = await store.openPlans(deps.timing.clock.now())
  const plan = plans.filter((each) => each.accountId === accountId).at(-1)
  const [activity] = await store.activities(accountId)
  if (!plan) return { accountId, activityId: activity?.activityId }
  const isOwn = signerAddress === (await exampleSigner())
  const execute = {
    plan_id: plan.planId,
    ...(isOwn && { signature: await signatureOf(plan.digest) }),
  }
  return { accountId, activityId: activity?.activityId, execute }
}

async function signatureOf(hash: Hex): Promise<Hex> {
  const { sign } = await import('viem/accounts')
  return sign({ hash, privateKey: exampleKey, to: 'hex' })
}

const aboutExamples =
  'The examples of requests name the newest account of the API key. If there is none, this page creates one with 10,000 USDC and 10 WETH on Base. After you create a plan, reload the page: the example of `executePlan` then has its `plan_id` and, for the account of this page, its `signature`. After an execution or a reset, reload the page too.'

/** The document with these examples in the parameters and bodies of its requests. */
function filledWith(document: OpenApi, { accountId, activityId, execute }: OwnExamples): OpenApi {
  const own = structuredClone(document)
  own.info.description += `\n\n${aboutExamples}`
  const ids: Record<string, string | undefined> = {
    account_id: accountId,
    activity_id: activityId,
  }
  const operations = Object.values(own.paths ?? {}).flatMap((path): Operation[] =>
    Object.values(path),
  )
  for (const operation of operations) {
    for (const { name, schema } of operation.parameters ?? [])
      if (schema && name && ids[name]) schema.example = ids[name]
    if (operation.operationId === 'executePlan')
      Object.assign(operation.requestBody!.content['application/json'].example, execute)
  }
  return own
}

type OpenApi = ReturnType<typeof import('../openapi/openapi.js').emitOpenApi>

/** An operation as far as examples are filled in. */
interface Operation {
  operationId?: string
  parameters?: { name?: string; schema?: { example?: string } }[]
  requestBody?: { content: { 'application/json': { example: object } } }
}

/**
 * Sends control requests to the world whose page this is: its document names the paths of the default world. Shows what a stream sends in its
 * first three seconds: the page shows a response when it has ended, and a stream does not end.
 *
 * The browser gets the text of this function, so it uses nothing from outside, and reaches `fetch` through `globalThis`: the bundler would
 * replace it by that of a package.
 */
const requestInterceptor = (request: { url: string; userFetch?: typeof fetch }) => {
  const browser = globalThis as typeof globalThis & { location: URL }
  const [, ofWorld] = /(\/_sim\/worlds\/[^/]+)\/openapi\//.exec(browser.location.pathname) ?? []
  if (ofWorld) request.url = request.url.replace(/\/_sim(?=[/?]|$)/, ofWorld)
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

/** The files that the page names. The package has more, such as a page that shows another service. */
const parts = [
  '/swagger-ui-init.js',
  '/swagger-ui.css',
  '/swagger-ui-bundle.js',
  '/swagger-ui-standalone-preset.js',
  '/favicon-32x32.png',
  '/favicon-16x16.png',
]
