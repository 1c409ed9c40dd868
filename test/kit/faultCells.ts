import { planKinds } from '../../src/plans/kinds/index.js'

/** One documented error of one endpoint (interface.md, "Errors"), and how a client meets it on purpose. */
export interface FaultCell {
  method: 'GET' | 'POST'
  /** Below the account where it begins with a dot. */
  path: string
  status: number
  code: string
  /** The rule that provokes it; absent where what is sent, or what the account has, does. */
  rule?: Record<string, unknown>
  /** What the client does; `a good request` with a rule. */
  by: string
  body?: unknown
  /** Part of the message, where a cause in the world makes it. */
  says?: string
  /** Where a rule answers it by itself: why nothing in the world brings it about, or what does. */
  painted?: string
}

/** Endpoints whose errors interface.md shows; `repay` and `withdraw-backing` are ours, those of withdraw and transfer are not shown. */
const kinds = planKinds.filter(({ kind }) => kind !== 'repay' && kind !== 'withdrawBacking')
const unshown = ['withdraw', 'transfer']

/** A request that is good for whoever has what it takes. */
export const byGoodRequest = 'a good request'
/** The same, of an account without funds, positions or rewards. */
export const byPenniless = 'a good request of an account that has nothing'
/** The same, of an account with USDC and rewards in MORPHO on base. */
export const byWealthy = 'a good request of an account that has what it takes'

/** Why there is no plan for an account that has nothing. */
const refusals: Record<string, string> = {
  earn: 'insufficient resources of USDC',
  swap: 'insufficient balance of USDC',
  'swap-and-supply': 'insufficient balance of USDC',
  borrow: 'insufficient resources of WETH',
  migrate: 'the wallet has no USDC position',
  reinvest_rewards: 'no claimable rewards found',
  'claim-rewards': 'no claimable rewards found',
  'loop-long': 'insufficient resources of USDC',
  'unloop-long': 'position not found',
  'add-backing': 'position not found',
}

const reallyLate =
  '`chain.slow` and `chain.down` make nodes really late, which takes the read timeout'

const sale = { network: 'base', sell_asset: 'USDC', sell_amount: '1000000', protocol: 'aave' }

/** Requests that a wealthy account gets a plan for, and the asset that they buy. */
const quoted: Record<string, { body: object; bought: string }> = {
  swap: { body: { ...sale, buy_asset: 'WETH' }, bought: 'WETH' },
  'swap-and-supply': { body: { ...sale, buy_asset: 'WETH' }, bought: 'WETH' },
  reinvest_rewards: {
    body: { asset: 'USDC', protocol: 'aave', network: 'base', reward_assets: ['MORPHO'] },
    bought: 'USDC',
  },
}

function planCells({ path: name, example }: (typeof planKinds)[number]): FaultCell[] {
  const at = { method: 'POST' as const, path: `./plan/${name}` }
  const cells: FaultCell[] = [
    { ...at, status: 400, code: 'invalid_params', by: 'an empty body', body: {} },
  ]
  if (unshown.includes(name)) return cells
  const good = { ...at, by: byGoodRequest, body: example }
  const match = { kind: name }
  cells.push(
    { ...good, status: 400, code: 'plan_failed', by: byPenniless, says: refusals[name]! },
    {
      ...good,
      ...{ status: 400, code: 'no_wallet', rule: { on: 'plan', effect: 'no_wallet', match } },
      painted: 'an account has its wallets from its creation on',
    },
    {
      ...good,
      ...{ status: 408, code: 'timeout', rule: { on: 'folio', effect: 'timeout', match } },
      painted: reallyLate,
    },
  )
  const quote = quoted[name]
  if (quote)
    cells.push({
      ...{ ...at, status: 422, code: 'swap_quote_failed', by: byWealthy, body: quote.body },
      rule: { on: 'quote', effect: 'drain', match: { ...match, asset: quote.bought } },
    })
  return cells
}

const execute = { method: 'POST' as const, path: './plan/execute' }
const signed = { ...execute, by: 'a plan and its signature' }

/** Every documented cell, each with a way to meet it. */
export const faultCells: readonly FaultCell[] = [
  {
    method: 'POST',
    path: '/accounts',
    status: 400,
    code: 'invalid_params',
    by: 'an empty body',
    body: {},
  },
  {
    method: 'POST',
    path: '/accounts',
    status: 409,
    code: 'account_already_exists',
    by: 'the signer of an account',
  },
  {
    method: 'GET',
    path: './folio',
    status: 404,
    code: 'account_not_found',
    by: 'an account that does not exist',
  },
  {
    method: 'GET',
    path: './folio',
    status: 408,
    code: 'timeout',
    by: byGoodRequest,
    rule: { on: 'folio', effect: 'timeout' },
    painted: reallyLate,
  },
  {
    method: 'GET',
    path: './events',
    status: 404,
    code: 'account_not_found',
    by: 'an account that does not exist',
  },
  { ...execute, status: 400, code: 'invalid_params', by: 'an empty body', body: {} },
  { ...signed, status: 404, code: 'plan_not_found', rule: { on: 'plan', effect: 'expire' } },
  { ...signed, status: 409, code: 'plan_stale', rule: { on: 'plan', effect: 'stale' } },
  {
    ...signed,
    status: 500,
    code: 'internal_error',
    rule: { on: 'execute', effect: 'reject_signature' },
  },
  ...kinds.flatMap(planCells),
]
