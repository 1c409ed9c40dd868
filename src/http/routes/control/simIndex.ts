import { z } from 'zod'
import { packageVersion } from '../../../lib/files/packageFile.js'
import { count } from '../../../lib/scalars.js'
import { controlRoute, type Route } from '../../core/route.js'

const paths = {
  document: '/_sim/openapi.json',
  pages: {
    dashboard: '/_sim/ui/',
    documentation: '/_sim/docs/',
    service: '/docs/',
    control: '/_sim/openapi/',
  },
  connect: '/_sim/connect',
  overview: '/_sim/overview',
}

const indexSchema = z
  .strictObject({
    name: z.literal('svc-sim'),
    version: z.string().meta({ description: 'The version of the package.' }),
    process: count.meta({ description: 'Its process id.' }),
    startedIn: z.string().meta({ description: 'The folder in which it was started.' }),
    dataDir: z
      .string()
      .nullable()
      .meta({ description: 'Its data folder; null when its state is in memory.' }),
    document: z.string().meta({ description: 'The OpenAPI document of the control API.' }),
    pages: z
      .strictObject({
        dashboard: z.string().nullable(),
        documentation: z.string(),
        service: z.string(),
        control: z.string(),
      })
      .meta({
        description:
          'Pages for a browser: the dashboard, the documentation, and both APIs to try out.',
      }),
    connect: z.string(),
    overview: z.string(),
  })
  .meta({ id: 'ControlIndex' })

/** What `GET /_sim` returns: by it, `start` and `doctor` recognise a simulator that is already running. */
export type SimIndex = z.infer<typeof indexSchema>

export const simIndexRoutes: readonly Route[] = [
  controlRoute({
    operationId: 'getIndex',
    method: 'get',
    path: '/_sim',
    summary: 'Index of the control API',
    description: 'Identifies the simulator, with links to its document and pages.',
    locks: 'none',
    answer: {
      description: 'The index.',
      schema: indexSchema,
      example: {
        name: 'svc-sim',
        version: '0.1.0',
        process: 4242,
        startedIn: '/home/me/project',
        dataDir: null,
        ...paths,
      },
    },
    handler: ({ deps }) => ({
      name: 'svc-sim' as const,
      version: packageVersion(),
      process: process.pid,
      startedIn: process.cwd(),
      dataDir: deps.place?.dataDir ?? null,
      ...paths,
      pages: { ...paths.pages, dashboard: deps.access.noUi ? null : paths.pages.dashboard },
    }),
  }),
]
