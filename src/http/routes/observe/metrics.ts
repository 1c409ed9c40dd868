import { z } from 'zod'
import { controlRoute, type Route } from '../../core/route.js'

export const metricsRoutes: readonly Route[] = [
  controlRoute({
    // A reset that waits for something must not keep anybody from seeing what.
    locks: 'none',
    operationId: 'getMetrics',
    method: 'get',
    path: '/metrics',
    summary: 'Metrics for Prometheus',
    description:
      'Returns metrics in the Prometheus text format: requests, times of plans and executions, work under way, nodes, memory, faults and records. Counters count from the start of the process; a reset or restore does not lower them. Responds within about two seconds even when nodes do not, and then reports which. docs/metrics.md lists all metrics.',
    answer: {
      description: 'The metrics.',
      contentType: 'text/plain; version=0.0.4; charset=utf-8',
      schema: z.string(),
      example:
        '# HELP svc_sim_accounts Sub-accounts.\n# TYPE svc_sim_accounts gauge\nsvc_sim_accounts 2\n',
    },
    handler: ({ deps }) => deps.records.metrics(),
  }),
]
