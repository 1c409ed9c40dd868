import { z } from 'zod'
import { networks } from '../../deployments/networks.js'
import { defineRoute, type Route } from '../core/route.js'
import { networkSchema } from '../openapi/schemas.js'

const body = {
  networks: networks.map((network) => ({
    name: network.name,
    chain_id: network.chainId,
    display_name: network.displayName,
  })),
}

export const networkRoutes: readonly Route[] = [
  defineRoute({
    operationId: 'listNetworks',
    method: 'get',
    path: '/networks',
    tag: 'Reference data',
    summary: 'List the networks',
    description: 'The supported networks. Requests refer to a network by its `name`.',
    access: 'prime',
    source: 'interface',
    answer: {
      description: 'The networks.',
      schema: z.strictObject({ networks: z.array(networkSchema) }),
      example: body,
    },
    handler: () => body,
  }),
]
