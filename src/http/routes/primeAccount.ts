import { defineRoute, type Route } from '../core/route.js'
import { example } from '../openapi/examples.js'
import { primeAccountSchema } from '../openapi/schemas.js'

export const primeAccountRoutes: readonly Route[] = [
  defineRoute({
    operationId: 'getPrimeAccount',
    method: 'get',
    path: '/prime_account',
    tag: 'Accounts',
    summary: 'Read the prime account',
    description: 'The holder of the API key.',
    access: 'prime',
    answer: {
      description: 'The prime account.',
      schema: primeAccountSchema,
      example: {
        id: 'svc_a1b2c3d4e5f6',
        name: 'Example Co',
        email: 'dev@example.test',
        created_at: example.time,
      },
    },
    handler: ({ prime }) => ({
      id: prime.primeId,
      name: prime.name,
      email: prime.email,
      created_at: prime.createdAt,
    }),
  }),
]
