import { z } from 'zod'
import type { SentRequest } from '../../clients/scenarios/target.js'
import { errorCodeOf } from './types.js'

/**
 * What interface.md itself promises of answers, and nothing that is ours: the fields that it lists, in the form that it gives them.
 * More fields, other values where it says "values seen", and other forms of ids and times are as good.
 */

const hex = z.string().regex(/^0x[0-9a-fA-F]*$/)
const hexAddress = z.string().regex(/^0x[0-9a-fA-F]{40}$/)
const amount = z.string().regex(/^[0-9]+$/)
const time = z.string().refine((text) => !Number.isNaN(Date.parse(text)), 'must be ISO 8601')
const prefixed = (prefix: string) => z.string().startsWith(`${prefix}_`)

const account = z.looseObject({
  account_id: prefixed('acc'),
  signer_type: z.string(),
  signer_address: hexAddress,
  svc_wallet_address: hexAddress,
  created_at: time,
})

const plan = z.looseObject({
  plan_id: prefixed('pln'),
  expires_at: time,
  details: z.looseObject({
    svc_operation_actions: z.array(
      z.looseObject({
        operation: z.looseObject({
          expiry: z.string(),
          is_replayable: z.boolean(),
          nonce: hex,
          script_address: hexAddress,
          script_calldata: hex,
        }),
        action: z.looseObject({
          action_context: z.looseObject({
            action_type: z.string(),
            amount,
            asset_symbol: z.string(),
            chain_id: z.string(),
          }),
        }),
      }),
    ),
    eip712_data: z.looseObject({
      digest: hex,
      domain_separator: hex.optional(),
      hash_struct: hex.optional(),
    }),
  }),
})

const execution = z.looseObject({
  plan_id: prefixed('pln'),
  svc_intent_id: prefixed('qi'),
  activity_id: prefixed('act'),
  status: z.literal('executing'),
})

const networks = z.looseObject({
  networks: z.array(
    z.looseObject({ name: z.string(), chain_id: z.int(), display_name: z.string() }),
  ),
})

const events = z.looseObject({
  events: z.array(
    z.looseObject({
      event_type: z.string(),
      data: z.looseObject({}),
      timestamp: z.int(),
    }),
  ),
  cursor: z.int(),
})

/** By the end of their paths; a plan by the folder that it is in. */
const bodies: readonly [method: string, path: RegExp, body: z.ZodType][] = [
  ['POST', /^\/accounts$/, account],
  ['GET', /\/folio$/, z.looseObject({ folio: z.looseObject({}) })],
  ['GET', /\/events$/, events],
  ['GET', /^\/networks$/, networks],
  ['POST', /\/plan\/execute$/, execution],
  ['POST', /\/plan\/[^/]+$/, plan],
]

/** In what the body of an answer breaks what the interface promises; undefined when it does not, or when nothing is promised. */
export function brokenPromiseOf({ method, path, answer }: SentRequest): string | undefined {
  const route = path.split('?')[0]!
  const isCreation = method === 'POST' && route === '/accounts'
  const body =
    answer.status >= 400
      ? z.looseObject({ error: z.string(), ...(isCreation && { message: z.string() }) })
      : bodies.find(([asked, pattern]) => asked === method && pattern.test(route))?.[2]
  if (!body || errorCodeOf(answer) === '') return undefined
  const { error } = body.safeParse(answer.body)
  const [issue] = error?.issues ?? []
  return issue && `${['body', ...issue.path.map(String)].join('.')}: ${issue.message}`
}
