import { z } from 'zod'
import { networks } from '../../chain/deployments/networks.js'
import { defineRoute, type Route } from '../route.js'
import { readinessSchema } from '../schemas.js'

const live = { status: 'live' }

function readinessExample(ready: boolean) {
  const entry = (chainId: number) =>
    ready
      ? { chain_id: chainId, ready }
      : { chain_id: chainId, ready, error: 'the node does not answer' }
  return {
    status: ready ? 'ready' : 'not_ready',
    networks: Object.fromEntries(networks.map(({ name, chainId }) => [name, entry(chainId)])),
  }
}

export const healthRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/health/live',
    tag: 'Simulator',
    summary: 'Is the process up?',
    description: 'Answers as soon as the process listens.',
    access: 'open',
    source: 'extension',
    answers: [
      {
        status: 200,
        description: 'It is.',
        schema: z.strictObject({ status: z.literal('live') }),
        example: live,
      },
    ],
    errors: [],
    handler: () => live,
  }),
  defineRoute({
    method: 'get',
    path: '/health/ready',
    tag: 'Simulator',
    summary: 'Are all networks up?',
    description: 'Asks every node for its chain id.',
    access: 'open',
    source: 'extension',
    answers: [
      {
        status: 200,
        description: 'Every node answers with the right chain id.',
        schema: readinessSchema,
        example: readinessExample(true),
      },
      {
        status: 503,
        description: 'At least one does not.',
        schema: readinessSchema,
        example: readinessExample(false),
      },
    ],
    errors: [],
    async handler({ deps, res }) {
      const { ready, networks } = await deps.chains.readiness()
      if (!ready) res.status(503)
      return { status: ready ? 'ready' : 'not_ready', networks }
    },
  }),
]
