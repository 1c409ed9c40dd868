import { z } from 'zod'
import { controlRoute, defineRoute, type Route } from '../core/route.js'
import type { DocumentOptions } from '../openapi/operations.js'

/** The emitter is loaded by the first request for a document: it would cost the start of the server tens of milliseconds. */
async function documentOf(routes: readonly Route[], options?: DocumentOptions) {
  const { emitOpenApi } = await import('../openapi/openapi.js')
  return { ...emitOpenApi(routes, options) }
}

const where = { api: '/', docs: '/docs', openapi: '/openapi.json', health: '/health/ready' }

const documentAnswer = {
  description: 'The OpenAPI 3.1 document.',
  schema: z.looseObject({ openapi: z.enum(['3.1.0', '3.0.3']) }),
  example: { openapi: '3.1.0' },
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
      example: where,
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
      example: { openapi: '3.0.3' as const },
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
      example: 'openapi: 3.1.0\n',
    },
    async handler({ routes }) {
      const { emitOpenApi, documentToYaml } = await import('../openapi/openapi.js')
      return documentToYaml(emitOpenApi(routes.service))
    },
  }),
]

/** The control API's own document. */
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
