import { z } from 'zod'
import { count } from '../../../lib/scalars.js'
import { defineRoute, type Route } from '../../core/route.js'
import { cellSchema, cellsOf } from '../../pipeline/coverage.js'

export const coverageRoutes: readonly Route[] = [
  defineRoute({
    tag: 'Control',
    access: 'control',
    source: 'extension',
    operationId: 'getCoverage',
    method: 'get',
    path: '/_sim/coverage',
    summary: 'Which documented answers were met',
    description:
      'Every documented (endpoint, status, code) of the service, and how often it was answered since the start. An answer counts whatever has caused it, a fault rule that paints it included; one that was cut does not, nor does the answer to a HEAD request. Each world counts its own, from its lease on. A reset or a restore does not clear it, and a data folder does not keep it.',
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
