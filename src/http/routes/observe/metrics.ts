import { z } from 'zod'
import { defineRoute, type Route } from '../../core/route.js'

export const metricsRoutes: readonly Route[] = [
  defineRoute({
    tag: 'Control',
    access: 'control',
    // A reset that waits for something must not keep anybody from seeing what.
    locks: 'none',
    source: 'extension',
    operationId: 'getMetrics',
    method: 'get',
    path: '/metrics',
    summary: 'Figures for Prometheus',
    description:
      'Requests, times of plans and executions, what is under way, the nodes, memory, faults and records, in the text format of Prometheus. Counters count from the start of the process; a reset or a restore takes none of them back. Answers within about two seconds even when nodes do not: then it tells which. docs/metrics.md lists all of them.',
    answers: [
      {
        status: 200,
        description: 'The figures.',
        contentType: 'text/plain; version=0.0.4; charset=utf-8',
        schema: z.string(),
        example:
          '# HELP svc_sim_accounts Sub-accounts.\n# TYPE svc_sim_accounts gauge\nsvc_sim_accounts 2\n',
      },
    ],
    errors: [],
    handler: ({ deps }) => deps.records.metrics(),
  }),
]
