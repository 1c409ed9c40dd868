import { z } from 'zod'
import { defineRoute, type Route } from '../../route.js'
import { count, httpStatus } from '../../scalars.js'

const cellSchema = z
  .strictObject({
    endpoint: z.string(),
    method: z.string(),
    path: z.string(),
    status: httpStatus,
    code: z.string().nullable(),
    source: z.enum(['interface', 'extension']),
    hits: count,
  })
  .meta({ id: 'Cell' })

export const coverageRoutes: readonly Route[] = [
  defineRoute({
    tag: 'Control',
    access: 'control',
    source: 'extension',
    method: 'get',
    path: '/_sim/coverage',
    summary: 'Which documented answers were met',
    description:
      'Every documented (endpoint, status, code) of the service, and how often it was answered since the start. A reset does not clear it.',
    answers: [
      {
        status: 200,
        description: 'The cells.',
        schema: z
          .strictObject({ met: count, documented: count, cells: z.array(cellSchema) })
          .meta({ id: 'Coverage' }),
        example: { met: 0, documented: 0, cells: [] },
      },
    ],
    errors: [],
    async handler({ deps, routes }) {
      const { cellsOf } = await import('../../coverage.js')
      const cells = cellsOf(deps.records.coverage, routes.service)
      const met = cells.filter(({ hits }) => hits > 0).length
      return { met, documented: cells.length, cells }
    },
  }),
]
