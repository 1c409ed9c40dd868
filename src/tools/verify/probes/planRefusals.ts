import { planKinds } from '../../../service/plans/kinds/index.js'
import { type ProbeStep, sends } from '../corpus/steps.js'
import type { Probe } from '../probe.js'
import { chosen, exampleOf, hasField, planEndpoints, probeOn, published, shown } from './define.js'

const probe = probeOn('codes')

const invalid = { status: 400, code: 'invalid_params' }
const failed = { status: 400, code: 'plan_failed' }
const cellOf = (kind: string, { status, code }: typeof invalid) => `${status}:${code}@${kind}`

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

/** Refusals that are choices of ours: what is wrong, and the row that says so. */
const choices: {
  kind: string
  what: string
  change: object
  row: string
  answer: typeof invalid
  concerns: (value: unknown, name: string) => boolean
}[] = [
  {
    kind: 'earn',
    what: 'an amount of zero',
    change: { amount: '0' },
    row: 'Zero amounts',
    answer: invalid,
    concerns: (value) => value === '0',
  },
  {
    kind: 'earn',
    what: 'an amount that is a number',
    change: { amount: 1_000_000 },
    row: 'Amounts as JSON numbers',
    answer: invalid,
    concerns: (value, name) => name.endsWith('amount') && typeof value === 'number',
  },
  {
    kind: 'earn',
    what: 'an asset that nobody knows',
    change: { asset: 'NOPE' },
    row: 'Unknown assets',
    answer: invalid,
    concerns: (value, name) => name === 'asset' && value === 'NOPE',
  },
  {
    kind: 'earn',
    what: 'a network in another casing',
    change: { network: 'Base' },
    row: 'Casing of symbols, networks and protocols',
    answer: invalid,
    concerns: (value, name) => name === 'network' && value !== String(value).toLowerCase(),
  },
  {
    kind: 'earn',
    what: 'a protocol in another casing',
    change: { protocol: 'Compound' },
    row: 'Casing of symbols, networks and protocols',
    answer: invalid,
    concerns: (value, name) => name === 'protocol' && value !== String(value).toLowerCase(),
  },
  {
    kind: 'swap',
    what: '"max" to sell',
    change: { sell_amount: 'max' },
    row: '"max"',
    answer: invalid,
    concerns: (value) => value === 'max',
  },
  {
    kind: 'repay',
    what: 'zero of both sides',
    change: { amount: '0', collateral_amount: '0' },
    row: 'Amounts of 0 in loans',
    answer: invalid,
    concerns: (value) => value === '0',
  },
  {
    kind: 'reinvest_rewards',
    what: 'a reward that is named twice',
    change: { reward_assets: ['COMP', 'COMP'] },
    row: 'reinvest_rewards',
    answer: invalid,
    concerns: (value) => Array.isArray(value) && new Set(value).size < value.length,
  },
  {
    kind: 'withdraw-backing',
    what: '"max" of a long position',
    change: { amount: 'max', is_short: false },
    row: 'Backing of a long position',
    answer: invalid,
    concerns: (value) => value === 'max',
  },
  {
    kind: 'add-backing',
    what: 'no position to add to',
    change: {},
    row: 'Backing without a position, or of another pair',
    answer: failed,
    concerns: () => true,
  },
  {
    kind: 'loop-long',
    what: 'backing that is not there',
    change: {},
    row: '`max_provided_backing_amount`',
    answer: failed,
    concerns: () => true,
  },
  {
    kind: 'unloop-long',
    what: 'backing to exit at a full close',
    change: { exposure_amount: 'max', backing_amount_to_exit: '1' },
    row: '`backing_amount_to_exit`',
    answer: failed,
    concerns: (value, name) => name === 'backing_amount_to_exit' && value !== '0',
  },
  {
    kind: 'withdraw',
    what: 'morpho, no market and no position',
    change: { protocol: 'morpho' },
    row: 'Vault of `morpho` without `market`',
    answer: failed,
    concerns: (value) => value === 'morpho',
  },
  {
    kind: 'earn',
    what: 'an asset that has no market there',
    change: { asset: 'DAI', protocol: 'compound' },
    row: 'Assets without a market',
    answer: failed,
    concerns: () => true,
  },
]

/** Asks for plans of an account without money. */
function asks(
  kind: string,
  answer: typeof invalid,
  ...bodies: readonly Record<string, unknown>[]
): ProbeStep[] {
  const path = `/accounts/{newcomer.id}/plan/${kind}`
  return [{ account: 'newcomer' }, ...bodies.map((body) => sends('POST', path, { body }, answer))]
}

function without(body: Record<string, unknown>, field: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== field))
}

/** What plan endpoints refuse whatever the wallet holds. */
export const planRefusalProbes: Probe[] = [
  ...planEndpoints.map(({ kind, isShown, example }) =>
    probe({
      name: `${kind} names a field as missing, each of them`,
      cells: [cellOf(kind, invalid)],
      from: isShown ? shown('Plan creation') : published(kind),
      steps: asks(kind, invalid, ...requiredFields(kind).map((field) => without(example, field))),
    }),
  ),
  ...planEndpoints.map(({ kind, isShown, example }) =>
    probe({
      name: `${kind} of an account without money or position has no plan`,
      cells: [cellOf(kind, failed)],
      from:
        isShown && !['withdraw', 'transfer'].includes(kind)
          ? shown('Errors')
          : published('refusals'),
      steps: asks(kind, failed, example),
    }),
  ),
  ...wrong.map(([kind, what, change]) =>
    probe({
      name: `${kind} with ${what} is refused`,
      cells: [cellOf(kind, invalid)],
      from: shown('Plan creation'),
      steps: asks(kind, invalid, { ...exampleOf(kind), ...change }),
    }),
  ),
  ...choices.map(({ kind, what, change, row, answer, concerns }) =>
    probe({
      name: `${kind} with ${what} is refused`,
      cells: [cellOf(kind, answer)],
      from: chosen(row),
      concerns: ({ sent }) => hasField(sent, concerns),
      steps: asks(kind, answer, { ...exampleOf(kind), ...change }),
    }),
  ),
  probe({
    name: 'a field that nobody knows is ignored',
    cells: ['400:plan_failed@earn'],
    from: chosen('Unknown fields'),
    concerns: ({ sent, url }) => hasUnknownField(url, sent),
    steps: asks('earn', failed, { ...exampleOf('earn'), colour: 'red' }),
  }),
]

/** The fields without which a body is refused, by the schema of the kind. */
function requiredFields(kind: string): string[] {
  const { schema, example } = planKinds.find(({ path }) => path === kind)!
  return Object.keys(example as object).filter(
    (field) => !schema.safeParse({ ...(example as object), [field]: undefined }).success,
  )
}

function hasUnknownField(url: string, sent: unknown): boolean {
  const kind = planKinds.find(({ path }) => url.split('?')[0]!.endsWith(`/plan/${path}`))
  if (!kind || typeof sent !== 'object' || sent === null) return false
  const fields = Object.keys((kind.schema as unknown as { shape: object }).shape ?? {})
  return fields.length > 0 && Object.keys(sent).some((name) => !fields.includes(name))
}
