import { z } from 'zod'
import { networkNames } from '../../deployments/networks.js'
import { problems } from '../../lib/errors.js'

/** The scenario file: what it may say. Texts may hold references `{{name.field}}`, see `references.ts`. */

const name = z
  .string()
  .regex(/^[a-z][a-z0-9_]*$/, {
    error: 'must be a name of lower-case letters, digits and _, beginning with a letter',
  })
  .meta({ description: 'A name for references: `{{name.field}}`.' })

const accountName = name.meta({ description: 'The name of an account in given.accounts.' })

const stepName = name.meta({ description: 'The name (`as`) of an earlier step.' })

const asset = z.string().meta({ description: 'Symbol of a token, or its address.' })

const amountError =
  'must be an amount in the smallest unit: digits as text such as "1000000", or an integer from 0 to 2^53-1; larger ones as text'

const amount = z.union(
  [
    z.string().regex(/^[0-9]+$|\{\{.+\}\}/, { error: amountError }),
    z.int({ error: amountError }).min(0, { error: amountError }),
  ],
  { error: amountError },
)

const usd = z.union([z.string(), z.number()], {
  error: 'must be a price in USD, such as "2500" or "0.9998"',
})

const network = z.enum(networkNames, { error: `must be one of ${networkNames.join(', ')}` })

const json = z.unknown()

const planBody = json.meta({ description: 'The body of the plan request.' })

/** One fault rule; the simulator itself says whether it can fire (`POST /_sim/faults`). */
const rule = z
  .looseObject({
    on: z.string().meta({ description: 'The seam where the fault applies; see docs/faults.md.' }),
    effect: json.optional(),
  })
  .meta({ description: 'A fault rule in the form of `POST /_sim/faults`; see docs/faults.md.' })

/** The last one is returned by the fault effect `answer.activity_not_found` alone. */
const errorCodes = [...(Object.keys(problems) as (keyof typeof problems)[]), 'activity_not_found']

const error = z.enum(errorCodes, { error: `must be one of ${errorCodes.join(', ')}` })

const place = z.array(z.union([z.string(), z.int(), z.record(z.string(), z.unknown())])).meta({
  id: 'Place',
  description:
    'From the body inwards: a field, a position in a list (-1 is the last), or the first item of a list that has these fields. An empty list is the body.',
})

const placeCheck = z
  .strictObject({
    at: place,
    is: json.optional(),
    type: z.enum(['object', 'list', 'text']).optional(),
    length: z.int().min(0).optional().meta({ description: 'Of a list or an object.' }),
    exists: z.literal(false).optional(),
  })
  .meta({ id: 'PlaceCheck' })

export const expectation = z
  .strictObject({
    status: z.int().optional(),
    error: error.optional(),
    any_of: z
      .array(z.strictObject({ status: z.int(), error: error.optional() }))
      .min(1)
      .optional()
      .meta({ description: 'The answers that are allowed; an entry without error must be none.' }),
    where: z
      .array(placeCheck)
      .optional()
      .meta({ description: 'What must hold at places of the body, each exactly.' }),
    body: json
      .optional()
      .meta({ description: 'A part that the body must contain. Objects may have more fields.' }),
    hint: z
      .string()
      .optional()
      .meta({ description: 'Text that the x-svc-sim-hint header must contain.' }),
    fault: z
      .string()
      .optional()
      .meta({ description: 'Text that the x-svc-sim-fault header must contain.' }),
    connection: z
      .enum(['cut', 'any'], {
        error: 'must be "cut": no complete answer came, or "any": it does not matter what came',
      })
      .optional()
      .meta({
        description: '`cut`: no complete answer came. `any`: it does not matter what came.',
      }),
  })
  .meta({ id: 'Expectation' })

const request = {
  as: name.optional(),
  account: name.optional(),
  expect: expectation.optional().meta({
    description: 'The expected response; by default, any success (2xx).',
  }),
  fault: z
    .union([z.string(), rule], { error: 'must be a fault rule, or "seam.effect" in short' })
    .optional()
    .meta({ description: 'A fault for this request only: a rule, or `seam.effect` for short.' }),
  background: z
    .boolean()
    .optional()
    .meta({ description: 'Continues without waiting; `join` waits for the response. Needs `as`.' }),
}

const call = z.strictObject({
  ...request,
  method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH']).default('GET'),
  path: z
    .string()
    .regex(/^\//, { error: 'must be a path that begins with /' })
    .meta({ description: 'The path, for example `/accounts/{{alice.id}}/folio`.' }),
  body: json.optional(),
  raw: z.string().optional().meta({ description: 'A body that is sent as it is.' }),
  key: z
    .string()
    .nullable()
    .optional()
    .meta({ description: 'Replaces the API key; null sends none.' }),
  headers: z.record(z.string(), z.string()).optional(),
})

const plan = z.strictObject({
  ...request,
  account: accountName,
  kind: z.string().meta({ description: 'Last segment of the path: `earn`, `swap`, ...' }),
  body: planBody,
})

const execute = z.strictObject({
  ...request,
  plan: name.meta({ description: 'The name (`as`) of the plan step whose plan is executed.' }),
  account: name.optional(),
  signature: z.string().optional().meta({
    description:
      '`valid` (default), `other_key`, `personal_sign` (over the digest, with the prefix of EIP-191), or the hex to send.',
  }),
})

const wait = z.strictObject({
  account: accountName,
  activity: name.optional().meta({ description: 'The execute step whose activity to wait for.' }),
  status: z
    .enum(['pending', 'confirmed', 'failed', 'ended'])
    .default('confirmed')
    .meta({ description: '`ended` is confirmed or failed.' }),
})

const rpc = z.strictObject({
  network,
  method: z.string().meta({ description: 'A JSON-RPC method, such as `eth_blockNumber`.' }),
  params: z.array(json).default([]),
  as: name.optional(),
})

const fund = z.strictObject({ account: accountName, network, asset, amount })

const bounds = {
  is: amount.optional(),
  at_least: amount.optional(),
  at_most: amount.optional(),
}

/** Something that must hold; one key each. */
export const check = z
  .strictObject({
    balance: z.strictObject({ account: accountName, network, asset, ...bounds }).optional(),
    folio: z
      .strictObject({
        account: accountName,
        section: z.string().meta({ description: 'Section of the folio, such as `balances`.' }),
        key: z.string().meta({ description: 'Key in that section.' }),
        is: json.optional(),
        exists: z.boolean().optional(),
      })
      .optional(),
    response: z.strictObject({ of: stepName, ...expectation.shape }).optional(),
    activity: z
      .strictObject({
        of: stepName,
        status: z.enum(['pending', 'confirmed', 'failed']),
        reason: z
          .string()
          .optional()
          .meta({ description: 'Text that a revert reason must contain.' }),
      })
      .optional(),
    activities: z
      .strictObject({ account: accountName, count: z.int(), status: z.string().optional() })
      .optional(),
    events: z
      .strictObject({
        account: accountName,
        statuses: z
          .array(z.string())
          .meta({ description: 'The activity_status of all events, in order.' }),
      })
      .optional(),
    hits: z.record(z.string(), z.int().min(0)).optional().meta({
      description: 'How often each rule (by id) has fired, at the latest when due work is done.',
    }),
    equal: z.tuple([json, json]).optional().meta({ description: 'Two values, by reference.' }),
  })
  .refine(hasOneKey, { error: 'must have exactly one check' })
  .meta({ id: 'Check' })

/** One step; one key each, carried out in order. */
export const step = z
  .strictObject({
    call: call.optional(),
    plan: plan.optional(),
    execute: execute.optional(),
    join: name.optional().meta({ description: 'Waits for the response of a background step.' }),
    wait: wait.optional(),
    fund: fund.optional(),
    price: z.record(z.string(), usd).optional(),
    advance: z.number().min(0).optional().meta({ description: 'Seconds.' }),
    fault: rule.optional(),
    heal: z
      .union([z.literal(true), z.string()], {
        error: 'must be the id of a fault rule, or true for all',
      })
      .optional()
      .meta({ description: 'Removes the fault rule with this id, or all with `true`.' }),
    snapshot: name.optional(),
    restore: name.optional(),
    rpc: rpc.optional(),
    check: check.optional(),
  })
  .refine(hasOneKey, { error: 'must have exactly one step' })
  .meta({ id: 'Step' })

const account = z.strictObject({
  signer: z
    .string()
    .regex(/^0x[0-9a-fA-F]{64}$/, { error: 'must be a private key: 0x and 64 hex digits' })
    .optional()
    .meta({ description: 'Private key; by default, derived from the name.' }),
  funds: z
    .partialRecord(network, z.record(z.string(), amount))
    .optional()
    .meta({ description: 'network -> asset -> amount in the smallest unit.' }),
})

const given = z.strictObject({
  seed: z.int().min(0).optional(),
  clock: z
    .string()
    .regex(/^(real|(auto|frozen)(@.+)?)$/, {
      error: 'must be real, auto, frozen, or frozen@ISO-TIME',
    })
    .optional(),
  prices: z.record(z.string(), usd).optional(),
  accounts: z.record(name, account).default({}),
  positions: z
    .array(
      z.strictObject({
        account: accountName,
        plan: z.string().meta({ description: 'The kind of a plan: `earn`, `borrow`, ...' }),
        body: planBody,
      }),
    )
    .default([])
    .meta({
      description: 'Plans to execute and confirm before the faults are armed.',
    }),
  setup: z
    .strictObject({
      name: z.string().meta({ description: 'What the steps make, such as `an executed loan`.' }),
      steps: z.array(step),
    })
    .optional()
    .meta({
      description:
        'Steps that come before the faults are armed. Scenarios that are played against one server share it: it is played once, and its results are there for each.',
    }),
})

const amounts = z.record(z.string(), z.string().regex(/^[0-9]+$/, { error: amountError }))

const priceError =
  'must be USD per whole token, as a decimal such as "3000" or "0.9998" with at most 8 places'

/** Where the money must be when a client of the user's own has ended, as `svc-sim swarm` writes it. */
const outcome = z
  .strictObject({
    within_ms: z.int().min(1).optional().meta({
      description:
        'How long the client may take; ten minutes when absent. Leave it out: it depends on the machine.',
    }),
    cursor_rewinds: z
      .strictObject({ to_start: z.int().min(0), to_earlier: z.int().min(0) })
      .default({ to_start: 0, to_earlier: 0 })
      .meta({
        description:
          'How often its event polls went back behind a cursor that they had received: to the start, and to an earlier cursor.',
      }),
    prices: z
      .record(
        z.string(),
        z.string().regex(/^(0|[1-9][0-9]{0,9})(\.[0-9]{1,8})?$/, { error: priceError }),
      )
      .optional()
      .meta({
        description:
          'Asset symbol -> USD per whole token. Holdings are compared by their value at these prices; without a price, one by one.',
      }),
    accounts: z.array(
      z.strictObject({
        holdings: amounts.meta({ description: 'Folio key without the wallet -> amount.' }),
        moves: z.array(
          z.strictObject({
            intent: z
              .string()
              .meta({ description: 'Type and fields of the intent, without amounts.' }),
            amounts,
          }),
        ),
      }),
    ),
  })
  .meta({
    id: 'Outcome',
    description:
      'What `svc-sim exec` compares with after its command has ended. It then fails on each finding of docs/swarm.md.',
  })

export type ScenarioOutcome = z.infer<typeof outcome>

/** A scenario: data only. */
export const scenarioSchema = z
  .strictObject({
    name: z.string().min(1).meta({ description: 'What the scenario is called in reports.' }),
    description: z.string().optional(),
    given: given.default({ accounts: {}, positions: [] }),
    faults: z.array(rule).default([]),
    outcome: outcome.optional(),
    when: z.array(step).default([]),
    // biome-ignore lint/suspicious/noThenProperty: the file format's word (given, when, then); never awaited.
    then: z.array(check).default([]),
  })
  .meta({ id: 'Scenario' })

export type Scenario = z.infer<typeof scenarioSchema>
export type Step = z.infer<typeof step>
export type Check = z.infer<typeof check>
export type Expectation = z.infer<typeof expectation>
export type Rule = z.infer<typeof rule>

function hasOneKey(value: object): boolean {
  return Object.values(value).filter((item) => item !== undefined).length === 1
}

/** The JSON Schema of the file, for editors (`scenarios/scenario.schema.json`). */
export function scenarioJsonSchema(): object {
  const schema = z.toJSONSchema(scenarioSchema, { target: 'draft-2020-12', io: 'input' })
  return { $id: 'scenario.schema.json', title: 'svc-sim scenario', ...schema }
}
