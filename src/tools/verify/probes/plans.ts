import { planKinds } from '../../../service/plans/kinds/index.js'
import type { Probe } from '../probe.js'
import { actionContexts } from '../responseValue.js'
import { NotExercised } from '../types.js'
import {
  chosen,
  exampleOf,
  planEndpoints,
  probesFor,
  probesOn,
  published,
  refusals,
  shown,
} from './define.js'
import { ether, stake, transferDone, transferFrom, wethPrice } from './fixtures.js'
import { type Expected, plans, refuses } from './steps.js'

const { invalid, failed } = refusals
const cellOf = (kind: string, { status, error }: Expected) => `${status}:${error}@${kind}`

/** Bodies that interface.md names as refused: what is wrong, and what makes it so. */
const wrong: [kind: string, what: string, change: object][] = [
  ['earn', 'a network that is not there', { network: 'atlantis' }],
  ['earn', 'an amount with a fraction', { amount: '1.5' }],
  ['earn', 'an amount below zero', { amount: '-1' }],
  ['transfer', 'a recipient that is no address', { recipient: '0x12' }],
  ['swap', 'both sell_amount and buy_amount', { buy_amount: '1' }],
  ['swap', 'neither sell_amount nor buy_amount', { sell_amount: undefined }],
  ['swap-and-supply', 'an unsupported protocol', { protocol: 'atlantis' }],
  ['swap-and-supply', 'morpho_vault and no market', { protocol: 'morpho_vault' }],
  ['borrow', 'an unsupported protocol', { protocol: 'aave' }],
  ['borrow', 'an invalid market id', { protocol: 'morpho', market: '0x12' }],
  ['borrow', 'morpho and no market', { protocol: 'morpho' }],
  ['migrate', 'an unsupported protocol', { to_protocol: 'atlantis' }],
  ['migrate', 'morpho_vault and no market', { to_protocol: 'morpho_vault' }],
  ['reinvest_rewards', 'no reward assets', { reward_assets: [] }],
  ['reinvest_rewards', 'an unsupported protocol', { protocol: 'atlantis' }],
  ['reinvest_rewards', 'morpho_vault and no market', { protocol: 'morpho_vault' }],
  ['loop-long', 'an invalid market id', { market_id: '0x12' }],
]

type Choice = [kind: string, what: string, change: object, row: string]

/** Refusals with `invalid_params` that are choices of ours: what is wrong, what makes it so, and the row that says so. */
const chosenInvalid: Choice[] = [
  ['earn', 'an amount of zero', { amount: '0' }, 'Zero amounts'],
  ['earn', 'an amount that is a number', { amount: 1_000_000 }, 'Amounts as JSON numbers'],
  ['earn', 'an asset that nobody knows', { asset: 'NOPE' }, 'Unknown assets'],
  [
    'earn',
    'a network in another casing',
    { network: 'Base' },
    'Casing of symbols, networks and protocols',
  ],
  [
    'earn',
    'a protocol in another casing',
    { protocol: 'Compound' },
    'Casing of symbols, networks and protocols',
  ],
  ['swap', '"max" to sell', { sell_amount: 'max' }, '"max"'],
  ['repay', 'zero of both sides', { amount: '0', collateral_amount: '0' }, 'Amounts of 0 in loans'],
  [
    'reinvest_rewards',
    'a reward that is named twice',
    { reward_assets: ['COMP', 'COMP'] },
    'reinvest_rewards',
  ],
  [
    'withdraw-backing',
    '"max" of a long position',
    { amount: 'max', is_short: false },
    'Backing of a long position',
  ],
]

/** The same with `plan_failed`. */
const chosenFailed: Choice[] = [
  ['add-backing', 'no position to add to', {}, 'Backing without a position, or of another pair'],
  ['loop-long', 'backing that is not there', {}, '`max_provided_backing_amount`'],
  [
    'unloop-long',
    'backing to exit at a full close',
    { exposure_amount: 'max', backing_amount_to_exit: '1' },
    '`backing_amount_to_exit`',
  ],
  [
    'withdraw',
    'morpho, no market and no position',
    { protocol: 'morpho' },
    'Vault of `morpho` without `market`',
  ],
  [
    'earn',
    'an asset that has no market there',
    { asset: 'DAI', protocol: 'compound' },
    'Assets without a market',
  ],
]

/** Asks for plans of an account without money. */
const asks = (kind: string, answer: Expected, ...bodies: readonly Record<string, unknown>[]) => ({
  accounts: { newcomer: {} },
  steps: bodies.map((body) => refuses('newcomer', kind, body, answer)),
})

const chosenProbes = (choices: readonly Choice[], answer: Expected) =>
  probesFor(choices, ([kind, what, change, row]) => [
    `${kind} with ${what} is refused`,
    {
      from: chosen(row, cellOf(kind, answer)),
      ...asks(kind, answer, { ...exampleOf(kind), ...change }),
    },
  ])

/** What plan endpoints refuse whatever the wallet holds. */
export const planRefusalProbes: Probe[] = probesOn('codes', {
  ...probesFor(planEndpoints, ({ kind, isShown, example }) => [
    `${kind} names a field as missing, each of them`,
    {
      from: isShown
        ? shown('Plan creation', cellOf(kind, invalid))
        : published(kind, cellOf(kind, invalid)),
      ...asks(kind, invalid, ...bodiesWithoutOne(kind, example)),
    },
  ]),
  ...probesFor(planEndpoints, ({ kind, isShown, example }) => [
    `${kind} of an account without money or position has no plan`,
    {
      from:
        isShown && !['withdraw', 'transfer'].includes(kind)
          ? shown('Errors', cellOf(kind, failed))
          : published('refusals', cellOf(kind, failed)),
      ...asks(kind, failed, example),
    },
  ]),
  ...probesFor(wrong, ([kind, what, change]) => [
    `${kind} with ${what} is refused`,
    {
      from: shown('Plan creation', cellOf(kind, invalid)),
      ...asks(kind, invalid, { ...exampleOf(kind), ...change }),
    },
  ]),
  ...chosenProbes(chosenInvalid, invalid),
  ...chosenProbes(chosenFailed, failed),
  'a field that nobody knows is ignored': {
    from: chosen('Unknown fields', '400:plan_failed@earn'),
    ...asks('earn', failed, { ...exampleOf('earn'), colour: 'red' }),
  },
})

/** An example without one field, for each field that the schema of the kind asks for. */
function bodiesWithoutOne(kind: string, example: Record<string, unknown>) {
  const { schema, example: own } = planKinds.find(({ path }) => path === kind)!
  const fields = Object.keys(own as object)
  return fields.flatMap((field) => {
    const { [field]: _, ...rest } = example
    return schema.safeParse({ ...(own as object), [field]: undefined }).success ? [] : [rest]
  })
}

/** How plans name things, and in what order they do them. */
export const planProbes: Probe[] = probesOn('codes', {
  'a symbol is found in any casing': {
    from: chosen('Casing of symbols, networks and protocols', '201@transfer'),
    accounts: { planner: stake },
    steps: [
      plans('plan', 'planner', 'transfer', {
        ...transferFrom('planner', '1000000'),
        asset: 'usdc',
      }),
    ],
  },
  'a step depends on what runs on its network before it': {
    axis: 'shapes',
    from: published('steps', '201@earn'),
    accounts: { planner: ether },
    // Wrapped first, then supplied.
    steps: [
      plans('plan', 'planner', 'earn', {
        ...exampleOf('earn'),
        asset: 'ETH',
        amount: '1000000000000000',
      }),
    ],
    compute({ body }) {
      const plan = body('plan')
      const steps = plan.at('details', 'steps')
      if (steps.value === undefined || actionContexts(plan).length < 2)
        throw new NotExercised('the plan has no steps, which the interface does not promise')
      steps.at(1, 'depends_on').is([0])
    },
  },
  'a loop takes each of the common pool fees': {
    from: shown('Limits', '201@loop-long'),
    accounts: { planner: stake },
    async compute(playing) {
      const cost = await wethPrice(playing, 'planner', 1)
      for (const pool_fee of [500, 3_000, 10_000]) {
        const body = {
          ...exampleOf('loop-long'),
          pool_fee,
          exposure_amount: '1000000000000000',
          max_swap_backing_amount: cost(1.1),
          max_provided_backing_amount: cost(0.6),
        }
        // There may be no such pool, or too little in it.
        const expect = { any_of: [{ status: 201 }, failed] }
        await playing.play({ plan: { account: 'planner', kind: 'loop-long', body, expect } })
      }
    },
  },
  'the intent of a transfer names its token': {
    axis: 'events',
    from: chosen('`svc_intent` of an activity', '200@GET /activities/{activity_id}'),
    ...transferDone,
    compute({ body }) {
      const token = body('sent_activity').at('svc_intent', 'intent', 'token')
      token.holds(/^0x[0-9a-f]{40}$/i.test(String(token.value)), 'an address')
    },
  },
})
