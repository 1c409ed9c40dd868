import { z } from 'zod'
import { count } from '../../../lib/scalars.js'
import { cellSchema, cellsOf } from '../../coverage.js'
import { defineRoute, type Route } from '../../route.js'

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
    handler({ deps, routes }) {
      const cells = cellsOf(deps.records.coverage, routes.service)
      const met = cells.filter(({ hits }) => hits > 0).length
      return { met, documented: cells.length, cells }
    },
  }),
]
