import { z } from 'zod'
import { pascalCase } from '../../lib/pascalCase.js'
import { planCodes } from '../../service/plans/model/kind.js'
import { addHint } from '../core/headers.js'
import { defineRoute, type ErrorCase, type Route } from '../core/route.js'
import type { PlanKindInfo } from '../core/types.js'
import { executionSchema, planSchema } from '../openapi/schemas.js'

/** The endpoint of each plan kind, from the kinds' own schemas and texts. */
export function planRoutes(kinds: readonly PlanKindInfo[]): Route[] {
  return kinds.map((kind) =>
    defineRoute({
      operationId: `plan${pascalCase(kind.path)}`,
      method: 'post',
      path: `/accounts/:account_id/plan/${kind.path}`,
      tag: 'Plans',
      summary: kind.summary,
      description: `${kind.description}\n\nThe plan must be executed within 2 minutes. Creating it changes nothing on chain.`,
      access: 'account',
      source: kind.isExtension ? 'extension' : 'interface',
      planKind: kind,
      body: { schema: kind.schema },
      answer: {
        status: 201,
        description: 'The plan: its operations, and the digest to sign.',
        schema: planSchema,
      },
      errors: planErrors(kind),
      // Its details are JSON already; the test client checks each of them against this schema.
      handler({ deps, account, body, res }) {
        const doubt = kind.doubt?.(body)
        if (doubt) addHint(res, doubt)
        return deps.service.plans.create(kind.kind, account, body) as Promise<
          z.infer<typeof planSchema>
        >
      },
    }),
  )
}

const executeBody = z
  .object({
    plan_id: z
      .string({ error: 'must be the plan_id of a plan-creation answer' })
      .min(1, { error: 'must not be empty' }),
    // A signature of another form is not refused here: interface.md puts failed verification under 500.
    signature: z
      .string({ error: 'must be the signature of the digest: 0x and 130 hex digits' })
      .min(1, { error: 'must not be empty' })
      .meta({
        description: 'Signature of `details.eip712_data.digest` by the signer: 0x, r, s, v.',
      }),
  })
  .meta({ id: 'ExecutePlan' })

export const executeRoutes: readonly Route[] = [
  defineRoute({
    operationId: 'executePlan',
    method: 'post',
    path: '/accounts/:account_id/plan/execute',
    tag: 'Plans',
    summary: 'Execute a plan',
    description:
      'Submits the operations of a plan with the signature of the account’s signer. Follow the outcome with the activity id. A plan can be executed once.',
    access: 'account',
    source: 'interface',
    body: {
      schema: executeBody,
    },
    answer: {
      description: 'Submitted, not yet confirmed.',
      schema: executionSchema,
    },
    errors: [
      {
        code: 'invalid_params',
        when: 'plan_id or signature is missing',
      },
      { code: 'plan_not_found' },
      { code: 'plan_stale' },
      {
        code: 'internal_error',
        when: 'signature verification or execution failed',
      },
    ],
    handler: ({ deps, account, body }) =>
      deps.service.plans.execute(account, { planId: body.plan_id, signature: body.signature }),
  }),
]

const when = 'a field is missing, malformed, or names something that is not on the network'
function planErrors(kind: PlanKindInfo): ErrorCase[] {
  return planCodes(kind).map((code) => (code === 'invalid_params' ? { code, when } : { code }))
}
