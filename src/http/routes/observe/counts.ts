import { z } from 'zod'
import { count } from '../../../lib/scalars.js'
import { controlRoute, type Route } from '../../core/route.js'
import { booleanParameter } from '../../openapi/fields.js'
import { cellSchema, cellsOf } from '../../pipeline/coverage.js'

export const coverageRoutes: readonly Route[] = [
  controlRoute({
    operationId: 'getCoverage',
    method: 'get',
    path: '/_sim/coverage',
    isUnjournaled: true,
    summary: 'Read the coverage of documented responses',
    description:
      'Lists every documented (endpoint, status, code) of the service, and how often it was returned since the start. A response counts whatever caused it, including a fault rule. Cut responses, those to HEAD requests and to clicks in the dashboard do not count. Each world counts its own responses from the start of its lease; with `worlds`, the simulator adds those of all worlds that were leased from it, also after they were released. A reset or restore does not clear the counts, and a data folder does not persist them.',
    query: z.object({
      worlds: booleanParameter('Adds the responses of leased worlds.').default(false),
    }),
    answer: {
      description: 'The cells.',
      schema: z
        .strictObject({ met: count, documented: count, cells: z.array(cellSchema) })
        .meta({ id: 'Coverage' }),
    },
    errors: [
      {
        code: 'invalid_params',
        when: 'worlds is malformed',
      },
    ],
    async handler({ deps, query, routes }) {
      const counts = new Map(deps.records.coverage)
      if (query.worlds && deps.worlds)
        for (const [key, count] of await deps.worlds.answers())
          counts.set(key, (counts.get(key) ?? 0) + count)
      const cells = cellsOf(counts, routes.service)
      const coveredCells = cells.filter(({ hits }) => hits > 0).length
      return { met: coveredCells, documented: cells.length, cells }
    },
  }),
]

export const metricsRoutes: readonly Route[] = [
  controlRoute({
    // A reset that waits for something must not keep anybody from seeing what.
    locks: 'none',
    operationId: 'getMetrics',
    method: 'get',
    path: '/metrics',
    isUnjournaled: true,
    summary: 'Metrics for Prometheus',
    description:
      'Returns metrics in the Prometheus text format: requests, times of plans and executions, work under way, nodes, memory, faults and records. Counters count from the start of the process; a reset or restore does not lower them. Responds within about two seconds even when nodes do not, and then reports which. docs/metrics.md lists all metrics.',
    answer: {
      description: 'The metrics.',
      contentType: 'text/plain; version=0.0.4; charset=utf-8',
      schema: z.string(),
    },
    handler: ({ deps }) => deps.records.metrics(),
  }),
]
