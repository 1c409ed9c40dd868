import { z } from 'zod'
import { type Readiness, readinessSchema } from '../../chain/process/health.js'
import { defineRoute, type Route } from '../core/route.js'

const live = { status: 'live' } as const

export const healthRoutes: readonly Route[] = [
  defineRoute({
    operationId: 'getLiveness',
    method: 'get',
    path: '/health/live',
    isUnjournaled: true,
    tag: 'Simulator',
    summary: 'Is the process up?',
    description: 'Responds as soon as the process listens.',
    access: 'open',
    answer: {
      description: 'The process is up.',
      schema: z.strictObject({ status: z.literal('live') }),
    },
    handler: () => live,
  }),
  defineRoute({
    operationId: 'getReadiness',
    method: 'get',
    path: '/health/ready',
    isUnjournaled: true,
    tag: 'Simulator',
    summary: 'Are all networks up?',
    description: 'Asks every node for its chain id.',
    access: 'open',
    answer: {
      description: 'Every node answers with the right chain id.',
      schema: readinessSchema,
    },
    moreAnswers: [
      {
        status: 503,
        description: 'At least one node does not, or the simulator drains before it stops.',
        schema: readinessSchema,
      },
    ],
    async handler({ deps, res }) {
      const networks = await deps.chains.readiness()
      const answer: Readiness = deps.worlds?.counts().isDraining
        ? { ...networks, status: 'not_ready', draining: true }
        : networks
      if (answer.status === 'not_ready') res.statusCode = 503
      return answer
    },
  }),
]
